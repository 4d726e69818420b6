/** The show game takes the steps of the environment that its setup names, and the learner's settings are the learner's own. */

import { readFileSync } from "node:fs";
import { type Frame, Game, type Observation } from "gym2600";
import { LEARNER_WRAPPERS, Policy, Trainer } from "gym2600/learn";
import { describe, expect, test } from "vitest";
import type { Painter } from "../../www/src/show/painter.js";
import type { Played, ShowRecord } from "../../www/src/show/protocol.js";
import { Show } from "../../www/src/show/show.js";
import { ShownGame } from "../../www/src/show/shown-game.js";
import type { EnvironmentOptions } from "../../www/src/show/types.js";
import { ENVIRONMENTS, environmentOptions, HYPER_PARAMETERS } from "../../www/src/state/setup.js";
import { LONG } from "../limits.js";
import { realRom } from "./support/roms.js";

const SEED = 5;
const DECISIONS = 300;
const WALLOP = new Uint8Array(readFileSync(new URL("../../crates/arcade/games/wallop.bin", import.meta.url)));

const ROMS: readonly (readonly [string, Uint8Array<ArrayBuffer>])[] = [
  ["WALLOP", WALLOP],
  ["Breakout", new Uint8Array(realRom("breakout").buffer)],
];

const painter = { paint: () => undefined, paintStack: () => undefined } as unknown as Painter;

const OPTIONS: readonly (readonly [string, EnvironmentOptions])[] = [
  ...ENVIRONMENTS.map(([environment]) => [environment, environmentOptions(environment)] as const),
  [
    "a random number of frames",
    { wrappers: [{ type: "SkipFrames", n: 2, below: 5 }, "ImagePreprocessing", "QueueFrames", "ScaledFloat"] },
  ],
];

/** A show of a game, with its records, the games that have ended, and its sound. */
function showOf(game: ShownGame) {
  const [records, played, heard]: [ShowRecord[], Played[], Uint8Array[]] = [[], [], []];
  const show = new Show(game, painter, SEED, 0.99, {
    record: (record) => records.push(record),
    played: (one) => played.push(one),
    sound: (samples) => heard.push(samples),
  });
  return { show, records, played, heard };
}

function pointsOf(frames: readonly Frame[]): number {
  return frames.reduce((sum, { reward }) => sum + reward, 0);
}

/** Decisions of the random agent in the show game. */
async function shown(rom: Uint8Array<ArrayBuffer>, options: EnvironmentOptions): Promise<ShowRecord[]> {
  const { show, records } = showOf(await ShownGame.open(rom, options, SEED));
  show.player = "random";
  // A record is posted where the last one is long ago.
  for (let now = 0; records.length < DECISIONS; now += 1000) show.frame(now);
  show.close();
  return records;
}

/** The frames of a stack one after the other, in bytes. */
function framesFirst(observation: Observation, game: Game): Uint8Array {
  const bytes = observation instanceof Float32Array ? observation.map((value) => Math.round(255 * value)) : observation;
  const queue = game.description.spec.wrappers.find((wrapper) => wrapper.type === "QueueFrames");
  if (queue?.axis !== "last") return Uint8Array.from(bytes);
  const frames = game.observationSpace.shape.at(-1) ?? 1;
  const pixels = bytes.length / frames;
  return Uint8Array.from(bytes, (_, at) => bytes[(at % pixels) * frames + Math.floor(at / pixels)] ?? 0);
}

/** The setup's environment, with its restarts. */
class Reference {
  readonly game: Game;
  observation: Observation;

  constructor(game: Game) {
    this.game = game;
    this.observation = game.reset().observation;
  }

  step(action: number): void {
    const { observation, terminated, truncated } = this.game.step(action);
    this.observation = observation;
    if (!terminated && !truncated) return;
    const { resetsItself, spec } = this.game.description;
    const restart = spec.wrappers.find((wrapper) => wrapper.type === "AutoReset");
    if (!resetsItself) this.observation = this.game.reset().observation;
    else if (restart?.mode !== "same-step") this.observation = this.game.step(0).observation;
  }
}

describe("the show game", () => {
  for (const [title, rom] of LONG ? ROMS : ROMS.slice(-1)) {
    for (const [name, options] of OPTIONS) {
      test(`has the bytes of ${name} in ${title}`, async () => {
        const records = await shown(rom, options);
        const reference = new Reference(await Game.create({ rom, ...options, seed: SEED }));
        let compared = 0;
        for (const { step, stack, action } of records) {
          const same = Buffer.from(stack ?? []).equals(framesFirst(reference.observation, reference.game));
          expect(same, `decision ${step}`).toBe(true);
          reference.step(action);
          compared += 1;
        }
        reference.game.close();
        expect(compared).toBe(DECISIONS);
      });
    }
  }

  for (const [environment] of ENVIRONMENTS) {
    test(`goes on from a saved moment of ${environment}, in another game too`, async () => {
      const options = environmentOptions(environment);
      const { show, records } = showOf(await ShownGame.open(WALLOP, options, SEED));
      show.player = "random";
      // In the middle of a decision.
      for (let frame = 0; frame < 1001; frame++) show.frame(0);
      const saved = show.save();
      const other = showOf(await ShownGame.open(WALLOP, options, SEED + 1));
      for (const each of [show, other.show]) {
        each.restore(saved);
        each.look(0);
      }
      const [record, again] = [records.at(-1), other.records.at(-1)];
      expect(again?.stack).toEqual(record?.stack);
      expect([again?.score, again?.lives]).toEqual([record?.score, record?.lives]);
      show.close();
      other.show.close();
    });
  }
});

describe("a person", () => {
  test("plays the agent's environment, one action a decision, and sees and hears each frame", async () => {
    const options = { wrappers: LEARNER_WRAPPERS };
    const reference = await Game.create({ rom: WALLOP, ...options, seed: SEED, soundObs: true });
    reference.keepFrames();
    reference.reset();
    const { show, records, played, heard } = showOf(await ShownGame.open(WALLOP, options, SEED));
    show.player = "you";
    const lives = new Set<number>();
    let [score, decisions] = [pointsOf(reference.frames()), 0];
    for (let over = false; !over; decisions += 1) {
      const action = (["RIGHT", "FIRE", "LEFT"] as const)[Math.floor(decisions / 3) % 3] ?? "NOOP";
      // A short press counts.
      show.press([action]);
      show.press([]);
      const { terminated, rawReward, info } = reference.step(reference.description.actions.indexOf(action));
      const frames = reference.frames();
      over = info.realDone === true;
      lives.add(info.lives);
      if (terminated) {
        reference.reset();
        // A person's game stands at its end.
        if (!over) frames.push(...reference.frames());
      }
      score += over ? rawReward : pointsOf(frames);
      for (const frame of frames) {
        show.frame(0);
        show.sound();
        expect(Buffer.from(heard.pop() ?? []).equals(frame.audio), `decision ${decisions}`).toBe(true);
      }
      expect(show.atDecision, `decision ${decisions}`).toBe(true);
      const { data } = show.game.picture(show.game.screen());
      expect(Buffer.from(data).equals(Buffer.from(reference.render().data)), `decision ${decisions}`).toBe(true);
    }
    expect([...lives]).toEqual([5, 4, 3, 2, 1, 0]);
    show.frame(0);
    expect(records.at(-1)).toMatchObject({ over: true, score, lives: 0 });
    // Another player goes on with the next game.
    show.player = "agent";
    show.settle(0);
    show.look(0);
    expect(records.at(-1)).toMatchObject({ over: false });
    expect(played).toEqual([{ player: "you", policy: "you", score, length: decisions }]);
    show.close();
    reference.close();
  });

  test("turns a paddle by a whole drag, at the speed that its decisions allow", async () => {
    const options = { wrappers: LEARNER_WRAPPERS };
    const rom = new Uint8Array(realRom("breakout").buffer);
    const reference = await Game.create({ rom, ...options, seed: SEED });
    reference.reset();
    const { show } = showOf(await ShownGame.open(rom, options, SEED));
    show.player = "you";
    const right = reference.description.actions.indexOf("RIGHT");
    show.turn(6.5);
    for (const [action, paddleStrength] of [
      [right, 1],
      [right, 2.5 / 4],
      [0, 1],
    ] as const) {
      reference.step(action, { paddleStrength });
      show.frame(0);
      show.settle(0);
      expect(show.game.screen()).toEqual(reference.screen());
    }
    show.close();
    reference.close();
  });
});

test("the page's hyper-parameters are the learner's defaults, but for four of PPO", async () => {
  const own = { ppo: { learning_rate: 0.002, anneal_steps: 3_000_000, anneal_to: 0.1, entropy: 0.003 }, a2c: {} };
  for (const algorithm of ["ppo", "a2c"] as const) {
    const trainer = await Trainer.create({ rom: WALLOP, workers: 0, numEnvs: 4, algorithm });
    const { origin } = await Policy.load(trainer.weights());
    trainer.close();
    expect({ ...origin?.hyperParameters, ...own[algorithm] }).toMatchObject(HYPER_PARAMETERS[algorithm]);
  }
});

test("the page's list for the learner is the learner's own", async () => {
  const environments = [undefined, { wrappers: LEARNER_WRAPPERS }].map(async (options) => {
    const trainer = await Trainer.create({ rom: WALLOP, workers: 0, numEnvs: 4, ...(options && { options }) });
    const { environment } = trainer;
    trainer.close();
    return environment;
  });
  const [own, pages] = await Promise.all(environments);
  expect(pages).toEqual(own);
});
