/**
 * What tests do with a trainer, in Node and in pages: `scenarios` takes the package and the class of its workers.
 *
 * A run is given by the options of a trainer but for its ROM, which is WALLOP.
 */

/** @param {{ Trainer: any, wallop: Uint8Array, Worker: any }} parts */
export function scenarios({ Trainer, wallop, Worker }) {
  const create = (options) => Trainer.create({ rom: wallop, ...options });

  const codeOf = (promise) =>
    promise.then(
      () => "fulfilled",
      (error) => (error.name === "Gym2600Error" ? error.code : String(error)),
    );

  /** Calls `use` and gives its result, with the workers that were started since. */
  async function watched(use) {
    const post = Worker.prototype.postMessage;
    const started = new Set();
    Worker.prototype.postMessage = function (...args) {
      started.add(this);
      return post.apply(this, args);
    };
    try {
      return await use(started);
    } finally {
      Worker.prototype.postMessage = post;
    }
  }

  async function weightsOf(trainer, count) {
    const all = [];
    for await (const update of trainer) {
      all.push(update.weights);
      if (all.length === count) trainer.stop();
    }
    return all;
  }

  return {
    /** The weights after each update. */
    async weights(options, count) {
      const trainer = await create(options);
      const all = await weightsOf(trainer, count);
      trainer.close();
      return all;
    },

    /** The same, with a pause, a stop and a resumed run with another number of workers on the way. */
    async parts(options, count, workers) {
      const first = await create(options);
      const all = await weightsOf(first, 1);
      const { steps } = first;
      await new Promise((later) => setTimeout(later, 50));
      const paused = first.steps === steps;
      all.push(...(await weightsOf(first, 1)));
      const resume = await first.checkpoint();
      first.close();
      const second = await create({ resume, workers });
      all.push(...(await weightsOf(second, count - 2)));
      second.close();
      return { paused, all };
    },

    /** The weights after the last update when `kill` ends a worker during update `at`; and how many workers there were. */
    async disturbed(options, count, at, kill) {
      return watched(async (started) => {
        const trainer = await create(options);
        let update;
        do {
          const next = trainer.update();
          if (update?.update === at - 1 && started.size === options.workers) {
            // The update is under way after a few messages.
            await new Promise((later) => setTimeout(later, 5));
            await kill([...started].at(-1));
          }
          update = await next;
        } while (update.update < count);
        trainer.close();
        return { weights: update.weights, workers: started.size };
      });
    },

    /** Steps of a checkpoint after an update, and of the next one, before which a worker has died. */
    async checkpoints(options, kill) {
      return watched(async (started) => {
        const trainer = await create(options);
        await trainer.update();
        const files = [await trainer.checkpoint()];
        await kill([...started].at(-1));
        files.push(await trainer.checkpoint());
        trainer.close();
        const steps = [];
        for (const resume of files) {
          const resumed = await Trainer.create({ rom: wallop, resume, workers: 0 });
          steps.push(resumed.steps);
          resumed.close();
        }
        return steps;
      });
    },

    /** What happens to calls when workers die again and again. */
    async hopeless(options, kill) {
      return watched(async (started) => {
        const trainer = await create(options);
        const killed = new Set();
        const timer = setInterval(() => {
          for (const worker of started) if (!killed.has(worker)) kill(worker);
          for (const worker of started) killed.add(worker);
        }, 1);
        const codes = [await codeOf(trainer.update()), await codeOf(trainer.checkpoint())];
        clearInterval(timer);
        const again = await codeOf(trainer.update());
        trainer.close();
        return { codes: [...new Set(codes)], again };
      });
    },

    /** What happens to calls that are pending at a close, and to later ones. */
    async closed(options) {
      const trainer = await create(options);
      await trainer.update();
      const pending = [trainer.update(), trainer.checkpoint(), trainer.update(), trainer.games()].map(codeOf);
      await new Promise((later) => setTimeout(later, 5));
      trainer.close();
      trainer.close();
      const iterated = (async () => {
        for await (const _ of trainer) throw new Error("an update after close");
      })();
      return [...(await Promise.all(pending)), await codeOf(trainer.update()), await codeOf(iterated)];
    },

    /** The codes of bad options. */
    async refusals(cases) {
      const codes = [];
      for (const options of cases) codes.push(await codeOf(create(options)));
      return codes;
    },
  };
}
