import { expect, test, vi } from "vitest";
import type { WorkerListener, WorkerPort } from "../src/platform.js";
import type { WorkerRequest } from "../src/worker/protocol.js";
import { setWorkerAddress, WorkerClient } from "../src/worker/worker-client.js";
import { START_LIMIT_MS } from "../src/worker/worker-death.js";

/** A worker whose replies the test makes. */
class FakePort implements WorkerPort {
  readonly requests: WorkerRequest[] = [];
  terminations = 0;
  isAwaited = true;
  worker: WorkerListener | undefined;

  post(message: unknown): void {
    if ((message as { pictureOf?: unknown }).pictureOf === 99) throw new Error("could not be cloned");
    this.requests.push(structuredClone(message) as WorkerRequest);
  }
  listen(listener: WorkerListener): void {
    this.worker = listener;
  }
  awaited(awaited: boolean): void {
    this.isAwaited = awaited;
  }
  terminate(): void {
    this.terminations++;
  }
  answer(index: number): void {
    this.worker?.message({ type: "closed", id: this.requests[index]?.id });
  }
}

function connect() {
  const port = new FakePort();
  return { port, client: new WorkerClient(port) };
}

const STEP = {
  type: "step",
  lanes: [0],
  actions: [0],
  every: false,
  states: false,
} as const;

test("replies reach their requests by number, in any order", async () => {
  const { port, client } = connect();
  const [first, second] = [client.ask(STEP), client.ask(STEP)];
  port.answer(1);
  port.answer(0);
  expect((await first).id).toBe(0);
  expect((await second).id).toBe(1);
});

test("an error reply rejects its request alone", async () => {
  const { port, client } = connect();
  const [first, second] = [client.ask(STEP), client.ask(STEP)];
  port.worker?.message({ type: "error", id: 0, code: "bad-action", message: "no such action", details: {} });
  port.answer(1);
  await expect(first).rejects.toMatchObject({ code: "bad-action", message: "no such action" });
  await expect(second).resolves.toMatchObject({ id: 1 });
});

test("the death of the worker rejects all that is pending and all that comes after", async () => {
  const { port, client } = connect();
  const pending = [client.ask(STEP), client.ask(STEP)];
  port.worker?.died("out of memory");
  for (const request of pending) {
    await expect(request).rejects.toMatchObject({ code: "worker-died", message: "the worker died: out of memory" });
  }
  await expect(client.ask(STEP)).rejects.toMatchObject({ code: "worker-died" });
  expect(port.terminations).toBe(1);
});

test("the death of a worker names the address that the caller set, not one that is set later", async () => {
  setWorkerAddress("/assets/other.js");
  const { port, client } = connect();
  setWorkerAddress("/assets/later.js");
  const pending = client.ask(STEP);
  port.worker?.died("no script");
  await expect(pending).rejects.toMatchObject({ message: "the worker /assets/other.js died: no script" });
  setWorkerAddress(undefined);
});

test("a message that cannot be read, on either side, rejects all that is pending", async () => {
  const here = connect();
  const lostReply = here.client.ask(STEP);
  here.port.worker?.messageError();
  await expect(lostReply).rejects.toMatchObject({ code: "bad-message" });

  const there = connect();
  const lostRequest = there.client.ask(STEP);
  there.port.worker?.message({ type: "error", id: null, code: "bad-message", message: "could not read", details: {} });
  await expect(lostRequest).rejects.toMatchObject({ code: "bad-message", message: "could not read" });
});

test("a request that cannot be sent is rejected and leaves the others alone", async () => {
  const { port, client } = connect();
  const good = client.ask(STEP);
  await expect(client.ask({ ...STEP, pictureOf: 99 })).rejects.toMatchObject({
    code: "bad-message",
  });
  port.answer(0);
  await expect(good).resolves.toBeDefined();
});

test("close waits for the requests before it, refuses those after it, and may be called again", async () => {
  const { port, client } = connect();
  const before = client.ask(STEP);
  const closing = client.close();
  expect(client.close()).toBe(closing);
  await expect(client.ask(STEP)).rejects.toMatchObject({ code: "closed" });
  expect(port.requests.map(({ type }) => type)).toEqual(["step", "close"]);
  port.answer(0);
  port.answer(1);
  await expect(before).resolves.toBeDefined();
  await expect(closing).resolves.toBeUndefined();
  expect(port.terminations).toBe(1);
});

test("close settles when the worker dies instead of answering", async () => {
  const { port, client } = connect();
  const step = client.ask(STEP);
  const closing = client.close();
  port.worker?.died("crash");
  await expect(step).rejects.toMatchObject({ code: "worker-died" });
  await expect(closing).resolves.toBeUndefined();
  await expect(client.ask(STEP)).rejects.toMatchObject({ code: "closed" });
});

test("terminate rejects what is pending and closes", async () => {
  const { port, client } = connect();
  const step = client.ask(STEP);
  client.terminate();
  await expect(step).rejects.toMatchObject({ code: "worker-died" });
  await expect(client.ask(STEP)).rejects.toMatchObject({ code: "closed" });
  await expect(client.close()).resolves.toBeUndefined();
  expect(port.terminations).toBe(1);
});

test("the port keeps the program running only while a request is pending", async () => {
  const { port, client } = connect();
  expect(port.isAwaited).toBe(false);
  const step = client.ask(STEP);
  expect(port.isAwaited).toBe(true);
  port.answer(0);
  await step;
  expect(port.isAwaited).toBe(false);
});

test("a worker that never answers its first request is given up", async () => {
  vi.useFakeTimers();
  try {
    const { port, client } = connect();
    const command = {
      type: "create",
      name: "silent",
      module: {} as WebAssembly.Module,
      rom: new Uint8Array(),
      lanes: [],
    } as const;
    const created = expect(client.create(command)).rejects.toMatchObject({
      code: "worker-died",
      message: expect.stringContaining("60 s"),
    });
    await vi.advanceTimersByTimeAsync(START_LIMIT_MS);
    await created;
    expect(port.terminations).toBe(1);
    await expect(client.ask(STEP)).rejects.toMatchObject({ code: "worker-died" });
  } finally {
    vi.useRealTimers();
  }
});
