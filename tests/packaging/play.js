/** What every target runs: 200 steps in this thread, in a worker and in a batch over two workers. */

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

/** The CRC-32 of bytes, in the form in which the native program prints it. */
export function checksum(bytes) {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = (crc >>> 8) ^ TABLE[(crc ^ byte) & 0xff];
  return ((crc ^ 0xffffffff) >>> 0).toString(16).padStart(8, "0");
}

/** The actions: each for three steps. */
export const ACTIONS = Array.from({ length: 200 }, (_, step) => Math.floor(step / 3) % 4);

/** The checksum of the checksums of observations. */
export function total(checksums) {
  return checksum(new TextEncoder().encode(checksums.join("\n")));
}

/** Plays in one place and gives the checksum of the observations. */
async function observed(reset, step) {
  const checksums = [checksum(await reset())];
  for (const action of ACTIONS) checksums.push(checksum(await step(action)));
  return total(checksums);
}

/** The checksums of all places. The package's names are looked up at run time: a bundler cannot drop any. */
async function play({ Game, GameWorker, VectorEnv, wallop }, places) {
  const options = { rom: wallop, preset: "labml", seed: 0 };
  const checksums = [];
  const game = await Game.create(options);
  checksums.push(
    await observed(
      () => game.reset().observation,
      (action) => game.step(action).observation,
    ),
  );
  game.close();
  if (places === "thread") return checksums;
  const worker = await GameWorker.create(options);
  checksums.push(
    await observed(
      async () => (await worker.reset()).observation,
      async (action) => (await worker.step(action)).observation,
    ),
  );
  await worker.close();
  const envs = await VectorEnv.create({ ...options, numEnvs: 2, workers: 2, seed: [0, 0] });
  const size = envs.singleObservationSpace.size;
  for (const lane of [0, 1]) {
    const shown = ({ observations }) => observations.slice(lane * size, (lane + 1) * size);
    checksums.push(
      await observed(
        async () => shown(await envs.reset({ seed: [0, 0] })),
        async (action) => shown(await envs.step([action, action])),
      ),
    );
  }
  await envs.close();
  return checksums;
}

/** The weights of a policy after two updates in so many workers. */
export async function trained({ Trainer }, wallop, workers = 2) {
  const wrappers = [
    { type: "SkipFrames", n: 4 },
    { type: "ImagePreprocessing", width: 28, height: 28 },
    { type: "QueueFrames", n: 4 },
  ];
  const hyperParameters = { rollout: 8, minibatches: 2, epochs: 2 };
  const trainer = await Trainer.create({
    rom: wallop,
    numEnvs: 4,
    workers,
    seed: 1,
    options: { wrappers },
    hyperParameters,
  });
  await trainer.update();
  const { weights } = await trainer.update();
  trainer.close();
  return weights;
}

/** `ok` and the checksum that all places gave, or what went wrong. `places` is `"thread"` where there are no workers. */
export function result(gym2600, places = "all") {
  return told(async () => {
    const checksums = new Set(await play(gym2600, places));
    return checksums.size === 1 ? `ok ${[...checksums][0]}` : `different: ${[...checksums].join(", ")}`;
  });
}

/** The result of `run`, or the error that it throws. Every failure of the package has a code. */
async function told(run) {
  try {
    return await run();
  } catch (error) {
    return `${error.code === undefined ? "raw " : ""}${error.name} ${error.code}: ${error.message}`;
  }
}

/** Shows the result of {@link result}. */
export async function report(gym2600) {
  show(await result(gym2600));
}

/** `ok` and the weights of {@link trained}, or what went wrong. */
export function learnerResult(learn, wallop, workers) {
  return told(async () => `ok ${await trained(learn, wallop, workers)}`);
}

/** Shows what a call gives, or what it throws. */
export async function reportCall(run) {
  show(await told(run));
}

/** Shows the result of {@link learnerResult}. */
export async function reportLearner(learn, wallop) {
  show(await learnerResult(learn, wallop));
}

/** Shows a text as the page's title or, without a page, on the standard output. */
function show(text) {
  if (typeof document === "undefined") console.log(text);
  else document.title = text;
}
