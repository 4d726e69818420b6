import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Progress } from "../src/cli/progress.js";
import type { TrainingUpdate } from "../src/learn/types.js";

const update = { steps: 500_000, reward: 13.5, length: 106, entropy: 1.37, stepsPerSecond: 12_345 } as TrainingUpdate;
const { isTTY, columns } = process.stderr;

beforeEach(() => {
  vi.spyOn(performance, "now").mockReturnValueOnce(0).mockReturnValue(27_000);
});

afterEach(() => {
  vi.restoreAllMocks();
  Object.assign(process.stderr, { isTTY, columns });
});

/** Clears the row. */
const CLEARED = "\r\x1b[K";

/** The row of a terminal with so many columns. */
function rowAt(width: number): string {
  Object.assign(process.stderr, { isTTY: true, columns: width });
  const write = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  new Progress(1_000_000, 0).show(update);
  const written = String(write.mock.lastCall?.[0]);
  expect(written.startsWith(CLEARED)).toBe(true);
  return written.slice(CLEARED.length);
}

/** The text beside the bar. */
const TEXT = " 500000/1000000, score 13.5 in 106, entropy 1.37, 12345/s, 27s left";

it.each([80, 120])("shows progress as one row with a bar at %d columns", (width) => {
  const row = rowAt(width);
  expect(row.length).toBe(width);
  expect(row.endsWith(TEXT)).toBe(true);
  expect(row.slice(0, -TEXT.length)).toMatch(/^█{5,}░{5,}$/);
});

it("cuts the text of progress at the columns of a narrow terminal", () => {
  expect(rowAt(40)).toBe(`█████░░░░░${TEXT}`.slice(0, 40));
});

it("shows a row before the first update", () => {
  Object.assign(process.stderr, { isTTY: true, columns: 80 });
  const write = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  new Progress(1_000_000, 500_000);
  expect(String(write.mock.lastCall?.[0])).toMatch(/ 500000\/1000000, the first update runs$/);
});

it("prints a line at every 25,000 steps where there is no terminal, and after 30 seconds", () => {
  const clock = vi.spyOn(performance, "now").mockReset().mockReturnValue(0);
  Object.assign(process.stderr, { isTTY: false });
  const write = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  const progress = new Progress(100_000, 0);
  for (const [seconds, steps] of [
    [10, 20_000],
    [15, 30_000],
    [20, 40_000],
    [45, 45_000],
    [46, 46_000],
  ] as const) {
    clock.mockReturnValue(1000 * seconds);
    progress.show({ ...update, steps });
  }
  const score = "score 13.5 in 106, entropy 1.37, 12345/s";
  expect(write.mock.calls.map(([text]) => text)).toEqual([
    `30000 steps, ${score}, 35s left\n`,
    `45000 steps, ${score}, 55s left\n`,
  ]);
});

it("takes a terminal without a size for one of 80 columns", () => {
  expect(rowAt(0).length).toBe(80);
});
