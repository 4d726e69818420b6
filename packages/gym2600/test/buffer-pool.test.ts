import { expect, test } from "vitest";
import { BufferPool, recyclable } from "../src/buffers/buffer-pool.js";

test("those that came last are kept, each once, and given by their size", () => {
  const [first, second, third] = [new ArrayBuffer(8), new ArrayBuffer(4), new ArrayBuffer(8)];
  const pool = new BufferPool();
  for (const buffer of [first, second, second, third]) pool.add(buffer);
  expect(pool.take(5)).toBeUndefined();
  expect(pool.take(8)).toBe(third);
  expect(pool.take(8)).toBeUndefined();
  expect(pool.take(4)).toBe(second);
});

test("a part of a buffer is refused with both sizes", () => {
  const part = new Uint8Array(9).subarray(1);
  const sizes = expect.objectContaining({ code: "bad-buffer", message: expect.stringMatching(/8 bytes.* 9/) });
  expect(() => recyclable(part, () => true)).toThrowError(sizes);
});
