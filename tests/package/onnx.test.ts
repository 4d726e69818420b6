/** The page of docs/learning.md: our ONNX file under onnxruntime-web takes the actions that `Policy` takes. */

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Game, wallop } from "gym2600";
import { Policy, Trainer } from "gym2600/learn";
import { expect, test } from "vitest";
import { HANG_MS } from "../limits.js";
import { launch, serve } from "./chromium.js";
import { blockOf } from "./documents.js";
import { PACKAGE, ROOT, seedOfTheDay } from "./support.js";

/** The page as the document has it. */
const DOCUMENTED = `<!doctype html>${blockOf("docs/learning.md", "html")}`;

async function greedy(weights: Uint8Array): Promise<number[]> {
  const policy = await Policy.load(weights);
  // The environment of the training, in which the page has to play.
  const environment = await policy.environment(wallop);
  const game = await Game.create({ rom: wallop, ...environment, autoreset: "disabled", seed: 1 });
  const { shape } = game.observationSpace;
  let observation = game.reset().observation as Uint8Array;
  const actions: number[] = [];
  while (actions.length < 200) {
    const { action } = policy.act(observation, { shape });
    const result = game.step(action);
    actions.push(action);
    const ended = result.terminated || result.truncated;
    observation = (ended ? game.reset() : result).observation as Uint8Array;
  }
  game.close();
  return actions;
}

test("the ONNX file takes the policy's actions in a page", async () => {
  const trainer = await Trainer.create({
    rom: wallop,
    workers: 0,
    numEnvs: 8,
    seed: seedOfTheDay(),
    // Big steps lead far from the first weights.
    hyperParameters: { rollout: 32, minibatches: 4, learning_rate: 0.003 },
  });
  for (let update = 0; update < 2; update++) await trainer.update();
  const [weights, onnx] = [trainer.weights(), trainer.onnx()];
  trainer.close();
  const server = await serve(async (path) => {
    if (path === "/") return Buffer.from(DOCUMENTED);
    if (path === "/wallop.onnx") return onnx;
    const [, folder, name = ""] = /^\/(gym2600|onnxruntime-web)\/([\w./-]+)$/.exec(path) ?? [];
    if (folder === undefined) throw new Error(path);
    return readFile(join(folder === "gym2600" ? PACKAGE : join(ROOT, "node_modules/onnxruntime-web"), name));
  });
  const browser = await launch();
  try {
    const page = await browser.newPage();
    const errors: unknown[] = [];
    page.on("pageerror", (error) => errors.push(error));
    const told = page.waitForEvent("console", {
      predicate: (message) => message.text().startsWith("["),
      timeout: HANG_MS,
    });
    await page.goto(server.address);
    const actions = JSON.parse((await told).text()) as number[];
    expect(errors).toEqual([]);
    expect(actions).toEqual(await greedy(weights));
  } finally {
    await browser.close();
    server.close();
  }
});
