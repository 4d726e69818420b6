/** Which module counts when several are given at once. */

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { compiledModule, useWasm } from "../src/wasm-module.js";

const BYTES = readFileSync(new URL("../wasm/gym2600_wasm_bg.wasm", import.meta.url));

/** A response that arrives when the test says so, with the module or with text. */
function pending() {
  let arrive: (bytes: Uint8Array) => void = () => {};
  const body = new ReadableStream({
    start(stream) {
      arrive = (bytes) => {
        stream.enqueue(bytes);
        stream.close();
      };
    },
  });
  const response = new Response(body);
  return {
    used: useWasm(response),
    succeed: () => arrive(BYTES),
    fail: () => arrive(new Uint8Array([0x3c, 0x21])),
  };
}

const refusal = { code: "wasm-failed" };

test("of two modules that are given at once the first stands if the second fails after it", async () => {
  const [first, second] = [pending(), pending()];
  first.succeed();
  const module = await first.used;
  second.fail();
  await expect(second.used).rejects.toMatchObject(refusal);
  expect(await compiledModule()).toBe(module);
});

test("of two modules that are given at once the first stands if the second fails before it", async () => {
  const [first, second] = [pending(), pending()];
  second.fail();
  await expect(second.used).rejects.toMatchObject(refusal);
  const waiting = compiledModule();
  first.succeed();
  expect(await waiting).toBe(await first.used);
  expect(await compiledModule()).toBe(await first.used);
});

test("of two modules that are given at once the second stands, whichever is compiled first", async () => {
  const [first, second] = [pending(), pending()];
  second.succeed();
  const module = await second.used;
  first.succeed();
  await first.used;
  expect(await compiledModule()).toBe(module);
});

test("the module of before stands if both of two that are given at once fail", async () => {
  const before = await useWasm(BYTES);
  const [first, second] = [pending(), pending()];
  first.fail();
  await expect(first.used).rejects.toMatchObject(refusal);
  second.fail();
  await expect(second.used).rejects.toMatchObject(refusal);
  expect(await compiledModule()).toBe(before);
});
