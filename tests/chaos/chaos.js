/**
 * Rounds of random calls to vectors and workers whose threads are ended at random moments.
 *
 * A round is determined by its seed, but for the moment at which a thread notices its end. It checks that every promise settles
 * in time, that each failure is a `Gym2600Error` with a code that fits, that dead lanes can be revived, and that lanes go on
 * from there as an undisturbed game does that was restored to the same state.
 *
 * The same file runs in Node and in a page. Both pass in the package, the class `Worker`, and what a saboteur inside a worker
 * (see saboteur-node.js and saboteur-page.js) can do there.
 */

import { missing, newCounts } from "./counts.js";

/** Codes that a call may be rejected with when threads die around it. */
const DIED = ["worker-died", "wasm-failed"];
/** The same for vectors. They refuse calls on lanes whose results were not received. */
const DIED_OR_BUSY = [...DIED, "bad-state"];

/** Milliseconds after which a promise is taken for lost. */
const SETTLE_MS = 5_000;

/** Calls of a vector. */
export const CALLS = ["step", "stepMany", "send", "reset", "save", "restore", "render", "revive"];

const PRESETS = ["gym2600", "labml", "gymnasium", "nature-dqn"];

/** Numbers from a seed: mulberry32. */
function generator(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  const below = (limit) => next() % limit;
  return { below, pick: (list) => list[below(list.length)] };
}

function same(a, b) {
  return a.length === b.length && a.every((value, index) => value === b[index]);
}

/** What a run of rounds has in common. */
export class Chaos {
  /** See counts.js. */
  counts = newCounts();

  #gym2600;
  #sabotages;
  #isWatched;
  #scale;
  #threads = new Set();
  /** Threads that have been ended, or told to end. */
  #ended = new WeakSet();
  /** Kinds of ends that were asked for and that nobody has noticed yet. */
  #unnoticed = [];
  /** Calls that told of a thread's end. */
  #told = 0;
  /** Codes that a call may be rejected with now. */
  #expected = DIED;

  /**
   * @param gym2600 the package
   * @param Worker the class of the platform's workers
   * @param sabotages what a saboteur in a worker does when it is told so
   * @param isWatched whether the platform reports the end of a thread already; where it does not, the package's time limit for the first
   * request would decide (see worker-client.ts)
   * @param scale stretches the time limits on a busy machine
   */
  constructor(gym2600, Worker, sabotages, isWatched, scale = 1) {
    this.#gym2600 = gym2600;
    this.#isWatched = isWatched;
    this.#sabotages = sabotages;
    this.#scale = scale;
    const threads = this.#threads;
    const post = Worker.prototype.postMessage;
    this.#post = post;
    Worker.prototype.postMessage = function (...args) {
      threads.add(this);
      return post.apply(this, args);
    };
  }

  #post;

  /** The threads that were used since the last call. */
  takeThreads() {
    const threads = [...this.#threads];
    this.#threads.clear();
    return threads;
  }

  /** Plays a round. Throws an error that names the seed where something is not as it has to be. */
  async round(seed) {
    const random = generator(seed);
    try {
      if (random.below(4) === 0) await this.#workerRound(random);
      else await this.#vectorRound(random);
      this.#unnoticed = [];
    } catch (error) {
      throw new Error(`round ${seed}: ${error instanceof Error ? error.message : error}`, { cause: error });
    }
    this.counts.rounds++;
  }

  /** What happened too seldom for the number of rounds. */
  missing() {
    return missing(this.counts, ["terminate", ...this.#sabotages]);
  }

  /** Ends one of the threads that live, from outside or from inside. */
  #endOneOf(threads, random) {
    const alive = [...new Set(threads)].filter((thread) => !this.#ended.has(thread));
    if (alive.length === 0) return;
    const thread = random.pick(alive);
    this.#ended.add(thread);
    const kind = random.pick(["terminate", ...this.#sabotages]);
    this.#unnoticed.push({ kind, told: this.#told });
    if (kind === "terminate") void thread.terminate();
    else this.#post.call(thread, { sabotage: kind, after: 1 + random.below(30) });
  }

  /** Waits for a call and checks how it settles. Gives what it gives, or undefined where it was rejected as it may be. */
  async #settled(name, call) {
    this.counts.calls[name] = (this.counts.calls[name] ?? 0) + 1;
    const start = performance.now();
    let timer;
    const lost = new Promise((_, reject) => {
      timer = setTimeout(() => reject(new Error(`${name} did not settle`)), SETTLE_MS * this.#scale);
    });
    const { Gym2600Error } = this.#gym2600;
    const checked = Promise.resolve()
      .then(call)
      .catch((error) => {
        if (!(error instanceof Gym2600Error)) throw new Error(`${name} threw a raw ${error?.name}: ${error?.message}`);
        if (!this.#expected.includes(error.code))
          throw new Error(`${name} was rejected with ${error.code}: ${error.message}`);
        this.counts.rejected[error.code] = (this.counts.rejected[error.code] ?? 0) + 1;
        if (DIED.includes(error.code)) this.#told++;
      });
    try {
      return await Promise.race([checked, lost]);
    } finally {
      clearTimeout(timer);
      this.counts.slowest = Math.max(this.counts.slowest, Math.round(performance.now() - start));
    }
  }

  /** Waits for a call that no end of a thread can disturb, and gives what it gives. */
  async #answered(name, call) {
    const expected = this.#expected;
    this.#expected = [];
    try {
      return await this.#settled(name, call);
    } finally {
      this.#expected = expected;
    }
  }

  async #vectorRound(random) {
    const { VectorEnv, wallop } = this.#gym2600;
    this.#expected = DIED_OR_BUSY;
    const preset = random.pick(PRESETS);
    const numEnvs = 1 + random.below(4);
    const options = { rom: wallop, preset, autoreset: random.pick(["next-step", "same-step"]) };
    const keepStates = random.pick([0, 1, 3]);
    const create = () => VectorEnv.create({ ...options, numEnvs, workers: 1 + random.below(3), keepStates });
    const envs = await this.#created(create, random);
    if (envs === undefined) return;
    const threads = this.takeThreads();
    await this.#settled("reset", () => envs.reset({ seed: random.below(1000) }));
    for (let turn = 0; turn < 3; turn++) {
      await this.#disturbed(envs, threads, random);
      await this.#reviveAll(envs, threads, random);
      await this.#receiveAll(envs);
      if ((await this.#settled("reset", () => envs.reset())) === undefined) continue;
      if (random.below(2) === 0) await this.#broughtBack(envs, options, threads, keepStates, random);
      await this.#compare(envs, options, random);
    }
    await this.#closed(envs, threads, random);
  }

  /** Closes a vector, now and then among calls that have not settled and with a thread that ends, and checks that it stays closed. */
  async #closed(envs, threads, random) {
    this.#expected = [...DIED_OR_BUSY, "closed"];
    const pending = [];
    for (let count = random.below(4); count > 0; count--) {
      const name = random.pick(CALLS);
      pending.push(this.#settled(name, () => this.#call(envs, name, random)));
    }
    if (random.below(4) === 0) this.#endOneOf(threads, random);
    pending.push(this.#settled("close", () => envs.close()));
    await Promise.all(pending);
    this.#expected = ["closed"];
    for (const name of CALLS) {
      const answer = await this.#settled(name, () => this.#call(envs, name, random));
      if (answer !== undefined) throw new Error(`${name} is answered after close`);
    }
  }

  /** Creates something, and now and then ends a thread in the middle of that, as far as threads have been started by then. */
  async #created(create, random) {
    this.takeThreads();
    const creating = this.#settled("create", create);
    await this.#earlyEnd(8, random, creating);
    return creating;
  }

  /** In one case of `of`, ends a thread while it loads its games, unless `creating` has settled before. */
  async #earlyEnd(of, random, creating) {
    if (random.below(of) > 0) return;
    let settled = false;
    void creating.then(() => {
      settled = true;
    });
    const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
    await pause(random.below(30));
    const watched = () => [...this.#threads].filter(this.#isWatched);
    while (!settled && watched().length === 0) await pause(1);
    const threads = watched();
    if (settled || threads.length === 0) return;
    this.takeThreads();
    this.counts.early++;
    this.#endOneOf(threads, random);
  }

  /** Makes random calls, some of them at once, and ends a thread among them. */
  async #disturbed(envs, threads, random) {
    const count = 2 + random.below(6);
    const fatal = random.below(count);
    const pending = [];
    for (let index = 0; index < count; index++) {
      const name = random.pick(CALLS);
      const call = this.#settled(name, () => this.#call(envs, name, random));
      if (random.below(2) === 0) await call;
      else pending.push(call);
      if (index === fatal) this.#endOneOf(threads, random);
    }
    await Promise.all(pending);
  }

  #call(envs, name, random) {
    const lane = random.below(envs.numEnvs);
    const actions = () => Array.from({ length: envs.numEnvs }, () => random.below(envs.singleActionSpace.n));
    switch (name) {
      case "step":
        return envs.step(actions());
      case "stepMany":
        return envs.stepMany([actions(), actions(), actions()]);
      case "send":
        envs.send([random.below(envs.singleActionSpace.n)], [lane]);
        return envs.recv();
      case "reset":
        return envs.reset();
      case "save":
        return envs.save(lane);
      case "restore":
        return envs.save(lane).then((state) => envs.restore(lane, state));
      case "revive":
        return envs.revive(lane).then(() => this.#told++);
      default:
        return envs.render(lane);
    }
  }

  /** Brings all dead lanes back. Adds the new threads to the list, and now and then ends one of them at once. */
  async #reviveAll(envs, threads, random) {
    for (let tries = 0; tries < 8 * envs.numEnvs; tries++) {
      await this.#noticeEnds(envs);
      threads.push(...this.takeThreads());
      const [lane] = envs.deadLanes;
      if (lane === undefined) return;
      const reviving = this.#settled("revive", () => envs.revive(lane));
      if (tries < envs.numEnvs) await this.#earlyEnd(6, random, reviving);
      const revived = await reviving;
      if (revived !== undefined) this.counts.revived += revived.envIds.length;
    }
    throw new Error(`lanes ${envs.deadLanes} stay dead`);
  }

  /** Has threads that were told to end notice it, and the vector notice that they have ended. */
  async #noticeEnds(envs) {
    await this.#noticed(
      async () => {
        for (let lane = 0; lane < envs.numEnvs; lane++) await this.#settled("render", () => envs.render(lane));
      },
      () => envs.deadLanes.length > 0,
    );
  }

  /**
   * Makes requests until all ends are noticed that were asked for. A trap comes with the second request after that at the latest; see
   * trap.js.
   */
  async #noticed(request, isOver = () => false) {
    for (let turn = 0; turn < 2; turn++) await request();
    const deadline = performance.now() + SETTLE_MS * this.#scale;
    for (const { kind, told } of this.#unnoticed) {
      while (this.#told === told && !isOver()) {
        if (performance.now() > deadline) throw new Error(`a thread that was told to end (${kind}) goes on`);
        await request();
      }
      this.counts.ended[kind] = (this.counts.ended[kind] ?? 0) + 1;
    }
    this.#unnoticed = [];
  }

  /** Receives what was sent. Lanes whose results were never received would refuse other calls. */
  async #receiveAll(envs) {
    while ((await this.#settled("recv", () => envs.recv())) !== undefined);
  }

  /**
   * Saves all lanes, plays some steps, ends a thread, and checks that its lanes come back in the state that was kept last: the saved one,
   * or with `keepStates` that of one of so many last steps. Twins of the lanes tell these states.
   */
  async #broughtBack(envs, options, threads, keepStates, random) {
    const twins = await this.#twinsOf(envs, options);
    const trails = twins.map((twin) => [twin.save()]);
    let answered = 0;
    for (let steps = random.below(5); steps >= 0; steps--) {
      const actions = twins.map(() => random.below(envs.singleActionSpace.n));
      const answer = await this.#settled("step", () => envs.step(actions));
      for (const [lane, twin] of twins.entries()) {
        twin.step(actions[lane]);
        trails[lane].push(twin.save());
      }
      if (answer === undefined) break;
      answered++;
    }
    for (const twin of twins) twin.close();
    const first = keepStates === 0 ? 0 : Math.max(0, answered - keepStates + 1);
    const last = keepStates === 0 ? 0 : answered + 1;
    this.#endOneOf(threads, random);
    await this.#noticeEnds(envs);
    const dead = envs.deadLanes;
    for (const [lane, trail] of trails.entries()) {
      if (dead.includes(lane)) continue;
      const state = await this.#answered("save", () => envs.save(lane));
      // The others have taken the step that was rejected, or not.
      if (!trail.slice(answered).some((possible) => same(possible, state))) {
        throw new Error(`lane ${lane}, which lives, has left its trail`);
      }
    }
    while (envs.deadLanes.length > 0) {
      const { envIds, restored } = await this.#answered("revive", () => envs.revive(envs.deadLanes[0]));
      for (const [index, lane] of envIds.entries()) {
        const state = await this.#answered("save", () => envs.save(lane));
        if (!restored[index] || !trails[lane].slice(first, last + 1).some((kept) => same(kept, state))) {
          throw new Error(`lane ${lane} was not brought back to its kept state`);
        }
      }
      this.counts.revived += envIds.length;
      this.counts.broughtBack += envIds.length;
      threads.push(...this.takeThreads());
    }
  }

  /** A game of this thread for each lane, restored to the lane's state. */
  async #twinsOf(envs, options) {
    const twins = [];
    for (let lane = 0; lane < envs.numEnvs; lane++) {
      const state = await this.#answered("save", () => envs.save(lane));
      twins.push(await this.#twin(options, state));
    }
    return twins;
  }

  /** A game of this thread, restored to a state. */
  async #twin(options, state) {
    const twin = await this.#answered("create", () => this.#gym2600.Game.create(options));
    twin.reset();
    twin.restore(state);
    return twin;
  }

  /**
   * Plays each lane beside a game of this thread that was restored to the lane's state. Then takes one lane back to that state, which
   * leaves the others as they are.
   */
  async #compare(envs, options, random) {
    const twins = await this.#twinsOf(envs, options);
    const states = twins.map((twin) => twin.save());
    for (let turn = 0; turn < 5; turn++) {
      for (const { actions, observations, rewards } of await this.#played(envs, random)) {
        for (const [lane, twin] of twins.entries()) {
          const { observation, reward } = twin.step(actions[lane]);
          if (reward !== rewards[lane] || !same(observation, observations[lane])) {
            throw new Error(`lane ${lane} differs from its twin in turn ${turn}`);
          }
        }
      }
      const lane = random.below(envs.numEnvs);
      const { data } = await this.#answered("render", () => envs.render(lane));
      if (!same(data, twins[lane].render().data)) throw new Error(`lane ${lane} shows another picture than its twin`);
    }
    const restored = random.below(envs.numEnvs);
    await this.#answered("restore", () => envs.restore(restored, states[restored]));
    for (const [lane, twin] of twins.entries()) {
      const state = await this.#answered("save", () => envs.save(lane));
      if (!same(state, lane === restored ? states[lane] : twin.save())) {
        throw new Error(`lane ${lane} has another state than its twin after lane ${restored} was restored`);
      }
      twin.close();
    }
    this.counts.compared += twins.length;
  }

  /** Plays one step or more in every lane, in one of the ways to do so. Gives of each step what each lane did and brought. */
  async #played(envs, random) {
    const { numEnvs } = envs;
    const { size } = envs.singleObservationSpace;
    const actions = Array.from({ length: numEnvs }, () => random.below(envs.singleActionSpace.n));
    const rows = (observations, first = 0) =>
      actions.map((_, lane) => observations.subarray((first + lane) * size, (first + lane + 1) * size));
    switch (random.pick(["step", "stepMany", "send"])) {
      case "step": {
        const { observations, rewards } = await this.#answered("step", () => envs.step(actions));
        return [{ actions, observations: rows(observations), rewards }];
      }
      case "stepMany": {
        const both = await this.#answered("stepMany", () => envs.stepMany([actions, actions]));
        return [0, numEnvs].map((first) => ({
          actions,
          observations: rows(both.observations, first),
          rewards: both.rewards.subarray(first),
        }));
      }
      default: {
        const step = { actions, observations: [], rewards: [] };
        await this.#answered("send", () => envs.send(actions));
        for (let received = 0; received < numEnvs; ) {
          const { envIds, observations, rewards } = await this.#answered("recv", () => envs.recv());
          for (const [place, lane] of envIds.entries()) {
            step.observations[lane] = rows(observations)[place];
            step.rewards[lane] = rewards[place];
          }
          received += envIds.length;
        }
        return [step];
      }
    }
  }

  async #workerRound(random) {
    const { GameWorker, wallop } = this.#gym2600;
    this.#expected = DIED;
    const options = { rom: wallop, preset: random.pick(PRESETS) };
    const create = () => GameWorker.create(options);
    const worker = await this.#created(create, random);
    if (worker === undefined) return;
    const threads = this.takeThreads();
    const pending = [this.#settled("reset", () => worker.reset())];
    // There is none if the thread has been ended since the worker was made.
    const state = await this.#settled("save", () => worker.save());
    const calls = ["reset", "step", "step", "render", "save", "ram", "screen"];
    if (state !== undefined) calls.push("restore");
    const argument = { step: 0, restore: state };
    const count = 2 + random.below(20);
    const fatal = random.below(count);
    for (let index = 0; index < count; index++) {
      const name = random.pick(calls);
      pending.push(this.#settled(name, () => worker[name](argument[name])));
      if (index === fatal) this.#endOneOf(threads, random);
      if (random.below(6) === 0) await pending.at(-1);
    }
    this.#expected = [...DIED, "closed"];
    if (random.below(3) === 0) worker.terminate();
    else await this.#noticed(() => this.#settled("render", () => worker.render()));
    await Promise.all(pending);
    await this.#settled("close", () => worker.close());
    if (state !== undefined) await this.#replaced(create, options, state, random);
  }

  /** Makes another worker, which goes on from a state of the one that died, and plays it beside a game of this thread. */
  async #replaced(create, options, state, random) {
    const worker = await this.#answered("create", create);
    await this.#answered("reset", () => worker.reset());
    await this.#answered("restore", () => worker.restore(state));
    const twin = await this.#twin(options, state);
    for (let step = 0; step < 8; step++) {
      const action = random.below(twin.actionSpace.n);
      const { observation, reward } = await this.#answered("step", () => worker.step(action));
      const expected = twin.step(action);
      if (reward !== expected.reward || !same(observation, expected.observation)) {
        throw new Error(`the new worker differs from its twin in step ${step}`);
      }
    }
    twin.close();
    await this.#answered("close", () => worker.close());
    this.takeThreads();
    this.counts.replaced++;
  }
}
