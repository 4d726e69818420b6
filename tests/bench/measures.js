/**
 * The measurements of the npm package, for Node and browsers.
 *
 * tests/bench/native documents requests and answers and takes the native measurements. Workers and the growth of
 * WebAssembly memory are measured only here.
 */

/** The measured preset: that of AtariVectorEnv, the reference. */
const PRESET = "ale-vector";
/** A preset whose reset is ALE's, without random starts. */
const PLAIN_RESET = "labml";
/** Steps after which a program is compiled. */
const COMPILED_AFTER = 2000;
/** Steps of a game before its memory is measured. */
const STEPS_OF_MEMORY = 100;
/** Milliseconds of pause after the module is compiled, while the compiler threads end. In a longer pause processors would go to sleep. */
const REST = 100;
/** Steps between two measured resets, so that each starts from another state. */
const STEPS_BETWEEN = 30;

/** The memory of the module in this thread, found when it is instantiated. */
let memory;
const instantiate = WebAssembly.instantiate;
WebAssembly.instantiate = async (...given) => {
  const instance = await instantiate(...given);
  memory = instance.exports.memory;
  return instance;
};

/** Numbers below a count, the same for every competitor, drawn before the measurement. */
export function newDraws() {
  let state = 1;
  const numbers = Uint16Array.from({ length: 1 << 16 }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state >>> 16;
  });
  let next = 0;
  return (count) => numbers[next++ & 0xffff] % count;
}

/** Plays `subject` for `count` or for `seconds`. `play` adds to the sum that it is given, at once or by a promise. */
export async function played(subject, { count, seconds = 0 }) {
  const sum = { done: 0, reward: 0, episodes: 0 };
  const enough = count === undefined ? () => elapsed(begin) >= seconds : () => sum.done >= count;
  const begin = performance.now();
  while (!enough()) {
    const promise = subject.play(sum);
    if (promise !== undefined) await promise;
  }
  return { ...sum, seconds: elapsed(begin) };
}

/** Seconds since `begin`. */
export function elapsed(begin) {
  return (performance.now() - begin) / 1000;
}

/** Keeps the last subject, so that a measurement can be taken in slices. */
export function measurer(make, measureOnce = {}) {
  let ready;
  return async ({ count, seconds, ...target }, rom) => {
    const once = measureOnce[target.measure];
    if (once !== undefined) return once(rom, count ?? 1, target);
    const key = JSON.stringify(target);
    if (ready?.key !== key) {
      await ready?.subject.close();
      ready = undefined;
      ready = { key, subject: await make(target, rom) };
    }
    return played(ready.subject, { count, seconds });
  };
}

/** A measurer of the package, whose modules are the arguments. */
export function packageMeasurer({ Arcade, Game, GameWorker, VectorEnv }, { Trainer }) {
  const options = (rom) => ({ rom, preset: PRESET, seed: 0 });
  const subjects = {
    frames: (target, rom) => bareConsole(target, rom, true),
    hidden: (target, rom) => bareConsole(target, rom, false),
    steps: async (_target, rom) => oneGame(await Game.create(options(rom))),
    worker: async (_target, rom) => inWorkers([await GameWorker.create(options(rom))]),
    workers2: async (_target, rom) =>
      inWorkers([await GameWorker.create(options(rom)), await GameWorker.create({ ...options(rom), seed: 1 })]),
    train: async ({ algorithm, net, envs: numEnvs, settings: hyperParameters, workers = 0 }, rom) =>
      run(await Trainer.create({ rom, algorithm, net, numEnvs, hyperParameters, workers, seed: 0 })),
    vector: async ({ envs: numEnvs, workers = 0 }, rom) =>
      batch(await VectorEnv.create({ ...options(rom), numEnvs, workers })),
  };
  const make = ({ measure, ...target }, rom) => {
    if (!Object.hasOwn(subjects, measure)) throw new Error(`${JSON.stringify(measure)} is no measurement`);
    return subjects[measure](target, rom);
  };

  /** Compiles the module, if it is not yet. */
  async function compiled() {
    // The ROM is unknown, so this fails after the module is compiled.
    await Game.create({ rom: new Uint8Array(2048) }).catch(() => undefined);
  }

  async function bareConsole({ actions }, rom, seen) {
    const arcade = await Arcade.create({ rom, seed: 0, repeatActionProbability: 0 });
    arcade.resetGame();
    const draw = newDraws();
    const screen = arcade.screen();
    return {
      play(sum) {
        sum.reward += arcade.act(actions[draw(actions.length)]);
        if (seen) arcade.screen(screen);
        sum.done++;
        if (arcade.gameOver) {
          sum.episodes++;
          arcade.resetGame();
        }
      },
      close: () => arcade.close(),
    };
  }

  async function startup(rom, count) {
    if (memory === undefined) {
      await compiled();
      await new Promise((rested) => setTimeout(rested, REST));
    }
    const values = [];
    for (let time = 0; time < count; time++) {
      const begin = performance.now();
      const game = await Game.create(options(rom));
      game.reset();
      values.push(elapsed(begin));
      game.close();
    }
    return { values };
  }

  async function reset(rom, count) {
    const game = await Game.create({ ...options(rom), preset: PLAIN_RESET });
    const { observation: into } = game.reset();
    const draw = newDraws();
    const times = { first: [], again: [] };
    for (let time = 0; time < count; time++) {
      for (let step = 0; step < STEPS_BETWEEN; step++) game.step(draw(game.actionSpace.n), { into });
      const state = game.save();
      for (const values of [times.first, times.again]) {
        game.restore(state);
        const begin = performance.now();
        game.reset({ into });
        values.push(elapsed(begin));
      }
    }
    game.close();
    return times;
  }

  async function memoryOfGames(rom) {
    await compiled();
    const games = [];
    const another = async (steps) => {
      const subject = oneGame(await Game.create(options(rom)));
      games.push(subject);
      await played(subject, { count: steps });
    };
    // Each new game asks whether 32 MB are free (crates/wasm/src/room.rs), so the memory grows by so much at a time. Measured is from one growth to the next.
    const untilGrown = async () => {
      const before = { games: games.length, bytes: memory.buffer.byteLength };
      while (memory.buffer.byteLength === before.bytes) await another(STEPS_OF_MEMORY);
      return (memory.buffer.byteLength - before.bytes) / (games.length - before.games);
    };
    await another(COMPILED_AFTER);
    await untilGrown();
    const bytes = await untilGrown();
    for (const game of games) game.close();
    return { bytes };
  }

  /** Growth of the memory over many steps, after the program is compiled. */
  async function growth(rom, count) {
    await compiled();
    const subject = oneGame(await Game.create(options(rom)));
    await played(subject, { count: Math.max(COMPILED_AFTER, Math.ceil(count / 100)) });
    const before = memory.buffer.byteLength;
    const { done, episodes } = await played(subject, { count });
    const bytes = memory.buffer.byteLength - before;
    subject.close();
    return { done, episodes, before, bytes };
  }

  return measurer(make, { startup, reset, memory: memoryOfGames, growth });
}

function counted(sum, { reward, terminated, truncated }) {
  sum.done++;
  sum.reward += reward;
  if (terminated || truncated) sum.episodes++;
}

function oneGame(game) {
  const { observation: into } = game.reset();
  const draw = newDraws();
  return {
    play(sum) {
      counted(sum, game.step(draw(game.actionSpace.n), { into }));
    },
    close: () => game.close(),
  };
}

/** A game in each worker. A step sends to all of them, then awaits all. */
async function inWorkers(workers) {
  await Promise.all(workers.map((worker) => worker.reset()));
  const draw = newDraws();
  return {
    async play(sum) {
      const results = await Promise.all(workers.map((worker) => worker.step(draw(worker.actionSpace.n))));
      for (const [index, result] of results.entries()) {
        counted(sum, result);
        workers[index].recycle(result.observation);
      }
    },
    close: () => Promise.all(workers.map((worker) => worker.close())),
  };
}

/** A run that learns. */
function run(trainer) {
  return {
    async play(sum) {
      const before = trainer.steps;
      const { steps, reward, episodes } = await trainer.update();
      sum.done += steps - before;
      sum.reward = reward ?? 0;
      sum.episodes = episodes;
    },
    close: () => trainer.close(),
  };
}

async function batch(envs) {
  envs.recycle((await envs.reset()).observations);
  const draw = newDraws();
  const actions = new Array(envs.numEnvs).fill(0);
  const { n } = envs.singleActionSpace;
  return {
    async play(sum) {
      for (let lane = 0; lane < actions.length; lane++) actions[lane] = draw(n);
      const { observations, rewards, terminated, truncated } = await envs.step(actions);
      envs.recycle(observations);
      for (let lane = 0; lane < actions.length; lane++) {
        sum.reward += rewards[lane];
        sum.episodes += terminated[lane] | truncated[lane];
      }
      sum.done += actions.length;
    },
    close: () => envs.close(),
  };
}
