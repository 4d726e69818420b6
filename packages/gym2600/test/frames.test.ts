/** The frames of steps and resets. */

import { Game, type GameOptions, wallop } from "gym2600";
import { afterEach, expect, test } from "vitest";
import { rom } from "../../../tests/package/support.js";
import { digest } from "./digest.js";

const open: Game[] = [];

async function create(options: Omit<GameOptions, "rom">): Promise<Game> {
  const game = await Game.create({ rom: wallop, seed: 0, soundObs: true, ...options });
  open.push(game);
  return game;
}

afterEach(() => {
  for (const game of open.splice(0)) game.close();
});

test("a step has the pictures, the sound, the points and the infos of its frames, and the result of a step without them", async () => {
  const [kept, plain, single] = [
    await create({ preset: "gymnasium", repeatActionProbability: 0 }),
    await create({ preset: "gymnasium", repeatActionProbability: 0 }),
    await create({ wrappers: [], autoreset: "disabled" }),
  ];
  kept.keepFrames();
  expect(digest(kept.reset())).toEqual(digest(plain.reset()));
  // From the same state of the console.
  const noops = kept.frames().length;
  expect(plain.frames()).toEqual([]);
  single.reset();
  for (let noop = 0; noop < noops; noop++) single.step(0);
  expect(single.screen()).toEqual(kept.screen());
  for (let step = 0; step < 60; step++) {
    const action = step % kept.actionSpace.n;
    const result = kept.step(action);
    expect(digest(result)).toEqual(digest(plain.step(action)));
    const frames = kept.frames();
    expect(frames.length).toBe(4);
    for (const frame of frames) {
      const { rawReward, info } = single.step(action);
      expect(digest(frame)).toEqual(
        digest({ screen: single.screen(), audio: single.audio(), reward: rawReward, info }),
      );
    }
    expect(frames.reduce((points, { reward }) => points + reward, 0)).toBe(result.rawReward);
    expect(Buffer.concat(frames.map(({ audio }) => audio)).equals(kept.audio())).toBe(true);
  }
  expect(digest(kept.save())).toEqual(digest(plain.save()));
});

test("the arrays of frames are the caller's", async () => {
  const game = await create({ preset: "labml" });
  game.keepFrames();
  game.reset();
  game.step(1);
  const frames = game.frames();
  const before = digest(frames);
  for (let step = 0; step < 20; step++) game.step(2);
  expect(digest(frames)).toEqual(before);
  const [frame] = frames;
  structuredClone(frame, { transfer: [frame?.screen.buffer, frame?.audio.buffer] as ArrayBuffer[] });
  expect(game.frames().every(({ screen, audio }) => screen.length > 0 && audio.length === 512)).toBe(true);
});

test("the palette colours the console's picture", async () => {
  for (const name of ["breakout", "air_raid"]) {
    const game = await Game.create({ rom: rom(name) });
    open.push(game);
    game.reset();
    const [colours, indices] = [new Uint32Array(game.palette().buffer), game.screen()];
    const { data } = game.render();
    expect(new Uint32Array(data.buffer)).toEqual(Uint32Array.from(indices, (index) => colours[index] ?? 0));
  }
});

test("a restored state has its observation and info, and no frames", async () => {
  const game = await create({ preset: "labml" });
  game.keepFrames();
  game.reset();
  const play = (steps: number) =>
    Array.from({ length: steps }, (_, step) => game.step(step % game.actionSpace.n)).at(-1);
  const last = play(30);
  const state = game.save();
  play(5);
  const { observation, info } = game.restore(state);
  expect(digest(observation)).toEqual(digest(last?.observation));
  expect(info).toEqual(last?.info);
  expect(game.frames()).toEqual([]);
});
