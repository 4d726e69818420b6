/** Games that take turns with a graphics card. What stands for the card computes with the CPU's net, so runs with it have the CPU's bits. */

import { afterEach, describe, expect, it, vi } from "vitest";
import { Gym2600Error } from "../src/errors.js";
import { Card, CardError, type Shown } from "../src/learn/card.js";
import { Policy, Trainer, type TrainerOptions, type TrainingUpdate } from "../src/learn/index-node.js";
import { LocalShards } from "../src/learn/shards.js";
import { WorkerShards } from "../src/learn/worker-shards.js";
import { smallRun } from "./small-run.js";

/** Games end in a rollout. */
const small = smallRun(10);
const PIXELS = 28 * 28;

/** Steps of a rollout, and that of the last values. */
const STEPS = 17;

/** What happens in a run. */
interface Course {
  /** The card gives an answer when so many are awaited, and that after the last call a task later. */
  readonly waits: 1 | 2;
  /** The call of the card, counted from 0, with which it is lost. */
  readonly lost?: number;
  /** The step of a worker, counted from 0 over all workers, in which it dies. */
  readonly died?: number;
}

/** It takes no steps of the rollout, so the CPU learns. */
class SlowCard {
  readonly name = "a slow card";
  /** The first game of each call. */
  asked: number[] = [];
  readonly #policy: Policy;
  /** Values for each game, some of them without meaning. */
  readonly #width: number;
  readonly #course: Course;
  /** The pictures that each game has shown. */
  #pictures: Uint8Array[][] = [];
  #isClosed = false;
  readonly #pending: { give(): void; reject(error: unknown): void }[] = [];

  constructor(policy: Policy, work: Uint32Array, course: Course) {
    this.#policy = policy;
    this.#width = work.at(-2) as number;
    this.#course = course;
  }

  /** Answers that it has not given. */
  get pending(): number {
    return this.#pending.length;
  }

  begin(): void {
    expect(this.pending).toBe(0);
    this.asked = [];
    this.#pictures = [];
  }

  outputs(first: number, shown: Shown): Promise<Float32Array> {
    const { waits, lost = Number.POSITIVE_INFINITY } = this.#course;
    const isLost = this.asked.push(this.#isClosed ? Number.NaN : first) > lost;
    const outputs = this.#outputs(first, shown);
    const answer = new Promise<Float32Array>((resolve, reject) => {
      this.#pending.push({ give: () => resolve(outputs), reject });
    });
    if (isLost) for (const { reject } of this.#pending.splice(0)) reject(new CardError("it was lost"));
    else if (this.#pending.length === waits) this.#pending.shift()?.give();
    if (this.asked.length === 2 * STEPS) setTimeout(() => this.#pending.shift()?.give());
    return answer;
  }

  #outputs(first: number, { pictures, counts, stacks }: Shown): Float32Array {
    let at = 0;
    const outputs = new Float32Array(counts.length * this.#width);
    for (const [place, count] of counts.entries()) {
      this.#pictures[first + place] ??= [];
      const seen = this.#pictures[first + place] as Uint8Array[];
      for (const end = at + count; at < end; at++) seen.push(pictures.subarray(at * PIXELS, (at + 1) * PIXELS));
      const observation = new Uint8Array(4 * PIXELS);
      for (const [frame, number] of stacks.subarray(place * 4, (place + 1) * 4).entries()) {
        observation.set(seen[number] as Uint8Array, frame * PIXELS);
      }
      const { logits, value } = this.#policy.act(observation, { shape: [4, 28, 28] });
      outputs.set([...logits, value], place * this.#width);
    }
    return outputs;
  }

  setSteps(): void {
    throw new CardError("it takes no steps");
  }

  close(): void {
    this.#isClosed = true;
  }
}

/** What an update brought on the CPU, and where the games were played with a card. */
async function both(options: TrainerOptions, course: Course) {
  const cpu = await Trainer.create({ ...options, workers: 0 });
  const policy = await Policy.load(cpu.weights());
  const expected = await cpu.update();
  cpu.close();
  const cards: SlowCard[] = [];
  vi.spyOn(Card, "open").mockImplementation(async (work) => {
    cards.push(new SlowCard(policy, work, course));
    return cards[0] as unknown as Card;
  });
  // Workers need the built package.
  vi.spyOn(WorkerShards, "create").mockImplementation(
    async (options) => new LocalShards(options) as unknown as WorkerShards,
  );
  /** Answers that were not there when a group's games played a step. */
  const pending: (number | undefined)[] = [];
  const { advance } = LocalShards.prototype;
  vi.spyOn(LocalShards.prototype, "advance").mockImplementation(async function (this: LocalShards, ...args) {
    pending.push(cards[0]?.pending);
    if (pending.length - 1 === course.died) throw new Gym2600Error("worker-died", "so says a test");
    const shown = await advance.apply(this, args);
    await new Promise((later) => setTimeout(later));
    return shown;
  });
  const trainer = await Trainer.create({ ...options, device: "auto" });
  const update = await trainer.update();
  trainer.close();
  policy.close();
  const told = ({ weights, finished }: TrainingUpdate) => ({ weights, finished });
  return {
    expected: told(expected),
    update: told(update),
    processor: update.processor,
    pending,
    asked: cards[0]?.asked,
  };
}

describe("games that take turns with a card", () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it.for([
    { workers: 0, numEnvs: 8, second: 4 },
    { workers: 2, numEnvs: 12, second: 4 },
    { workers: 4, numEnvs: 20, second: 8 },
  ] as const)(
    "play while the answer for the other half is awaited, and do what they do without a card: $numEnvs games in $workers workers",
    async ({ workers, numEnvs, second }) => {
      const { expected, update, processor, asked, pending } = await both({ ...small, workers, numEnvs }, { waits: 2 });
      expect(expected.finished.length).toBeGreaterThan(0);
      expect(update).toEqual(expected);
      expect(processor).toEqual({ device: "cpu", reason: "it takes no steps" });
      expect(asked).toEqual(Array(STEPS).fill([0, second]).flat());
      const groups = Math.max(workers, 1);
      const last = Array(groups).fill(0);
      expect(pending).toEqual([...Array((2 * STEPS - 1) * groups).fill(1), ...last]);
    },
  );

  it("are one group where each shard has one game", async () => {
    const { expected, update, asked, pending } = await both({ ...small, workers: 2, numEnvs: 4 }, { waits: 1 });
    expect(update).toEqual(expected);
    expect([asked, pending]).toEqual([Array(STEPS).fill(0), Array(2 * STEPS).fill(0)]);
  });

  // Where it waits for another call, nothing plays when it is lost; where it does not, the other half may play.
  const calls = [0, 1, 7, 8, 2 * STEPS - 1];
  it.for(([1, 2] as const).flatMap((waits) => calls.map((lost) => ({ waits, lost }))))(
    "go on on the CPU as if there had been no card where it is lost with call $lost, having waited for $waits",
    async ({ waits, lost }) => {
      const { expected, update, processor, asked } = await both({ ...small, workers: 2 }, { waits, lost });
      expect(update).toEqual(expected);
      expect(processor).toEqual({ device: "cpu", reason: "it was lost" });
      expect(asked).toEqual(Array.from({ length: asked?.length ?? 0 }, (_, call) => (call % 2) * 4));
    },
  );

  it.for([0, 3, 4 * STEPS - 1])("play again with the card where a worker dies in its turn %i", async (died) => {
    const { expected, update, asked } = await both({ ...small, workers: 2 }, { waits: 1, died });
    expect(update).toEqual(expected);
    expect(asked?.length).toBe(2 * STEPS);
  });
});
