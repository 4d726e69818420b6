/**
 * The functions that tests call in a browser. They import the built package without a bundler.
 *
 * Observations are given as their CRC-32, in the form in which the programs print it.
 */

import { Game, GameWorker, play, VectorEnv } from "/package/dist/index.js";
import { checksum } from "/tests/packaging/play.js";

async function romOf(game) {
  return fetch(`/roms/${game}.bin`);
}

function entry({ observation, reward = 0, terminated = false, truncated = false, info }) {
  const { lives } = info;
  // The program prints these two of a game that ended.
  const episode = info.episode ? { reward: info.episode.reward, length: info.episode.length } : null;
  return { reward, terminated, truncated, lives, obs: checksum(observation), episode };
}

/** A rollout in this thread or in a worker, and the state at its end. `reset` starts an episode if the preset does not. */
export async function rollout(place, game, options, actions) {
  const Environment = place === "worker" ? GameWorker : Game;
  const env = await Environment.create({ rom: await romOf(game), ...options });
  const entries = [entry(await env.reset())];
  let mustReset = false;
  for (const action of actions) {
    if (mustReset) await env.reset();
    const result = await env.step(action);
    mustReset = (result.terminated || result.truncated) && !env.description.resetsItself;
    entries.push(entry(result));
    env.recycle?.(result.observation);
  }
  if (mustReset) await env.reset();
  const state = checksum(await env.save());
  await env.close();
  return { entries, state };
}

/** A rollout of several environments, each in a worker. `actions` has a list for each step. */
export async function vectorRollout(game, options, actions) {
  const envs = await VectorEnv.create({ rom: await romOf(game), ...options });
  const size = envs.singleObservationSpace.size;
  const entries = [];
  const tell = ({ observations, rewards, terminated, truncated, infos }) => {
    entries.push(
      infos.map((info, lane) =>
        entry({
          observation: observations.subarray(lane * size, (lane + 1) * size),
          reward: rewards?.[lane],
          terminated: terminated?.[lane] === 1,
          truncated: truncated?.[lane] === 1,
          info,
        }),
      ),
    );
    envs.recycle(observations);
  };
  tell(await envs.reset());
  for (const batch of actions) tell(await envs.step(batch));
  await envs.close();
  return entries;
}

/** Calls `use` with a `GameWorker` and its Web Worker. */
async function withThread(game, use) {
  const post = Worker.prototype.postMessage;
  let thread;
  Worker.prototype.postMessage = function (...args) {
    thread ??= this;
    return post.apply(this, args);
  };
  const worker = await GameWorker.create({ rom: await romOf(game), preset: "labml" });
  Worker.prototype.postMessage = post;
  await worker.reset();
  const told = await use(worker, thread);
  await worker.close();
  return told;
}

const codeOf = (promise) =>
  promise.then(
    () => "fulfilled",
    (error) => error.code,
  );

/** The results of requests whose worker the browser ends. */
export function killedMidStep(game) {
  return withThread(game, async (worker, thread) => {
    // The worker may answer some requests before it ends.
    const steps = Array.from({ length: 2000 }, () => codeOf(worker.step(0)));
    thread.terminate();
    const codes = await Promise.all(steps);
    return [codes.at(-1), await codeOf(worker.step(0))];
  });
}

/** The results of a batch when the browser ends one of its three workers, and after its revival. */
export async function revival(game) {
  const post = Worker.prototype.postMessage;
  const threads = new Set();
  Worker.prototype.postMessage = function (...args) {
    threads.add(this);
    return post.apply(this, args);
  };
  const envs = await VectorEnv.create({ rom: await romOf(game), numEnvs: 3, keepStates: 1 });
  Worker.prototype.postMessage = post;
  await envs.reset();
  const { observations } = await envs.step([1, 1, 1]);
  [...threads][1].terminate();
  const { code, lanes, rest } = await envs.step([1, 1, 1]).catch((error) => error);
  const { envIds, restored, observations: shown } = await envs.revive(1);
  const size = shown.length;
  const same = checksum(shown) === checksum(observations.slice(size, 2 * size));
  const { rewards } = await envs.step([1, 1, 1]);
  await envs.close();
  return { code, lanes, others: [...rest.envIds], envIds: [...envIds], restored, same, count: rewards.length };
}

/** The result of a request whose message cannot be read. */
export function messageError(game) {
  return withThread(game, async (worker, thread) => {
    const step = codeOf(worker.step(0));
    thread.dispatchEvent(new MessageEvent("messageerror"));
    return [await step, await codeOf(worker.step(0))];
  });
}

/**
 * Checksums of all states of the same play in new games of this thread, one after the other, and in a new worker. How many programs this
 * thread compiled meanwhile.
 */
export async function statesAcrossCompiles(game) {
  let compiled = 0;
  WebAssembly.Instance = new Proxy(WebAssembly.Instance, {
    construct(target, args) {
      compiled++;
      return new target(...args);
    },
  });
  const states = async (Environment) => {
    const env = await Environment.create({ rom: await romOf(game), preset: "gym2600", seed: 1 });
    await env.reset();
    const found = [];
    for (let step = 0; step < 150; step++) {
      await env.step(step % env.actionSpace.n);
      found.push(checksum(await env.save()));
    }
    await env.close();
    return found.join();
  };
  const plays = [];
  for (let play = 0; play < 4; play++) plays.push(await states(Game));
  return { plays, worker: await states(GameWorker), compiled };
}

/** Of each definition, the error of a game that is made with it, and the milliseconds that it took. */
export async function definitionErrors(game, definitions) {
  const rom = await (await romOf(game)).arrayBuffer();
  const told = [];
  for (const definition of definitions) {
    const start = performance.now();
    const { code, message } = await Game.create({ rom, game: definition }).catch((error) => error);
    told.push({ code, message, took: performance.now() - start });
  }
  return told;
}

/** The error codes of bad inputs, in this thread and in a worker. */
export async function refusals(game) {
  const rom = await (await romOf(game)).arrayBuffer();
  const unknown = new Uint8Array(rom.slice(0));
  unknown[7] ^= 0xff;
  const codes = [];
  for (const Environment of [Game, GameWorker]) {
    for (const bad of [new Uint8Array(0), new Uint8Array(3072), unknown, await fetch("/roms/none.bin"), "name"]) {
      codes.push(await codeOf(Promise.resolve(Environment.create({ rom: bad }))));
    }
    const env = await Environment.create({ rom, preset: "labml" });
    await env.reset();
    const attempt = async (call) => call();
    codes.push(await codeOf(attempt(() => env.step(99))));
    await env.close();
    codes.push(await codeOf(attempt(() => env.step(0))));
  }
  return codes;
}

/** A canvas of the page, and the side of it that can be given away. */
function newCanvas() {
  const shown = document.createElement("canvas");
  return { shown, offscreen: shown.transferControlToOffscreen() };
}

/** Whether a canvas shows a picture; what a worker paints arrives a few frames later. */
async function shows(canvas, { data, width, height }) {
  for (let attempt = 0; attempt < 300; attempt++) {
    await new Promise((frame) => requestAnimationFrame(frame));
    if (canvas.width !== width || canvas.height !== height) continue;
    const copy = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
    copy.drawImage(canvas, 0, 0);
    const painted = copy.getImageData(0, 0, width, height).data;
    if (painted.every((value, index) => value === data[index])) return true;
  }
  return false;
}

/** Whether the canvases of a worker and of a batch's lanes show what `render` gives, and what else holds of them. */
export async function painted(game) {
  const rom = await (await romOf(game)).arrayBuffer();
  const { shown, offscreen } = newCanvas();
  const worker = await GameWorker.create({ rom, preset: "labml", seed: 3, canvas: offscreen });
  const told = { atStart: await shows(shown, await worker.render()) };
  await worker.reset();
  for (let step = 0; step < 40; step++) await worker.step(step % 3);
  const picture = await worker.render();
  told.isImageData = picture instanceof ImageData;
  told.afterSteps = await shows(shown, picture);
  const state = await worker.save();
  for (let step = 0; step < 60; step++) await worker.step(1, { paint: false });
  told.leftAlone = await shows(shown, picture);
  await worker.paint();
  const later = await worker.render();
  told.differs = later.data.some((value, index) => value !== picture.data[index]);
  told.onDemand = await shows(shown, later);
  await worker.restore(state);
  told.restored = await shows(shown, picture);
  await worker.close();
  const canvases = [newCanvas(), newCanvas(), newCanvas()];
  for (const workers of [0, 2]) {
    const [first, , third] = workers === 0 ? [newCanvas(), undefined, newCanvas()] : canvases;
    const envs = await VectorEnv.create({
      rom,
      numEnvs: 3,
      workers,
      canvases: [first.offscreen, undefined, third.offscreen],
    });
    await envs.reset();
    await envs.stepMany(
      Array.from({ length: 30 }, () => [1, 2, 0]),
      { observations: "last" },
    );
    const pictures = [await envs.render(0), await envs.render(2)];
    told[`batch of ${workers}`] = [await shows(first.shown, pictures[0]), await shows(third.shown, pictures[1])];
    told[`moved twice, ${workers}`] = await codeOf(envs.setCanvas(1, offscreen));
    await envs.close();
  }
  return told;
}

/** Ends the play of `startPlaying`. */
let ending;

/** Plays with the keyboard. `played` has the actions. */
export async function startPlaying(game) {
  const canvas = document.createElement("canvas");
  document.body.append(canvas);
  const env = await Game.create({ rom: await romOf(game), wrappers: [], fullActionSpace: true });
  const start = performance.now();
  const played = { actions: [] };
  const playing = play(env, {
    canvas,
    onStep: (_, action) => played.actions.push(env.description.actions[action]),
  });
  globalThis.played = played;
  ending = async () => {
    const seconds = (performance.now() - start) / 1000;
    const framesASecond = played.actions.length / seconds;
    playing.stop();
    await playing.stopped;
    const shown = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
    const picture = env.render().data;
    const count = played.actions.length;
    await new Promise((later) => setTimeout(later, 50));
    return {
      size: [canvas.width, canvas.height],
      colours: new Set(new Uint32Array(shown.buffer)).size,
      same: shown.every((value, index) => value === picture[index]),
      framesASecond,
      stopped: count === played.actions.length,
    };
  };
}

/** Ends the play and returns what the canvas shows. */
export function endPlaying() {
  return ending();
}
