/** `gym2600/tensorboard` outside Node, where there are no files to write: it says so when it is used, and not when a bundler finds it. */

import { Gym2600Error } from "../errors.js";

/** Refuses. */
export class TensorBoardWriter {
  /** @throws Gym2600Error `bad-state` always */
  constructor() {
    throw new Gym2600Error(
      "bad-state",
      "gym2600/tensorboard writes files, which a page cannot: use it in Node, Bun or Deno, and a MemoryWriter of gym2600 here",
    );
  }
}
