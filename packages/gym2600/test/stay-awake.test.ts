import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { StayAwake } from "../src/worker/stay-awake.js";

beforeEach(() => vi.useFakeTimers({ toFake: ["performance"] }));
afterEach(() => vi.useRealTimers());

/** A StayAwake and its scheduled calls. */
function stayAwake() {
  const waiting: Array<() => void> = [];
  const subject = new StayAwake((then) => waiting.push(then));
  const request = (message: unknown = { awake: true }) => {
    subject.asked(message);
    vi.advanceTimersByTime(5);
    subject.answered();
  };
  const turn = () => {
    for (const then of waiting.splice(0)) then();
  };
  return { waiting, request, turn };
}

test("a worker whose requests come soon stays awake between them", () => {
  const { waiting, request, turn } = stayAwake();
  request();
  expect(waiting).toHaveLength(0);
  vi.advanceTimersByTime(0.1);
  request();
  for (let times = 0; times < 20; times++) {
    expect(waiting).toHaveLength(1);
    turn();
  }
  request();
  turn();
  expect(waiting).toHaveLength(1);
});

test("a worker sleeps when no request comes soon", () => {
  const { waiting, request, turn } = stayAwake();
  request();
  request();
  vi.advanceTimersByTime(1);
  turn();
  expect(waiting).toHaveLength(0);
  request();
  expect(waiting).toHaveLength(0);
  vi.advanceTimersByTime(1);
  request();
  expect(waiting).toHaveLength(0);
  request();
  expect(waiting).toHaveLength(1);
});

test("a worker sleeps if no processor is free", () => {
  const { waiting, request } = stayAwake();
  for (const message of [{ awake: false }, {}, null, 3]) {
    request(message);
    request(message);
    expect(waiting).toHaveLength(0);
  }
});
