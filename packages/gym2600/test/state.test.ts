import { Game, GameWorker, Gym2600Error, type PresetName, type StepResult, wallop } from "gym2600";
import { afterEach, expect, test } from "vitest";
import { rom } from "../../../tests/package/support.js";
import { digest } from "./digest.js";

const open: Array<Game | GameWorker> = [];

afterEach(async () => {
  for (const game of open.splice(0)) await game.close();
});

async function game(preset: PresetName, seed: number): Promise<Game> {
  const created = await Game.create({ rom: wallop, preset, seed });
  open.push(created);
  return created;
}

/** The results of the steps `from` to `from + 120`, with a reset after each end if the preset does not reset itself. */
function play(played: Game, from: number): unknown[] {
  const results: unknown[] = [];
  for (let step = from; step < from + 120; step++) {
    const result: StepResult = played.step((step * 7) % played.actionSpace.n);
    results.push(digest(result));
    if ((result.terminated || result.truncated) && !played.description.resetsItself)
      results.push(digest(played.reset()));
  }
  return results;
}

test.each(["labml", "nature-dqn", "gymnasium", "ale-vector", "gym2600"] as const)(
  "%s goes on from a saved state in another game as if it had never stopped",
  async (preset) => {
    const original = await game(preset, 3);
    original.reset();
    play(original, 0);
    const state = original.save();
    const expected = play(original, 500);
    const other = await game(preset, 9);
    other.restore(state);
    expect(play(other, 500)).toEqual(expected);
    original.restore(state);
    expect(play(original, 500)).toEqual(expected);
  },
);

test.each(["labml", "nature-dqn", "gymnasium", "ale-vector", "envpool", "baselines", "gym2600"] as const)(
  "%s plays on byte for byte in a clone and from a state in memory, each by itself",
  async (preset) => {
    const original = await Game.create({ rom: wallop, preset, seed: 3, repeatActionProbability: 0.25 });
    open.push(original);
    original.reset();
    play(original, 0);
    const state = original.cloneState();
    const saved = original.save();
    const clone = original.clone();
    open.push(clone);
    expect(clone.save()).toEqual(saved);
    expect([clone.actionSpace.sample(), clone.actionSpace.sample()]).toEqual([
      original.actionSpace.sample(),
      original.actionSpace.sample(),
    ]);
    const expected = play(clone, 500);
    expect(original.save()).toEqual(saved);
    expect(play(original, 500)).toEqual(expected);
    const shown = original.restoreState(state);
    expect(original.save()).toEqual(saved);
    expect(digest(shown)).toEqual(digest(original.restore(saved)));
    const other = await Game.create({ rom: wallop, preset, seed: 9, repeatActionProbability: 0.25 });
    open.push(other);
    other.restoreState(state);
    expect(play(other, 500)).toEqual(expected);
    const into = new Uint8Array(shown.observation.length);
    expect(original.restoreState(state, { into }).observation).toBe(into);
    expect(into).toEqual(shown.observation);
    original.close();
    expect(play(clone, 0).length).toBeGreaterThan(0);
    clone.restoreState(state);
    expect(play(clone, 500)).toEqual(expected);
    state.close();
    state.close();
    expect(() => clone.restoreState(state)).toThrow(expect.objectContaining({ code: "closed" }));
  },
);

test("states in memory of other games, and what is none, are refused and change nothing", async () => {
  const [labml, gym] = [await game("labml", 0), await game("gymnasium", 0)];
  const pong = await Game.create({ rom: rom("pong"), preset: "labml" });
  open.push(pong);
  labml.reset();
  const before = labml.save();
  const bad = [gym.cloneState(), pong.cloneState(), labml.save(), labml, null, undefined, {}] as unknown[];
  for (const state of bad as Array<ReturnType<Game["cloneState"]>>) {
    expect(() => labml.restoreState(state)).toThrow(expect.objectContaining({ code: "bad-saved-state" }));
  }
  expect(labml.save()).toEqual(before);
  labml.close();
  expect(() => labml.cloneState()).toThrow(expect.objectContaining({ code: "closed" }));
  expect(() => labml.clone()).toThrow(expect.objectContaining({ code: "closed" }));
});

test("the same play has the same states before its program is compiled, meanwhile and afterwards", async () => {
  let compiled = 0;
  WebAssembly.Instance = new Proxy(WebAssembly.Instance, {
    construct(target, args: [WebAssembly.Module, WebAssembly.Imports]) {
      compiled++;
      return new target(...args);
    },
  });
  const runs: unknown[][] = [];
  for (let run = 0; run < 6; run++) {
    const played = await Game.create({ rom: rom("pong"), preset: "gym2600", seed: 1 });
    played.reset();
    runs.push(
      Array.from({ length: 40 }, (_, step) => {
        played.step(step % played.actionSpace.n);
        return digest(played.save());
      }),
    );
    played.close();
  }
  for (const states of runs) expect(states).toEqual(runs[0]);
  expect(compiled).toBeGreaterThan(0);
});

test("a worker's state is the game's, and the caller keeps the bytes", async () => {
  const local = await game("labml", 4);
  local.reset();
  play(local, 0);
  const state = local.save();
  const worker = await GameWorker.create({ rom: wallop, preset: "labml", seed: 0 });
  open.push(worker);
  await worker.restore(state);
  expect(state.byteLength).toBeGreaterThan(0);
  expect(digest(await worker.save())).toEqual(digest(state));
  expect(digest(await worker.step(1))).toEqual(digest(local.step(1)));
});

test("bytes that are no state of this game are refused and change nothing", async () => {
  const [labml, baselines] = [await game("labml", 0), await game("baselines", 0)];
  labml.reset();
  const before = labml.save();
  const damaged = before.slice();
  damaged[before.length >> 1] = (before[before.length >> 1] ?? 0) ^ 1;
  const refused = [new Uint8Array(), before.subarray(0, 100), damaged, baselines.save(), wallop];
  for (const bytes of refused) {
    const error = codeOf(() => labml.restore(bytes));
    expect(error).toBe("bad-saved-state");
  }
  expect(codeOf(() => labml.restore("state" as unknown as Uint8Array))).toBe("bad-saved-state");
  expect(digest(labml.save())).toEqual(digest(before));
  const worker = await GameWorker.create({ rom: wallop, preset: "labml", seed: 0 });
  open.push(worker);
  await expect(worker.restore(damaged)).rejects.toMatchObject({ code: "bad-saved-state" });
});

function codeOf(call: () => void): string | undefined {
  try {
    call();
  } catch (error) {
    return error instanceof Gym2600Error ? error.code : String(error);
  }
  return undefined;
}
