/**
 * A long run of environments that are created, played and closed one after the other. Nothing of a closed one may stay in memory.
 *
 * The same file runs in Node and in a page. Between parts of a run, node.js and browser.js look at the memory; see report.js.
 */

const PRESETS = ["gym2600", "labml", "nature-dqn", "gymnasium", "ale-vector", "envpool", "baselines"];

/** Steps between two saves, each of which is restored. */
const SAVED = 50;

/** Plays environments number `first` to `first + count`, each for `steps` steps. Gives the number of steps. */
export async function playPart(gym2600, first, count, steps) {
  let played = 0;
  for (let number = first; number < first + count; number++) {
    const kind = KINDS[number % KINDS.length];
    const options = { rom: gym2600.wallop, preset: PRESETS[number % PRESETS.length], seed: number };
    played += await kind(gym2600, options, number, steps);
  }
  return played;
}

const KINDS = [game, arcade, worker, vector];

async function game({ Game }, options, _number, steps) {
  const played = await Game.create(options);
  const into = new Uint8Array(played.observationSpace.size);
  played.reset();
  for (let step = 0; step < steps; step++) {
    const { terminated, truncated } = played.step(step % played.actionSpace.n, { into });
    if ((terminated || truncated) && !played.description.resetsItself) played.reset();
    if (step % SAVED === 0) played.restore(played.save());
  }
  played.close();
  return steps;
}

/** Each plays another program, whose compiled code has to go too. */
async function arcade({ Arcade }, { rom: original, seed }, number, steps) {
  const rom = original.slice();
  // Nothing executes the last bytes before the vectors.
  rom.set([number & 0xff, number >> 8], rom.length - 16);
  const played = await Arcade.create({ rom, seed, game: { rom: "changed" } });
  for (let step = 0; step < steps; step++) {
    played.act(step % 18);
    if (step % SAVED === 0) played.restore(played.save());
  }
  played.close();
  return steps;
}

async function worker({ GameWorker }, options, _number, steps) {
  const played = await GameWorker.create(options);
  await played.reset();
  for (let step = 0; step < steps; step++) {
    const { observation, terminated, truncated } = await played.step(step % played.actionSpace.n);
    played.recycle(observation);
    if ((terminated || truncated) && !played.description.resetsItself) await played.reset();
    if (step % SAVED === 0) await played.restore(await played.save());
  }
  await played.close();
  return steps;
}

async function vector({ VectorEnv }, options, _number, steps) {
  const envs = await VectorEnv.create({
    ...options,
    numEnvs: 4,
    workers: 2,
    autoreset: "next-step",
    keepStates: SAVED,
  });
  await envs.reset();
  const rounds = Math.ceil(steps / 4);
  for (let step = 0; step < rounds; step++) {
    const { observations } = await envs.step(new Array(4).fill(step % envs.singleActionSpace.n));
    envs.recycle(observations);
    if (step % SAVED === 0) await envs.restore(0, await envs.save(0));
  }
  await envs.close();
  return 4 * rounds;
}
