/** The show game takes the steps of the environment that its setup names, and the learner's settings are the learner's own. */

import { readFileSync } from "node:fs";
import { Game, type Observation } from "gym2600";
import { Policy, Trainer } from "gym2600/learn";
import { describe, expect, test } from "vitest";
import { FrameGame } from "../../www/src/show/frame-game.js";
import type { Painter } from "../../www/src/show/painter.js";
import type { Played, ShowRecord } from "../../www/src/show/protocol.js";
import { Show } from "../../www/src/show/show.js";
import {
  ENVIRONMENTS,
  type Environment,
  environmentOptions,
  HYPER_PARAMETERS,
  LEARNER_WRAPPERS,
} from "../../www/src/state/setup.js";
import { realRom } from "./support/roms.js";

const SEED = 5;
const DECISIONS = 300;
const WALLOP = new Uint8Array(readFileSync(new URL("../../crates/arcade/games/wallop.bin", import.meta.url)));

const ROMS: readonly (readonly [string, Uint8Array<ArrayBuffer>])[] = [
  ["WALLOP", WALLOP],
  ["Breakout", new Uint8Array(realRom("breakout").buffer)],
];

const painter = { paint: () => undefined, paintStack: () => undefined } as unknown as Painter;

/** Decisions of the random agent in the show game. */
async function shown(rom: Uint8Array<ArrayBuffer>, environment: Environment): Promise<ShowRecord[]> {
  const game = await FrameGame.open(rom, environmentOptions(environment), SEED);
  const records: ShowRecord[] = [];
  const show = new Show(game, painter, SEED, 0.99, {
    record: (record) => records.push(record),
    played: () => undefined,
    sound: () => undefined,
  });
  show.player = "random";
  // A record is posted where the last one is long ago.
  for (let now = 0; records.length < DECISIONS; now += 1000) show.frame(now);
  show.close();
  return records;
}

/** The frames of a stack one after the other. */
function framesFirst(observation: Observation, game: Game): Uint8Array {
  const queue = game.description.spec.wrappers.find((wrapper) => wrapper.type === "QueueFrames");
  if (queue?.axis !== "last") return observation as Uint8Array;
  const frames = game.observationSpace.shape.at(-1) ?? 1;
  const pixels = observation.length / frames;
  return Uint8Array.from(observation, (_, at) => observation[(at % pixels) * frames + Math.floor(at / pixels)] ?? 0);
}

/** The setup's environment, with its restarts. */
class Reference {
  readonly game: Game;
  observation: Observation;
  /** Decisions since a life was lost. */
  sinceLife = Number.POSITIVE_INFINITY;

  constructor(game: Game) {
    this.game = game;
    this.observation = game.reset().observation;
  }

  step(action: number): void {
    const { observation, terminated, truncated, info } = this.game.step(action);
    this.observation = observation;
    this.sinceLife = info.realDone === false ? 0 : this.sinceLife + 1;
    if (!terminated && !truncated) return;
    const { resetsItself, spec } = this.game.description;
    const restart = spec.wrappers.find((wrapper) => wrapper.type === "AutoReset");
    if (!resetsItself) this.observation = this.game.reset().observation;
    else if (restart?.mode !== "same-step") this.observation = this.game.step(0).observation;
  }
}

describe("the show game", () => {
  for (const [title, rom] of ROMS) {
    for (const [environment] of ENVIRONMENTS) {
      test(`has the bytes of ${environment} in ${title}`, async () => {
        const records = await shown(rom, environment);
        const game = await Game.create({ rom, ...environmentOptions(environment), seed: SEED });
        const reference = new Reference(game);
        let compared = 0;
        for (const { step, stack, action } of records) {
          // The frame with which nature-dqn begins a life is single, and stays in the stack for four decisions.
          const excepted = environment === "nature-dqn" && reference.sinceLife < 4;
          if (!excepted) {
            const same = Buffer.from(stack ?? []).equals(framesFirst(reference.observation, game));
            expect(same, `decision ${step}`).toBe(true);
            compared += 1;
          }
          reference.step(action);
        }
        game.close();
        expect(compared).toBeGreaterThan(DECISIONS / 2);
      });
    }
  }
});

describe("a person", () => {
  test("plays every frame of the console, with all lives, whatever the environment skips and ends", async () => {
    // Without random frames at the start, so that another game can follow.
    const wrappers = LEARNER_WRAPPERS.filter((wrapper) => typeof wrapper !== "object" || wrapper.type !== "NoopReset");
    const game = await FrameGame.open(WALLOP, { wrappers }, SEED);
    const plain = await Game.create({ rom: WALLOP, wrappers: [], autoreset: "disabled", seed: SEED });
    plain.reset();
    const played: Played[] = [];
    const show = new Show(game, painter, SEED, 0.99, {
      record: () => undefined,
      played: (one) => played.push(one),
      sound: () => undefined,
    });
    show.player = "you";
    const lives = new Set<number>();
    let [score, frames] = [0, 0];
    for (let over = false; !over; ) {
      // Another action every three frames, which a skip of four could not follow.
      const action = ["RIGHT", "FIRE", "LEFT"][Math.floor(frames / 3) % 3] ?? "NOOP";
      show.press([action]);
      show.frame(0);
      const { reward, info, terminated } = plain.step(game.info.actions.indexOf(action));
      frames += 1;
      score += reward;
      lives.add(info.lives);
      over = terminated;
      // After its end the show's game begins again.
      if (!over) expect(Buffer.from(game.screen()).equals(plain.screen()), `frame ${frames}`).toBe(true);
    }
    expect([...lives]).toEqual([5, 4, 3, 2, 1, 0]);
    expect(played).toEqual([{ player: "you", policy: "you", score, length: Math.ceil(frames / 4) }]);
    show.close();
    plain.close();
  });
});

test("the page's hyper-parameters are the learner's defaults", async () => {
  for (const algorithm of ["ppo", "a2c"] as const) {
    const trainer = await Trainer.create({ rom: WALLOP, workers: 0, numEnvs: 4, algorithm });
    const { origin } = await Policy.load(trainer.weights());
    trainer.close();
    expect(origin?.hyperParameters).toMatchObject(HYPER_PARAMETERS[algorithm]);
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
