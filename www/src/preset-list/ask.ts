/** The list of a preset as the page asks for it. */

import type { WrapperOptions } from "gym2600";
import { startBackground } from "../background/start.js";
import { type Environment, gameOptions } from "../state/setup.js";
import * as store from "../state/store.js";
import type { FromList, ListRequest } from "./protocol.js";

/** The wrappers that an environment has for the open cartridge, by a worker that ends then. */
export function presetList(environment: Environment): Promise<readonly WrapperOptions[]> {
  const { bytes, definition } = store.cartridge.value;
  const setup = { ...store.setup.value, environment, mode: undefined, difficulty: undefined };
  const worker = startBackground();
  return new Promise<readonly WrapperOptions[]>((resolve, reject) => {
    worker.addEventListener("message", ({ data }: MessageEvent<FromList>) => {
      if (data.wrappers === undefined) reject(new Error(data.refusal));
      else resolve(data.wrappers);
    });
    worker.addEventListener("error", ({ message }) => reject(new Error(message || "the worker could not start")));
    worker.postMessage({ list: gameOptions(setup, definition), rom: bytes } satisfies ListRequest);
  }).finally(() => worker.terminate());
}
