/** Runs on a graphics card beside runs on the CPU, in a page or in a worker, over the built package without a bundler. */

import { describe, wallop } from "/package/dist/index.js";
import { Policy, Trainer } from "/package/dist/learn.js";

/** The devices that were opened, the last one last. */
const devices = [];

if ("GPUAdapter" in globalThis) {
  const request = GPUAdapter.prototype.requestDevice;
  GPUAdapter.prototype.requestDevice = async function (...args) {
    const device = await request.apply(this, args);
    devices.push(device);
    return device;
  };
}

const create = (options) => Trainer.create({ rom: wallop, ...options });

/** The refusal of a promise: its code and its message. */
const refusalOf = (promise) =>
  promise.then(
    () => "fulfilled",
    (error) => ({ code: error.code, message: error.message }),
  );

/** What updates fail with when a run ends so. */
const ENDS = {
  /** Its card is lost: the next update and the one after it. */
  async lost(trainer) {
    devices.at(-1).destroy();
    return [await refusalOf(trainer.update()), await refusalOf(trainer.update())];
  },
  /** It is closed in mid-update. */
  async closed(trainer) {
    const refusal = refusalOf(trainer.update());
    trainer.close();
    return [await refusal];
  },
};

/** The tensors of a file of weights by name. */
function tensorsOf(bytes) {
  const length = Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0, true));
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(8, 8 + length)));
  const tensors = Object.entries(header).filter(([name]) => name !== "__metadata__");
  const data = bytes.slice(8 + length);
  return new Map(tensors.map(([name, tensor]) => [name, new Float32Array(data.slice(...tensor.data_offsets).buffer)]));
}

/** The norm of a difference by the norm of what is expected. */
function errorOf(found, expected) {
  const norm = (values) => Math.sqrt(values.reduce((sum, value) => sum + value * value, 0));
  const difference = norm(Float64Array.from(found, (value, at) => value - expected[at]));
  return difference === 0 ? 0 : difference / norm(Float64Array.from(expected));
}

/** The change of each tensor in one update, what the update reports, and what the updates after it fail with. */
async function changeIn(options, end) {
  const trainer = await create(options);
  const before = tensorsOf(trainer.weights());
  const update = await trainer.update();
  const after = tensorsOf(trainer.weights());
  const refusals = end === undefined ? [] : await ENDS[end](trainer);
  trainer.close();
  const changes = [...before].map(([name, values]) => [
    name,
    Float64Array.from(values, (value, at) => after.get(name)[at] - value),
  ]);
  return { update, changes: new Map(changes), refusals };
}

/** How far the change of each tensor in an update on a card is from that on the CPU, and of all of them together; and the reports of both. */
function compared(cpu, gpu) {
  const all = ({ changes }) => [...changes.values()].flatMap((change) => [...change]);
  const tensors = [...cpu.changes].map(([name, expected]) => [name, errorOf(gpu.changes.get(name), expected)]);
  return {
    tensors: Object.fromEntries(tensors),
    whole: errorOf(all(gpu), all(cpu)),
    reports: [cpu.update, gpu.update],
    refusals: gpu.refusals,
  };
}

/** {@link compared} for a run, and what its updates fail with after `end` of it on the card: `lost` or `closed`. */
export async function differences(options, end) {
  return compared(await changeIn(options), await changeIn({ ...options, device: "gpu" }, end));
}

/**
 * As {@link differences}, with the run on the card in a worker and its games in workers of that one; the answers that were awaited while games
 * played, as {@link noteRollout} notes them; and what the same update is {@link withoutTurns}, in this thread.
 */
export async function turns(options, end) {
  const cpu = await changeIn(options);
  const { noted, ...gpu } = await inWorker({ ...options, device: "gpu", workers: 2 }, end);
  const expected = await withoutTurns(options, noted.workers);
  return { ...compared(cpu, gpu), awaited: noted.awaited, expected };
}

/** The weights after each update, and what computed it. */
export async function run(options, count) {
  const trainer = await create(options);
  const [weights, processors] = [[], []];
  for (let update = 0; update < count; update++) {
    const { weights: checksum, processor } = await trainer.update();
    weights.push(checksum);
    processors.push(processor);
  }
  trainer.close();
  return { weights, processors };
}

/** Calls {@link notedChange} in a worker. */
async function inWorker(options, end) {
  const worker = new Worker("/tests/package/card-worker.js", { type: "module" });
  try {
    return await new Promise((resolve, reject) => {
      worker.onmessage = ({ data }) => resolve(data);
      worker.onerror = ({ message }) => reject(new Error(message));
      worker.postMessage([options, end]);
    });
  } finally {
    worker.terminate();
  }
}

/** From now on software is taken for a card, as far as pages can tell. */
export function pretendHardware() {
  Object.defineProperty(GPUAdapterInfo.prototype, "isFallbackAdapter", { get: () => false });
}

/** From now on there is no adapter. */
export function hideAdapters() {
  GPU.prototype.requestAdapter = () => Promise.resolve(null);
}

/** From now on no adapter gives a device. */
export function refuseDevices() {
  GPUAdapter.prototype.requestDevice = () => Promise.reject(new DOMException("no device today", "OperationError"));
}

/** Destroys the device that was opened last with its `count`-th submission from now on. */
function destroyAt(count) {
  const submit = GPUQueue.prototype.submit;
  let submissions = 0;
  GPUQueue.prototype.submit = function (...args) {
    submissions += 1;
    if (submissions === count) {
      GPUQueue.prototype.submit = submit;
      devices.at(-1).destroy();
    }
    return submit.apply(this, args);
  };
}

/**
 * A run whose card is lost in the second update: before it if `submission` is null, or with that submission. Gives what computed each of three updates,
 * with the weights after it, and the weights of runs on the CPU that go on after the first and the second.
 */
export async function lost(options, submission) {
  const trainer = await create(options);
  const checkpoints = [];
  const updates = [];
  for (let number = 1; number <= 3; number++) {
    if (number === 2) {
      if (submission === null) devices.at(-1).destroy();
      else destroyAt(submission);
    }
    const { weights, processor } = await trainer.update();
    updates.push({ weights, processor });
    checkpoints.push(await trainer.checkpoint());
  }
  trainer.close();
  const later = [];
  for (const resume of checkpoints.slice(0, 2)) {
    const resumed = await create({ resume });
    later.push((await resumed.update()).weights);
    resumed.close();
  }
  return { updates, later };
}

/** A run that was begun, and its checkpoint. */
let begun;

/** Begins a run for {@link goOn}, and gives what its first update says of the processor. */
export async function begin(options) {
  const trainer = await create(options);
  const { processor } = await trainer.update();
  begun = { trainer, checkpoint: await trainer.checkpoint() };
  return processor;
}

/** The next update of the run that was begun, and that of a run on the CPU that goes on from the same state. */
export async function goOn() {
  const { trainer, checkpoint } = begun;
  const { weights, processor } = await trainer.update();
  trainer.close();
  const resumed = await create({ resume: checkpoint });
  const { weights: later } = await resumed.update();
  resumed.close();
  return { weights, processor, later };
}

/** Whether the page has read the module of graphics cards. */
export function hasRead() {
  return performance.getEntriesByType("resource").some(({ name }) => name.endsWith("gym2600_learn_gpu_bg.wasm"));
}

/** What computes a trainer's nets when it has been created. */
export async function processor(options) {
  const trainer = await create(options);
  trainer.close();
  return trainer.processor;
}

/** What creating a trainer fails with. */
export function refused(options) {
  return refusalOf(create(options));
}

/**
 * Notes the first rollout of the workers that start from now on: outputs that each of them is given, what its games show before each turn and at the
 * end, and the rollout. The card answers late in it, each time when the games have played that the answer before was for. `awaited` are the
 * answers that were asked for and not given each time that a worker's games had played.
 */
function noteRollout() {
  const workers = [];
  const awaited = [];
  const late = [];
  const { mapAsync } = GPUBuffer.prototype;
  let [asked, given] = [0, 0];
  const turns = () => Math.floor(awaited.length / workers.length);

  async function mapLate(...args) {
    const number = asked++;
    await mapAsync.apply(this, args);
    if (number > turns()) await new Promise((give) => late.push({ number, give }));
    given += 1;
  }

  globalThis.Worker = class extends globalThis.Worker {
    #requests = new Map();
    #noted = { outputs: [], shown: [] };

    constructor(...args) {
      super(...args);
      workers.push(this.#noted);
      this.addEventListener("message", ({ data }) => this.#answered(this.#requests.get(data.id), data.result));
    }

    postMessage(message, ...rest) {
      this.#requests.set(message.id, message.type);
      if (this.#noted.rollout === undefined) {
        if (message.type === "begin") GPUBuffer.prototype.mapAsync = mapLate;
        if (message.type === "advance") this.#noted.outputs.push(message.outputs.slice());
        if (message.type === "play") GPUBuffer.prototype.mapAsync = mapAsync;
      }
      super.postMessage(message, ...rest);
    }

    #answered(type, result) {
      if (this.#noted.rollout !== undefined) return;
      if (type === "begin") this.#noted.shown.push(...result);
      if (type === "play") this.#noted.rollout = result;
      if (type !== "advance") return;
      this.#noted.shown.push(result);
      awaited.push(asked - given);
      for (const { number, give } of late) if (number <= turns()) give();
    }
  };
  return { workers, awaited };
}

/** {@link changeIn} with the rollout of its first update, for a worker. */
export async function notedChange(options, end) {
  const noted = noteRollout();
  return { ...(await changeIn(options, end)), noted };
}

const joined = (Kind, parts) => Kind.from(parts.flatMap((part) => [...part]));

/** Both of the learner's modules, without the package. */
async function modules() {
  const learner = await import("/package/wasm-learn/gym2600_learn.js");
  const card = await import("/package/wasm-learn-gpu/gym2600_learn_gpu.js");
  await learner.default({ module_or_path: "/package/wasm-learn/gym2600_learn_bg.wasm" });
  await card.default({ module_or_path: "/package/wasm-learn-gpu/gym2600_learn_gpu_bg.wasm" });
  return { ...learner, ...card };
}

/** The learner's and the card's modules with a run's weights, and the description of its games. Closes the run. */
async function openedFor(trainer) {
  const { WasmLearner, WasmCard } = await modules();
  const { environment } = trainer;
  const checkpoint = await trainer.checkpoint();
  trainer.close();
  const description = await describe({ rom: wallop, ...environment });
  const { spec, rom, md5, actions, observation, givesRewards } = description;
  const { wrappers, seeding, maxFramesPerEpisode } = spec;
  const traits = { rom, md5, actions, observation, wrappers, seeding, maxFramesPerEpisode, givesRewards };
  const learner = new WasmLearner({ traits: () => traits }, {}, checkpoint);
  const card = await WasmCard.open(learner.cardWork(), true);
  card.begin(learner.parameters(), learner.moments(false), learner.moments(true));
  return { learner, card, description };
}

/** How far logits and values of a new run's net on a card are from those of a policy on the CPU, for random observations, one of each game. */
export async function outputs(options) {
  const trainer = await create(options);
  const policy = await Policy.load(trainer.weights());
  const { numEnvs: games } = trainer.config;
  const { card, description } = await openedFor(trainer);
  const { shape } = description.observation;
  const frames = shape[0];
  const size = shape.reduce((product, axis) => product * axis);
  const pictures = crypto.getRandomValues(new Uint8Array(games * size));
  const counts = new Uint32Array(games).fill(frames);
  const stacks = Uint32Array.from({ length: games * frames }, (_, at) => at % frames);
  const found = await card.outputs(0, pictures, counts, stacks);
  const [logits, values, expectedLogits, expectedValues] = [[], [], [], []];
  for (let game = 0; game < games; game++) {
    const decision = policy.act(pictures.slice(game * size, (game + 1) * size), { shape });
    const row = found.slice((game * found.length) / games);
    logits.push(...row.slice(0, decision.logits.length));
    values.push(row[decision.logits.length]);
    expectedLogits.push(...decision.logits);
    expectedValues.push(decision.value);
  }
  card.free();
  return { logits: errorOf(logits, expectedLogits), values: errorOf(values, expectedValues) };
}

/** A first update on a card without turns: each step of all games that workers played is one call. Gives the outputs that differ, and the weights. */
async function withoutTurns(options, workers) {
  const trainer = await create(options);
  const { hyperParameters } = trainer.config;
  const { learner, card } = await openedFor(trainer);
  let differing = 0;
  for (let step = 0; step <= hyperParameters.rollout; step++) {
    const both = (of) => [2 * step, 2 * step + 1].flatMap((turn) => workers.map((worker) => of(worker, turn)));
    const shown = (name, Kind) =>
      joined(
        Kind,
        both(({ shown }, turn) => shown[turn][name]),
      );
    const parts = [shown("pictures", Uint8Array), shown("counts", Uint32Array), shown("stacks", Uint32Array)];
    const outputs = await card.outputs(0, ...parts);
    const given = joined(
      Float32Array,
      both(({ outputs }, turn) => outputs[turn]),
    );
    const bits = [outputs, given].map(({ buffer }) => new Uint32Array(buffer));
    if (bits[0].length !== bits[1].length) throw new Error("another number of outputs");
    differing += bits[0].filter((word, at) => word !== bits[1][at]).length;
  }
  const rollout = (name, Kind) =>
    joined(
      Kind,
      workers.map((worker) => worker.rollout[name]),
    );
  learner.begin(
    rollout("advantages", Float32Array),
    rollout("values", Float32Array),
    rollout("episodes", Float64Array),
  );
  card.setSteps(learner.cardSteps(rollout("steps", Uint32Array)));
  for (let epoch = 0; epoch < hyperParameters.epochs; epoch++) {
    for (let minibatch = 0; minibatch < hyperParameters.minibatches; minibatch++) {
      card.step(learner.cardSamples(epoch, minibatch), learner.cardSettings(epoch, minibatch));
    }
  }
  await card.finish();
  learner.take(card.parameters(), card.first(), card.second(), card.totals());
  learner.finish();
  return { differing, weights: (learner.checksum() >>> 0).toString(16).padStart(8, "0") };
}
