/**
 * Atari 2600 reinforcement-learning environments for the browser and Node.
 *
 * {@link Game} is an environment in this thread, {@link GameWorker} one in a worker, {@link VectorEnv} a batch, {@link Arcade}
 * ALE's interface. {@link wallop} is a game to start with.
 *
 * @module gym2600
 */

import { setPlatform } from "./platform.js";
import { browser } from "./platform-browser.js";

export * from "./public.js";

setPlatform(browser);
