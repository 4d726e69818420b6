/** Every option that is a number refuses what is no number, and numbers far beyond its range. The lists here are exhaustive by type. */

import {
  Arcade,
  type ArcadeOptions,
  Game,
  type GameOptions,
  Gym2600Error,
  VectorEnv,
  type VectorEnvOptions,
  type WrapperOptions,
  wallop,
} from "gym2600";
import { HYPER_PARAMETERS, type HyperParameters, Trainer, type TrainerOptions } from "gym2600/learn";
import { expect, test } from "vitest";

/** The options of a type that are numbers. */
type Numbers<Options> = {
  [Key in keyof Required<Options> as NonNullable<Options[Key]> extends number
    ? Key
    : number extends NonNullable<Options[Key]>
      ? Key
      : never]-?: true;
};

type Listed<Type extends WrapperOptions["type"]> = Numbers<Omit<Extract<WrapperOptions, { type: Type }>, "type">>;

const GAME: Numbers<Omit<GameOptions, "rom">> = {
  seed: true,
  mode: true,
  difficulty: true,
  repeatActionProbability: true,
  maxFramesPerEpisode: true,
};

const VECTOR: Numbers<Omit<VectorEnvOptions, "rom">> = {
  ...GAME,
  numEnvs: true,
  workers: true,
  keepStates: true,
};

const ARCADE: Numbers<Omit<ArcadeOptions, "rom">> = {
  seed: true,
  systemRandomSeed: true,
  repeatActionProbability: true,
  frameSkip: true,
  rewardMin: true,
  rewardMax: true,
  maxNumFramesPerEpisode: true,
  mode: true,
  difficulty: true,
};

const TRAINER: Numbers<Omit<TrainerOptions, "rom">> = { numEnvs: true, seed: true, workers: true };

const WRAPPERS: { [Type in WrapperOptions["type"]]: Listed<Type> } = {
  StickyActions: { probability: true },
  FrameBlending: {},
  EpisodicLife: {},
  FireReset: {},
  NoopReset: { max: true },
  StartWithRandomActions: { max: true },
  MaxBetweenFrames: {},
  SkipFrames: { n: true, below: true },
  ImagePreprocessing: { width: true, height: true, rows: true },
  QueueFrames: { n: true },
  ClipReward: {},
  ScaledFloat: {},
  TimeLimit: { steps: true },
  EpisodeStatistics: {},
  AutoReset: {},
};

const WRONG = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 1e300, -1e300];

/** Fails unless each wrong value of an option is refused by an error that names it. */
async function refuses(option: string, create: (value: number) => Promise<unknown>): Promise<void> {
  for (const value of WRONG) {
    const failure: unknown = await create(value).catch((error: unknown) => error);
    expect(failure, `${option}: ${value}`).toBeInstanceOf(Gym2600Error);
    expect((failure as Gym2600Error).code, `${option}: ${value}`).toBe("bad-option");
    expect((failure as Gym2600Error).message, `${option}: ${value}`).toContain(option);
  }
}

test("of a game, of a batch and of a console", async () => {
  const rom = wallop;
  for (const option of Object.keys(GAME)) await refuses(option, (value) => Game.create({ rom, [option]: value }));
  for (const option of Object.keys(VECTOR)) {
    await refuses(option, (value) => VectorEnv.create({ rom, numEnvs: 1, workers: 0, [option]: value }));
  }
  for (const option of Object.keys(ARCADE)) await refuses(option, (value) => Arcade.create({ rom, [option]: value }));
});

test("of every wrapper", async () => {
  for (const [type, options] of Object.entries(WRAPPERS)) {
    for (const option of Object.keys(options)) {
      const create = (value: number): Promise<unknown> => {
        const wrapper = { type, [option]: value } as unknown as WrapperOptions;
        return Game.create({ rom: wallop, wrappers: [wrapper] });
      };
      await refuses(option, create);
    }
  }
});

test("of a trainer", async () => {
  for (const option of Object.keys(TRAINER)) {
    await refuses(option, (value) => Trainer.create({ rom: wallop, workers: 0, [option]: value } as TrainerOptions));
  }
  const numbers = Object.entries(HYPER_PARAMETERS.ppo).filter(([, usual]) => typeof usual === "number");
  for (const name of numbers.map(([each]) => each as keyof HyperParameters)) {
    await refuses(name, (value) => Trainer.create({ rom: wallop, workers: 0, hyperParameters: { [name]: value } }));
  }
});
