/** Which module counts when several are given at once, and what is said of one that cannot be loaded. */

import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { init } from "../src/index-node.js";
import { init as learnerInit } from "../src/learn/index-node.js";
import { compiledLearner, useLearner } from "../src/learn/wasm.js";
import { compiledModule, loadFailed, useWasm } from "../src/wasm-module.js";

const BYTES = readFileSync(new URL("../wasm/gym2600_wasm_bg.wasm", import.meta.url));
const LEARNER_BYTES = readFileSync(new URL("../wasm-learn/gym2600_learn_bg.wasm", import.meta.url));

const refusal = { code: "wasm-failed" };

const KINDS = [
  { name: "the games", use: useWasm, compiled: compiledModule, bytes: BYTES },
  { name: "the learner", use: useLearner, compiled: compiledLearner, bytes: LEARNER_BYTES },
];

describe.each(KINDS)("of $name", ({ use, compiled, bytes }) => {
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
      used: use(response),
      succeed: () => arrive(bytes),
      fail: () => arrive(new Uint8Array([0x3c, 0x21])),
    };
  }

  test("a module that has been compiled is taken as it is", async () => {
    const module = await WebAssembly.compile(bytes);
    expect(await use(module)).toBe(module);
    expect(await compiled()).toBe(module);
  });

  test("of two modules that are given at once the first stands if the second fails after it", async () => {
    const [first, second] = [pending(), pending()];
    first.succeed();
    const module = await first.used;
    second.fail();
    await expect(second.used).rejects.toMatchObject(refusal);
    expect(await compiled()).toBe(module);
  });

  test("of two modules that are given at once the first stands if the second fails before it", async () => {
    const [first, second] = [pending(), pending()];
    second.fail();
    await expect(second.used).rejects.toMatchObject(refusal);
    const waiting = compiled();
    first.succeed();
    expect(await waiting).toBe(await first.used);
    expect(await compiled()).toBe(await first.used);
  });

  test("of two modules that are given at once the second stands, whichever is compiled first", async () => {
    const [first, second] = [pending(), pending()];
    second.succeed();
    const module = await second.used;
    first.succeed();
    await first.used;
    expect(await compiled()).toBe(module);
  });

  test("the module of before stands if both of two that are given at once fail", async () => {
    const before = await use(bytes);
    const [first, second] = [pending(), pending()];
    first.fail();
    await expect(first.used).rejects.toMatchObject(refusal);
    second.fail();
    await expect(second.used).rejects.toMatchObject(refusal);
    expect(await compiled()).toBe(before);
  });
});

/** The address of a server whose connections break: at once for `/broken`, in the module for `/cut`. It has no other file. */
async function server(): Promise<string> {
  const started = createServer(({ url }, response) => {
    if (url === "/broken") return response.destroy();
    if (url !== "/cut") return response.writeHead(404).end();
    response.writeHead(200, { "content-length": BYTES.length });
    return response.write(BYTES.subarray(0, 1000), () => response.destroy());
  });
  await new Promise<void>((listening) => started.listen(0, "127.0.0.1", listening));
  onTestFinished(() => void started.close());
  return `http://127.0.0.1:${(started.address() as AddressInfo).port}`;
}

test("an error names the address of a module that cannot be loaded", async () => {
  const host = await server();
  const missing = new URL("missing.wasm", import.meta.url);
  const damaged = Buffer.concat([BYTES.subarray(0, 8), Buffer.alloc(8, 255)]).toString("base64");
  const addresses: Array<string | URL> = [
    `${host}/broken`,
    new URL(`${host}/broken`),
    `${host}/cut`,
    `${host}/missing`,
    "http://127.0.0.1:1/refused",
    "http://",
    missing,
    fileURLToPath(missing),
    "missing.wasm",
    // A folder.
    fileURLToPath(new URL(".", import.meta.url)),
    `data:application/wasm;base64,${damaged}`,
  ];
  for (const address of addresses) {
    const named = String(address).startsWith("file:") ? fileURLToPath(address) : String(address);
    for (const load of [
      () => init({ wasm: address }),
      () => learnerInit({ wasm: address }),
      () => learnerInit({ games: address }),
    ]) {
      const failure: unknown = await load().catch((error: unknown) => error);
      expect(failure).toMatchObject({ ...refusal, message: expect.stringContaining(named) });
    }
  }
  for (const path of ["/missing", "/cut"]) {
    const failure: unknown = await init({ wasm: await fetch(host + path) }).catch((error: unknown) => error);
    expect(failure).toMatchObject({ ...refusal, message: expect.stringContaining(host + path) });
  }
});

test("an empty address is no address, and the error names the option", async () => {
  const refused = (what: string) => ({
    code: "bad-option",
    message: expect.stringMatching(`^${what}: .*not an empty one$`),
  });
  for (const [load, what] of [
    [() => init({ wasm: "" }), "wasm"],
    [() => init({ worker: "" }), "worker"],
    [() => learnerInit({ wasm: "" }), "wasm"],
    [() => learnerInit({ games: "" }), "games"],
    [() => learnerInit({ worker: "" }), "worker"],
  ] as const) {
    await expect(load(), what).rejects.toMatchObject(refused(what));
  }
});

test("what is no module is named with its first bytes, wherever it comes from", async () => {
  const text = new TextEncoder().encode("<!doctype html>");
  for (const [wasm, from] of [
    [text, "the bytes given to init"],
    [new Response(text), "the response given to init"],
    [`data:text/html,${encodeURIComponent("<!doctype html>")}`, "data:text/html,%3C!doctype%20html%3E"],
  ] as const) {
    const message = `${from}: no WebAssembly module; it begins with "<!doctype html>". `;
    await expect(init({ wasm })).rejects.toMatchObject({ ...refusal, message: expect.stringContaining(message) });
  }
});

test("a runtime that compiles no bytes, such as workerd, is told to import the file", () => {
  const refused = new WebAssembly.CompileError("WebAssembly.compile(): Wasm code generation disallowed by embedder");
  expect(loadFailed(refused)).toMatchObject({
    code: "wasm-failed",
    message: expect.stringContaining("import the file"),
  });
});
