import { Box, Discrete, Gym2600Error, MultiDiscrete } from "gym2600";
import { expect, test } from "vitest";

test("a Discrete space has the whole numbers below n", () => {
  const space = new Discrete(4);
  for (const member of [0, 1, 2, 3]) expect(space.contains(member)).toBe(true);
  for (const other of [-1, 4, 1.5, Number.NaN, "1", null, undefined]) expect(space.contains(other)).toBe(false);
});

test("a Discrete space draws every member, and the same ones from the same seed", () => {
  const space = new Discrete(6);
  space.seed(3);
  const first = Array.from({ length: 200 }, () => space.sample());
  space.seed(3);
  const second = Array.from({ length: 200 }, () => space.sample());
  expect(second).toEqual(first);
  expect(new Set(first)).toEqual(new Set([0, 1, 2, 3, 4, 5]));
});

test("a Box knows its members by type, size and bounds", () => {
  const bytes = new Box([2, 3], "uint8");
  expect(bytes.contains(bytes.sample())).toBe(true);
  expect(bytes.contains(new Uint8Array(5))).toBe(false);
  expect(bytes.contains(new Float32Array(6))).toBe(false);
  const floats = new Box([2, 3], "float32");
  expect(floats.contains(floats.sample())).toBe(true);
  expect(floats.contains(Float32Array.of(0, 0, 0, 0, 0, 1.5))).toBe(false);
});

test("a Box with bounds of its own draws within them, all of them, and the same from the same seed", () => {
  for (const [dtype, low, high] of [
    ["uint8", 3, 5],
    ["float32", -2, 2],
  ] as const) {
    const space = new Box([50], dtype, low, high);
    space.seed(9);
    const first = space.sample();
    expect(space.contains(first)).toBe(true);
    expect(Math.max(...first) - Math.min(...first)).toBeGreaterThan((high - low) / 2);
    expect(space.contains(first.slice().fill(high + 1))).toBe(false);
    space.seed(9);
    expect(space.sample()).toEqual(first);
    expect(space.sample()).not.toEqual(first);
    expect(space.toJSON()).toEqual({ type: "Box", shape: [50], dtype, low, high });
  }
});

test("a Box of whole numbers has bounds of each value, which repeat in a batch", () => {
  const space = new Box([3, 2], "int32", [-5, 0], [-3, 2 ** 31 - 1]);
  const sample = space.sample();
  expect(sample).toBeInstanceOf(Int32Array);
  expect(space.contains(sample)).toBe(true);
  expect(space.contains(Int32Array.of(-5, 0, -4, 7, -3, 2 ** 31 - 1))).toBe(true);
  expect(space.contains(Int32Array.of(-5, 0, -4, 7, -3, -1))).toBe(false);
  expect(space.contains(Int32Array.of(-5, 0, -2, 7, -3, 1))).toBe(false);
  expect(space.contains(Uint8Array.of(0, 0, 0, 0, 0, 0))).toBe(false);
  expect(space.toJSON()).toMatchObject({ low: [-5, 0], high: [-3, 2 ** 31 - 1] });
  const all = new Box([1], "int32");
  expect([all.low, all.high]).toEqual([-(2 ** 31), 2 ** 31 - 1]);
  expect(all.contains(all.sample())).toBe(true);
});

test("a MultiDiscrete space draws every member, and the same ones from the same seed", () => {
  const space = new MultiDiscrete([1, 2, 3]);
  space.seed(1);
  const first = Array.from({ length: 100 }, () => space.sample().join(""));
  expect(new Set(first).size).toBe(6);
  expect(new MultiDiscrete([1, 2, 3]).contains(Uint8Array.of(0, 1, 2))).toBe(true);
  space.seed(1);
  expect(Array.from({ length: 100 }, () => space.sample().join(""))).toEqual(first);
});

test("without a seed two spaces draw different members", () => {
  const draws = (space: Discrete | MultiDiscrete): string => Array.from({ length: 100 }, () => space.sample()).join();
  expect(draws(new Discrete(18))).not.toBe(draws(new Discrete(18)));
  expect(draws(new MultiDiscrete([18, 18]))).not.toBe(draws(new MultiDiscrete([18, 18])));
});

test("a MultiDiscrete space has a bound for each place", () => {
  const space = new MultiDiscrete([2, 18]);
  expect(space.contains(space.sample())).toBe(true);
  expect(space.contains([1, 17])).toBe(true);
  expect(space.contains([2, 0])).toBe(false);
  expect(space.contains([1])).toBe(false);
  expect(space.contains(7)).toBe(false);
});

test("spaces are written as plain data", () => {
  const spaces = [new Discrete(3), new Box([4, 84, 84], "uint8"), new MultiDiscrete([3, 3])];
  expect(JSON.parse(JSON.stringify(spaces))).toEqual([
    { type: "Discrete", n: 3 },
    { type: "Box", shape: [4, 84, 84], dtype: "uint8", low: 0, high: 255 },
    { type: "MultiDiscrete", nvec: [3, 3] },
  ]);
});

test("an impossible space or seed is refused with the value", () => {
  for (const [make, value] of [
    [() => new Discrete(0), "0"],
    [() => new Box([84, -1], "uint8"), "-1"],
    [() => new Box([2], "uint8", 0, 256), "256"],
    [() => new Box([2], "float32", 1, 0), "from 1 to 0"],
    [() => new Box([2], "float32", Number.NaN), "NaN"],
    [() => new Box([2], "int8" as "uint8"), "int8"],
    [() => new Box([2], "int32", 0, 2 ** 31), "2147483648"],
    [() => new Box([3], "int32", [0, 0]), "a list of 2"],
    [() => new Box([2], "int32", [0, 5], [9, 4]), "from 5 to 4"],
    [() => new Box([6], "int32", [0, 0], [1, 1, 1]), "not of 2 and 3"],
    [() => new Box([2], "uint8", [0, "1"] as never), "NaN"],
    [() => new MultiDiscrete([2.5]), "2.5"],
    [() => new Discrete(2).seed(-3), "-3"],
  ] as const) {
    expect(make).toThrowError(Gym2600Error);
    expect(make).toThrowError(value);
  }
});
