import { expect, test } from "vitest";
import { Spares, wholeBuffer } from "../src/spares.js";

test("those that came last are kept, each once, and given by their size", () => {
  const [first, second, third] = [new ArrayBuffer(8), new ArrayBuffer(4), new ArrayBuffer(8)];
  const spares = new Spares();
  for (const buffer of [first, second, second, third]) spares.add(buffer);
  expect(spares.take(5)).toBeUndefined();
  expect(spares.take(8)).toBe(third);
  expect(spares.take(8)).toBeUndefined();
  expect(spares.take(4)).toBe(second);
});

test("a part of a buffer is refused with both sizes", () => {
  const part = new Uint8Array(9).subarray(1);
  const sizes = expect.objectContaining({ code: "bad-buffer", message: expect.stringMatching(/8 bytes.* 9/) });
  expect(() => wholeBuffer(part, () => true)).toThrowError(sizes);
});
