/** The functions of environments. */

import { Arcade, describe, Game, GameWorker, VectorEnv } from "gym2600";
import { Trainer } from "gym2600/learn";
import type { Bad, Calls, World } from "./world.js";

interface Kind {
  create(options: Bad): Promise<{ close(): unknown }>;
}

/** `create` with a value as the options, and as some of them; `fixed` are the others. */
function creations(name: string, kind: Kind, fixed: object, options: readonly string[]): Calls {
  const make = async (given: Bad) => void (await (await kind.create(given)).close());
  const calls = options.map((option) => [
    `${name}.create({ ${option}: ? })`,
    ({ rom }: World, value: Bad) => make({ rom, ...fixed, [option]: value }),
  ]);
  return { [`${name}.create(?)`]: (_: World, value: Bad) => make(value), ...Object.fromEntries(calls) };
}

const SETTINGS = ["mode", "difficulty", "game", "repeatActionProbability", "soundObs"];

/** Functions that make environments. The options of a game are checked in one place, for workers too. */
export const CREATIONS: Calls = {
  ...creations("Game", Game, {}, ["rom", "preset", "wrappers", "seed", "autoreset", ...SETTINGS]),
  "Game.create({ wrappers: [?] })": async ({ rom }, value) => (await Game.create({ rom, wrappers: [value] })).close(),
  "Game.create({ wrappers: [{ type: ? }] })": async ({ rom }, value) =>
    (await Game.create({ rom, wrappers: [{ type: value }] })).close(),
  "Game.create({ wrappers: [{ n: ? }] })": async ({ rom }, value) =>
    (await Game.create({ rom, wrappers: [{ type: "SkipFrames", n: value }] })).close(),
  ...creations("Arcade", Arcade, {}, ["rom", "seed", "frameSkip", ...SETTINGS]),
  ...creations("GameWorker", GameWorker, {}, ["rom", "seed", "canvas"]),
  ...creations("VectorEnv", VectorEnv, { numEnvs: 1, workers: 0 }, [
    "rom",
    "seed",
    "numEnvs",
    "workers",
    "keepStates",
    "canvases",
  ]),
  "VectorEnv.create({ numEnvs: ? }) with workers": async ({ rom }, value) =>
    (await VectorEnv.create({ rom, numEnvs: value })).close(),
  ...creations("Trainer", Trainer, { workers: 0 }, [
    "rom",
    "seed",
    "workers",
    "resume",
    "hyperParameters",
    "algorithm",
  ]),
};

/** The description of a game that is not opened. */
export const DESCRIPTIONS: Calls = {
  "describe(?)": (_, value) => describe(value),
  "describe({ rom: ? })": (_, value) => describe({ rom: value }),
  "describe({ preset: ? })": ({ rom }, value) => describe({ rom, preset: value }),
};

/** The methods of a single environment, and of ALE's interface. */
export const SINGLE: Calls = {
  "game.reset(?)": ({ game }, value) => game.reset(value),
  "game.reset({ seed: ? })": ({ game }, value) => game.reset({ seed: value }),
  "game.reset({ into: ? })": ({ game }, value) => game.reset({ into: value }),
  "game.step(?)": ({ game }, value) => game.step(value),
  "game.step(0, ?)": ({ game }, value) => game.step(0, value),
  "game.step(0, { into: ? })": ({ game }, value) => game.step(0, { into: value }),
  "game.step(0, { paddleStrength: ? })": ({ game }, value) => game.step(0, { paddleStrength: value }),
  "game.render(?)": ({ game }, value) => game.render(value),
  "game.render({ data: ? })": ({ game }, value) => game.render({ data: value } as Bad),
  "game.screen(?)": ({ game }, value) => game.screen(value),
  "game.screenGrey(?)": ({ game }, value) => game.screenGrey(value),
  "game.screenRgb(?)": ({ game }, value) => game.screenRgb(value),
  "game.ram(?)": ({ game }, value) => game.ram(value),
  "game.setRam(?, 0)": ({ game }, value) => game.setRam(value, 0),
  "game.setRam(0, ?)": ({ game }, value) => game.setRam(0, value),
  "game.setSwitches(?)": ({ game }, value) => game.setSwitches(value),
  "game.setSwitches({ reset: ? })": ({ game }, value) => game.setSwitches({ reset: value }),
  "game.setSwitches({ leftDifficulty: ? })": ({ game }, value) => game.setSwitches({ leftDifficulty: value }),
  "game.restore(?)": ({ game }, value) => game.restore(value),
  "game.restoreState(?)": ({ game }, value) => game.restoreState(value),

  "arcade.act(?)": ({ arcade }, value) => arcade.act(value),
  "arcade.act(0, ?)": ({ arcade }, value) => arcade.act(0, value),
  "arcade.act(0, { paddleStrength: ? })": ({ arcade }, value) => arcade.act(0, { paddleStrength: value }),
  "arcade.act(0, { playerB: ? })": ({ arcade }, value) => arcade.act(0, { playerB: value }),
  "arcade.act(0, { paddleStrengthB: ? })": ({ arcade }, value) => arcade.act(0, { paddleStrengthB: value }),
  "arcade.setMode(?)": ({ arcade }, value) => arcade.setMode(value),
  "arcade.setDifficulty(?)": ({ arcade }, value) => arcade.setDifficulty(value),
  "arcade.ram(?)": ({ arcade }, value) => arcade.ram(value),
  "arcade.setRam(?, 0)": ({ arcade }, value) => arcade.setRam(value, 0),
  "arcade.setRam(0, ?)": ({ arcade }, value) => arcade.setRam(0, value),
  "arcade.setSwitches(?)": ({ arcade }, value) => arcade.setSwitches(value),
  "arcade.setSwitches({ select: ? })": ({ arcade }, value) => arcade.setSwitches({ select: value }),
  "arcade.screen(?)": ({ arcade }, value) => arcade.screen(value),
  "arcade.screenGrey(?)": ({ arcade }, value) => arcade.screenGrey(value),
  "arcade.screenRgb(?)": ({ arcade }, value) => arcade.screenRgb(value),
  "arcade.render(?)": ({ arcade }, value) => arcade.render(value),
  "arcade.save(?)": ({ arcade }, value) => arcade.save(value),
  "arcade.save({ generators: ? })": ({ arcade }, value) => arcade.save({ generators: value }),
  "arcade.restore(?)": ({ arcade }, value) => arcade.restore(value),

  "worker.reset(?)": ({ worker }, value) => worker.reset(value),
  "worker.reset({ seed: ? })": ({ worker }, value) => worker.reset({ seed: value }),
  "worker.reset({ picture: ? })": ({ worker }, value) => worker.reset({ picture: value }),
  "worker.step(?)": ({ worker }, value) => worker.step(value),
  "worker.step(0, ?)": ({ worker }, value) => worker.step(0, value),
  "worker.step(0, { paint: ? })": ({ worker }, value) => worker.step(0, { paint: value }),
  "worker.step(0, { paddleStrength: ? })": ({ worker }, value) => worker.step(0, { paddleStrength: value }),
  "worker.setRam(?, 0)": ({ worker }, value) => worker.setRam(value, 0),
  "worker.setRam(0, ?)": ({ worker }, value) => worker.setRam(0, value),
  "worker.setSwitches(?)": ({ worker }, value) => worker.setSwitches(value),
  "worker.setSwitches({ select: ? })": ({ worker }, value) => worker.setSwitches({ select: value }),
  "worker.restore(?)": ({ worker }, value) => worker.restore(value),
  "worker.recycle(?)": ({ worker }, value) => worker.recycle(value),
};

/** Sends, and receives what was sent. */
async function received({ envs }: World, send: () => void): Promise<void> {
  send();
  await envs.recv();
}

/** The methods of a batch. */
export const BATCH: Calls = {
  "envs.reset(?)": ({ envs }, value) => envs.reset(value),
  "envs.reset({ seed: ? })": ({ envs }, value) => envs.reset({ seed: value }),
  "envs.reset({ mask: ? })": ({ envs }, value) => envs.reset({ mask: value }),
  "envs.reset({ into: ? })": ({ envs }, value) => envs.reset({ into: value }),
  "envs.step(?)": ({ envs }, value) => envs.step(value),
  "envs.step([0, ?])": ({ envs }, value) => envs.step([0, value]),
  "envs.step([0, 0], ?)": ({ envs }, value) => envs.step([0, 0], value),
  "envs.step([0, 0], { into: ? })": ({ envs }, value) => envs.step([0, 0], { into: value }),
  ...Object.fromEntries(
    ["rewards", "rawRewards", "terminated", "truncated", "infos"].map((name) => [
      `envs.step([0, 0], { into: { ${name}: ? } })`,
      async ({ envs }: World, value: Bad) => {
        const result = await envs.step([0, 0]);
        await envs.step([0, 0], { into: { ...result, [name]: value } });
      },
    ]),
  ),
  "envs.step([0, 0], { paint: ? })": ({ envs }, value) => envs.step([0, 0], { paint: value }),
  "envs.stepMany(?)": ({ envs }, value) => envs.stepMany(value),
  "envs.stepMany([?])": ({ envs }, value) => envs.stepMany([value]),
  "envs.stepMany([[0, 0]], ?)": ({ envs }, value) => envs.stepMany([[0, 0]], value),
  "envs.stepMany([[0, 0]], { observations: ? })": ({ envs }, value) => envs.stepMany([[0, 0]], { observations: value }),
  "envs.stepMany([[0, 0]], { into: ? })": ({ envs }, value) => envs.stepMany([[0, 0]], { into: value }),
  "envs.send(?)": (world, value) => received(world, () => world.envs.send(value)),
  "envs.send([0], ?)": (world, value) => received(world, () => world.envs.send([0], value)),
  "envs.send([0], [?])": (world, value) => received(world, () => world.envs.send([0], [value])),
  "envs.sendReset(?)": (world, value) => received(world, () => world.envs.sendReset(value)),
  "envs.sendReset([?])": (world, value) => received(world, () => world.envs.sendReset([value])),
  "envs.recv(?)": ({ envs }, value) => envs.recv(value),
  "envs.recv(1, ?)": ({ envs }, value) => envs.recv(1, value),
  "envs.recv(1, { into: ? })": ({ envs }, value) => envs.recv(1, { into: value }),
  "envs.save(?)": ({ envs }, value) => envs.save(value),
  "envs.restore(?, state)": ({ envs, state }, value) => envs.restore(value, state),
  "envs.restore(0, ?)": ({ envs }, value) => envs.restore(0, value),
  "envs.copyLane(?, 0)": ({ envs }, value) => envs.copyLane(value, 0),
  "envs.copyLane(0, ?)": ({ envs }, value) => envs.copyLane(0, value),
  "envs.revive(?)": ({ envs }, value) => envs.revive(value),
  "envs.render(?)": ({ envs }, value) => envs.render(value),
  "envs.ram(?)": ({ envs }, value) => envs.ram(value),
  "envs.setRam(?, 0, 0)": ({ envs }, value) => envs.setRam(value, 0, 0),
  "envs.setRam(0, ?, 0)": ({ envs }, value) => envs.setRam(0, value, 0),
  "envs.setRam(0, 0, ?)": ({ envs }, value) => envs.setRam(0, 0, value),
  "envs.setSwitches(?, {})": ({ envs }, value) => envs.setSwitches(value, {}),
  "envs.setSwitches(0, ?)": ({ envs }, value) => envs.setSwitches(0, value),
  "envs.screen(?)": ({ envs }, value) => envs.screen(value),
  "envs.screenGrey(?)": ({ envs }, value) => envs.screenGrey(value),
  "envs.screenRgb(?)": ({ envs }, value) => envs.screenRgb(value),
  "envs.audio(?)": ({ envs }, value) => envs.audio(value),
  "envs.lastAction(?)": ({ envs }, value) => envs.lastAction(value),
  "envs.setCanvas(0, ?)": ({ envs }, value) => envs.setCanvas(0, value),
  "envs.paint(?)": ({ envs }, value) => envs.paint(value),
  "envs.recycle(?)": ({ envs }, value) => envs.recycle(value),
};
