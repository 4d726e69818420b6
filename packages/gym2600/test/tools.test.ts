import {
  actionOf,
  type BatchEnvironment,
  Box,
  benchmark,
  checkEnv,
  Discrete,
  Game,
  GameWorker,
  type Observation,
  type PlayOptions,
  type PresetName,
  play,
  type SingleEnvironment,
  type StepResult,
  wallop,
} from "gym2600";
import { type GifOptions, GifWriter } from "gym2600/record";
import { afterEach, expect, test, vi } from "vitest";
import { codeOf, wrong } from "./code-of.js";
import { digest } from "./digest.js";
import { create } from "./lanes.js";

const OPTIONS = { rom: wallop, preset: "gym2600", seed: 0 } as const;

test.for(["gym2600", "labml", "nature-dqn", "gymnasium", "ale-vector", "envpool", "baselines"] as const)(
  "a %s keeps the rules, here, in a worker and in batches",
  async (preset: PresetName) => {
    await checkEnv(await Game.create({ ...OPTIONS, preset }), { steps: 60 });
    await checkEnv(await GameWorker.create({ ...OPTIONS, preset }), { steps: 30 });
    for (const workers of [0, 2]) await checkEnv(await create({ preset, workers }), { steps: 30, seed: 7 });
  },
);

test("environments with RAM, floats and pictures keep the rules", async () => {
  await checkEnv(await Game.create({ rom: wallop, wrappers: [], observation: "ram" }), { steps: 50 });
  await checkEnv(await Game.create({ rom: wallop, wrappers: [] }), { steps: 20 });
  const wrappers = ["SkipFrames", "ImagePreprocessing", "QueueFrames", "ScaledFloat"] as const;
  await checkEnv(await Game.create({ rom: wallop, wrappers }), { steps: 50 });
});

/** A wrapper that breaks a rule. */
async function broken(wrong: (game: Game) => Partial<SingleEnvironment>): Promise<SingleEnvironment> {
  const game = await Game.create(OPTIONS);
  const sound: SingleEnvironment = {
    observationSpace: game.observationSpace,
    actionSpace: game.actionSpace,
    description: game.description,
    reset: (options) => game.reset(options),
    step: (action) => game.step(action),
    close: () => game.close(),
  };
  return { ...sound, ...wrong(game) };
}

/** A step with a wrong result. */
function step(change: (result: StepResult) => object): (game: Game) => Partial<SingleEnvironment> {
  return (game) => ({ step: (action) => ({ ...game.step(action), ...change(game.step(action)) }) as StepResult });
}

test("a wrapper that changes nothing keeps the rules", async () => {
  await expect(checkEnv(await broken(() => ({})), { steps: 50 })).resolves.toBeUndefined();
});

let calls = 0;
let shared: Observation | undefined;
test.for<readonly [string, (game: Game) => Partial<SingleEnvironment>, RegExp]>([
  ["a reward that is no number", step(() => ({ reward: Number.NaN })), /reward is NaN.*step 1/],
  ["no reward", step(() => ({ reward: undefined })), /reward is undefined/],
  ["a flag that is a number", step(() => ({ terminated: 0 })), /terminated is 0/],
  ["no flag", step(() => ({ truncated: undefined })), /truncated is undefined/],
  ["an observation of another size", step(({ observation }) => ({ observation: observation.slice(1) })), /28223.*Box/],
  ["an observation of another type", step(() => ({ observation: new Float32Array(28224) })), /Float32Array.*uint8/],
  ["no observation", step(() => ({ observation: undefined })), /observation.*not in/],
  ["no info", step(() => ({ info: null })), /info is null/],
  ["results that no seed decides", step(() => ({ reward: calls++ })), /same seed.*step 1$/],
  [
    "results that change later",
    (game) => ({
      step: (action) => {
        const result = game.step(action);
        shared ??= new Uint8Array(result.observation.length);
        shared.set(result.observation);
        return { ...result, observation: shared };
      },
    }),
    /changes after it was given/,
  ],
  [
    "a step before the first reset",
    (game) => ({ description: game.reset() && game.description }),
    /before the first reset/,
  ],
  [
    "actions out of range",
    (game) => ({ step: (action) => game.step(Math.max(0, action | 0) % 3) }),
    /before|not in the action/,
  ],
  ["a step after close", () => ({ close: () => undefined }), /after close/],
  ["no space of actions", () => ({ actionSpace: { n: 3 } }) as never, /actionSpace has no method sample/],
  ["a reset that gives an array", (game) => ({ reset: () => game.reset().observation as never }), /observation.*reset/],
])("%s is caught", async ([, wrong, message]) => {
  const env = await broken(wrong);
  await expect(checkEnv(env, { steps: 20 })).rejects.toMatchObject({
    code: "bad-env",
    message: expect.stringMatching(message),
  });
  await env.close();
});

test("a broken batch is caught", async () => {
  for (const [change, message] of [
    [{ rewards: new Float64Array(2) }, /rewards has 2 places for 3 environments/],
    [{ terminated: [0, 0, 2] }, /terminated is 2/],
    [{ infos: [{ lives: 0 }] }, /infos has 1 places/],
    [{ observations: new Uint8Array(3) }, /Uint8Array of 3.*not in/],
  ] as const) {
    const envs = await create();
    const wrapped: BatchEnvironment = {
      numEnvs: 3,
      observationSpace: envs.observationSpace,
      actionSpace: envs.actionSpace,
      reset: (options) => envs.reset(options),
      step: async (actions) => ({ ...(await envs.step(actions)), ...change }) as never,
      close: () => envs.close(),
    };
    await expect(checkEnv(wrapped)).rejects.toMatchObject({ code: "bad-env", message: expect.stringMatching(message) });
  }
});

test("a benchmark counts the steps of all environments, frames and episodes", async () => {
  const game = await Game.create(OPTIONS);
  const one = await benchmark(game, { steps: 600 });
  expect(one.steps).toBe(600);
  expect(one.episodes).toBeGreaterThan(0);
  expect(one.stepsPerSecond).toBeCloseTo(600 / one.seconds);
  expect(one.framesPerSecond).toBeCloseTo(4 * one.stepsPerSecond);
  game.step(0);
  game.close();
  const envs = await create({ workers: 2 });
  expect((await benchmark(envs, { steps: 90 })).steps).toBe(90);
  expect((await benchmark(envs, { seconds: 0.05 })).seconds).toBeGreaterThanOrEqual(0.05);
  await expect(benchmark(envs, { steps: 0 })).rejects.toMatchObject({ code: "bad-option" });
});

test("keys become the action with the most of them", () => {
  const all = ["NOOP", "FIRE", "UP", "RIGHT", "LEFT", "DOWN", "UPRIGHT", "UPFIRE", "UPRIGHTFIRE"];
  for (const [pressed, action] of [
    [[], "NOOP"],
    [["UP"], "UP"],
    [["FIRE", "UP"], "UPFIRE"],
    [["RIGHT", "FIRE", "UP"], "UPRIGHTFIRE"],
    [["UPFIRE"], "UPFIRE"],
    [["UPFIRE", "RIGHT"], "UPRIGHTFIRE"],
    [["DOWN", "FIRE"], "FIRE"],
  ] as const) {
    expect(all[actionOf(pressed, all)], pressed.join("+")).toBe(action);
  }
  expect(actionOf(["UP", "LEFT"], ["NOOP", "FIRE"])).toBe(0);
});

test("a GIF has 50 pictures a second at most", async () => {
  const picture = { width: 1, height: 1, data: new Uint8Array(4) };
  const delays = (options?: GifOptions) => {
    const gif = new GifWriter(options);
    for (let count = 0; count < 3; count++) gif.add(picture);
    const bytes = Buffer.from(gif.finish());
    const found: number[] = [];
    for (let at = bytes.indexOf("21f904", 0, "hex"); at >= 0; at = bytes.indexOf("21f904", at + 1, "hex"))
      found.push(bytes.readUInt16LE(at + 4));
    return found;
  };
  expect(delays()).toEqual([2, 2, 2]);
  expect(delays({ framesPerSecond: 60 })).toEqual([2, 2, 2]);
  expect(delays({ framesPerSecond: 25 })).toEqual([4, 4, 4]);
});

test("the numbers of an environment of one's own are checked before it is played", async () => {
  const flags = { terminated: [], truncated: [] };
  const env = {
    observationSpace: new Box([1], "uint8"),
    actionSpace: new Discrete(2),
    numEnvs: 0,
    reset: () => ({}),
    step: () => flags,
    close: () => undefined,
  };
  expect(await codeOf(() => benchmark(wrong(env), { steps: 3 }))).toBe("bad-option");
  expect(await codeOf(() => benchmark(wrong({ ...env, numEnvs: "2" }), { steps: 3 }))).toBe("bad-option");
  const single = { ...env, numEnvs: undefined, step: () => null };
  Reflect.deleteProperty(single, "numEnvs");
  expect(await codeOf(() => benchmark(wrong(single), { steps: 3 }))).toBe("bad-option");
  expect(await codeOf(() => benchmark(wrong({ ...single, description: {} }), { steps: 3 }))).toBe("bad-option");
  const odd = { reset: () => ({ observation: Object.assign(Object.create(null), { length: 1 }), info: {} }) };
  const refuses = () => Promise.reject(new Error("before the first reset"));
  expect(await codeOf(() => checkEnv(wrong({ ...single, ...odd, step: refuses })))).toBe("bad-env");
});

afterEach(() => {
  vi.unstubAllGlobals();
});

/** Plays `seconds` of a page whose screen shows 100 pictures a second. No time passes outside of it. */
async function played(env: Game | GameWorker, seconds: number, options: PlayOptions) {
  let now = 5000;
  vi.stubGlobal("requestAnimationFrame", (then: (now: number) => void) => {
    now += 10;
    // The first picture is at 5010, and the last one after the end.
    if (now > 5020 + 1000 * seconds) playing.stop();
    setImmediate(() => then(now));
    return 0;
  });
  const actions: number[] = [];
  const playing = play(env, { ...options, onStep: (_, action) => actions.push(action) });
  await playing.stopped;
  return actions;
}

test.for([
  [1, undefined, 60],
  [4, undefined, 15],
  [1, 30, 30],
] as const)(
  "play shows an agent that skips %i frames at the console's speed, or at %s frames a second",
  async ([n, framesPerSecond, steps]) => {
    const game = await Game.create({ rom: wallop, wrappers: [{ type: "SkipFrames", n }], seed: 3 });
    const seen: unknown[] = [];
    const act = (observation: Observation) => {
      seen.push(digest(observation));
      return seen.length % 4;
    };
    const actions = await played(game, 2, { act, framesPerSecond });
    // One at the start, and then one whenever it is due.
    expect(actions.length).toBe(2 * steps + 1);
    expect(actions).toEqual(actions.map((_, step) => (step + 1) % 4));
    const again = await Game.create({ rom: wallop, wrappers: [{ type: "SkipFrames", n }], seed: 3 });
    const expected = [digest(again.reset().observation)];
    for (const action of actions.slice(0, -1)) expected.push(digest(again.step(action).observation));
    expect(seen).toEqual(expected);
  },
);

test("play resets an agent's game after an episode, and takes promises and a worker without a canvas", async () => {
  const worker = await GameWorker.create({ rom: wallop, wrappers: [{ type: "TimeLimit", steps: 10 }] });
  const reset = vi.spyOn(worker, "reset");
  expect((await played(worker, 1, { act: async () => 1 })).length).toBe(61);
  expect(reset).toHaveBeenCalledTimes(7);
  await worker.close();
});

test("play takes keys or an agent", async () => {
  const game = await Game.create({ rom: wallop });
  for (const more of [{ keys: {} }, { keyboard: new EventTarget() }, { act: 5 as never }]) {
    expect(await codeOf(() => play(game, { act: () => 0, ...more }))).toBe("bad-option");
  }
  const failing = play(game, { act: () => Promise.reject(new Error("no idea")) });
  await expect(failing.stopped).rejects.toThrow();
});
