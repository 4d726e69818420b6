/** A policy without games: vitest gives each file modules of its own, so that no other test has loaded the games' module. */

import { expect, it, vi } from "vitest";
import { Policy } from "../src/learn/index-node.js";
import { setFiles } from "../src/platform.js";
import { node } from "../src/platform-node.js";
import { wallop } from "../src/wallop.js";

/** Weights of zeros as CleanRL names them, for WALLOP's four actions and the net `tiny`. */
function zeros(): Uint8Array {
  const shapes: Record<string, number[]> = {
    "network.0.weight": [8, 4, 8, 8],
    "network.0.bias": [8],
    "network.2.weight": [16, 8, 4, 4],
    "network.2.bias": [16],
    "network.5.weight": [128, 1296],
    "network.5.bias": [128],
    "actor.weight": [4, 128],
    "actor.bias": [4],
    "critic.weight": [1, 128],
    "critic.bias": [1],
  };
  let end = 0;
  const tensors = Object.entries(shapes).map(([name, shape]) => {
    const start = end;
    end += 4 * shape.reduce((product, size) => product * size, 1);
    return [name, { dtype: "F32", shape, data_offsets: [start, end] }] as const;
  });
  const header = Buffer.from(JSON.stringify(Object.fromEntries(tensors)));
  const length = new BigUint64Array([BigInt(header.length)]);
  return Buffer.concat([new Uint8Array(length.buffer), header, new Uint8Array(end)]);
}

it("loads the games' module for the environment alone", async () => {
  const readModule = vi.fn(node.readModule);
  setFiles({ ...node, readModule });
  const policy = await Policy.load(zeros());
  expect(policy.act(new Uint8Array(4 * 84 * 84), { shape: [4, 84, 84] }).logits).toEqual(new Float32Array(4));
  expect(policy.onnx().length).toBeGreaterThan(10_000);
  expect(readModule).not.toHaveBeenCalled();
  expect((await policy.environment(wallop)).wrappers?.length).toBeGreaterThan(1);
  expect(readModule).toHaveBeenCalledOnce();
  policy.close();
});
