/**
 * States of any content behind a right checksum are refused with `bad-saved-state`, or played like any other state.
 *
 * `GYM2600_FUZZ_SECONDS` and `GYM2600_FUZZ_SEED` make the run longer and different: see `scripts/fuzz`.
 */

import { createHash } from "node:crypto";
import { Arcade, Game, Gym2600Error, type PresetName, wallop } from "gym2600";
import { expect, test } from "vitest";
import { HANG_MS } from "../../../tests/limits.js";
import { rom } from "../../../tests/package/support.js";
import { packedOf, seal, sealPacked, unseal } from "./sealed-state.js";

/** Changed states of each subject, interpreted and compiled. */
const STATES = 150;
const STEPS = 20;

/** How long the attacks of this file go on together; once through all of them unless given. */
const SECONDS = Number(process.env.GYM2600_FUZZ_SECONDS || 0);
const SEED = Number(process.env.GYM2600_FUZZ_SEED || 0);
const ATTACKS = 3;
const LIMIT_MS = HANG_MS + SECONDS * 1000;

const PRESETS = ["gym2600", "labml", "nature-dqn", "gymnasium", "ale-vector", "envpool", "baselines"] as const;
/** A game of each mapper: E0, FE, DPC, F8SC, F6SC, F6, F8, 2K. WALLOP has 4K. */
const CARTRIDGES = [
  "montezuma_revenge",
  "robotank",
  "pitfall2",
  "elevator_action",
  "darkchambers",
  "solaris",
  "asterix",
  "boxing",
] as const;

/** Compiled programs of this thread, and whether the engine refuses to compile any. */
const engine = { compiled: 0, refuses: false };
WebAssembly.Instance = new Proxy(WebAssembly.Instance, {
  construct(target, args: [WebAssembly.Module, WebAssembly.Imports]) {
    engine.compiled++;
    return new target(...args);
  },
});
WebAssembly.Module = new Proxy(WebAssembly.Module, {
  construct(target, args: [BufferSource]) {
    if (engine.refuses) throw new WebAssembly.CompileError("refused by the test");
    return new target(...args);
  },
});

/** What is attacked: something with states that can be played. */
interface Subject {
  save(): Uint8Array;
  restore(state: Uint8Array): void;
  /** Plays a step, after a reset where one is needed. */
  step(number: number): void;
  close(): void;
}

async function gameOf(preset: PresetName): Promise<Subject> {
  const game = await Game.create({ rom: wallop, preset, seed: 5 });
  const into = new Uint8Array(game.observationSpace.size);
  game.reset();
  return {
    save: () => game.save(),
    restore: (state) => game.restore(state),
    step(number) {
      try {
        game.step(number % game.actionSpace.n, { into });
      } catch (error) {
        // Before the first reset and after the end of an episode, a step is refused.
        if (codeOf(error) !== "bad-state") throw error;
        game.reset();
      }
    },
    close: () => game.close(),
  };
}

async function arcadeOf(bytes: Uint8Array<ArrayBuffer>, generators: boolean): Promise<Subject> {
  const arcade = await Arcade.create({ rom: bytes, repeatActionProbability: 0.25, soundObs: true });
  const picture = arcade.screen();
  return {
    save: () => arcade.save({ generators }),
    restore: (state) => arcade.restore(state),
    step(number) {
      if (arcade.gameOver || arcade.gameTruncated) arcade.resetGame();
      arcade.act(number % 18);
      arcade.screen(picture);
      arcade.ram();
    },
    close: () => arcade.close(),
  };
}

function codeOf(error: unknown): unknown {
  return error instanceof Gym2600Error ? error.code : error;
}

/** Numbers below a limit from a seed. */
function generator(seed: number): (limit: number) => number {
  let state = seed >>> 0;
  return (limit) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

/** Where both pictures are in a state. Their bytes may have any value, so most changes are made elsewhere. */
const PICTURES = { start: 500, end: 67_600 };

/** Another state like `sealed`, which has the payload `payload`. */
function changed(sealed: Uint8Array, payload: Uint8Array, random: (limit: number) => number): Uint8Array {
  switch (random(16)) {
    case 0:
      return seal(sealed, payload.subarray(0, random(payload.length)));
    case 1: {
      const packed = packedOf(sealed).slice();
      packed[random(packed.length)] = random(256);
      return sealPacked(sealed, packed);
    }
    case 2: {
      const packed = packedOf(sealed);
      return sealPacked(sealed, packed.subarray(0, random(packed.length)));
    }
    default: {
      const state = payload.slice();
      for (let count = 1 + random(4); count > 0; count--) changePlace(state, random);
      return seal(sealed, state);
    }
  }
}

function changePlace(state: Uint8Array, random: (limit: number) => number): void {
  let place = random([PICTURES.start, state.length][random(2)] ?? state.length);
  // A payload without pictures is shorter.
  if (state.length > PICTURES.end && place >= PICTURES.start && place < PICTURES.end) {
    place = PICTURES.end + random(state.length - PICTURES.end);
  }
  const values = [0, 1, 2, 0x7f, 0x80, 0xff, random(256), (state[place] ?? 0) ^ (1 << random(8))];
  state[place] = values[random(values.length)] ?? 0;
  if (random(8) === 0) state.fill(0xff, place, place + 4);
}

/** What became of each changed state: "refused", or the digest of the state after some steps. */
function attack(subject: Subject, seed: number): string[] {
  const random = generator(seed);
  const sealed = subject.save();
  const payload = unseal(sealed);
  subject.restore(seal(sealed, payload));
  expect(Buffer.compare(subject.save(), sealed), "the test seals as the package does").toBe(0);
  return Array.from({ length: STATES }, (_, number) => {
    try {
      subject.restore(changed(sealed, payload, random));
    } catch (error) {
      expect(codeOf(error), `state ${number}`).toBe("bad-saved-state");
      return "refused";
    }
    try {
      for (let step = 0; step < STEPS; step++) subject.step(number + step);
    } catch (error) {
      throw new Error(`state ${number} is restored, and cannot be played`, { cause: error });
    }
    return createHash("sha1").update(subject.save()).digest("hex");
  });
}

/** Attacks a new subject. It plays long before, so that its program is compiled if the engine permits it. */
async function attacked(open: () => Promise<Subject>, frames: number, seed: number): Promise<string[]> {
  const subject = await open();
  for (let step = 0; step < frames; step++) subject.step(step);
  try {
    return attack(subject, seed);
  } finally {
    subject.close();
  }
}

/** Attacks subjects with other seeds for this attack's share of the time, at least once. */
async function attackedOften(subjects: ReadonlyArray<() => Promise<Subject>>, steps: number): Promise<void> {
  const end = performance.now() + (SECONDS * 1000) / ATTACKS;
  let rounds = 0;
  do {
    await attackedTwice(subjects, steps, SEED + rounds * subjects.length);
    rounds++;
  } while (performance.now() < end);
  if (SECONDS > 0) console.log(`${rounds} rounds of ${subjects.length} subjects, ${STATES} states each, played twice`);
}

/** Attacks subjects interpreted, then compiled, and compares what becomes of each state. The first subject has the seed `first`. */
async function attackedTwice(
  subjects: ReadonlyArray<() => Promise<Subject>>,
  steps: number,
  first: number,
): Promise<void> {
  engine.refuses = true;
  const before = engine.compiled;
  const interpreted: string[][] = [];
  for (const [number, open] of subjects.entries()) interpreted.push(await attacked(open, steps, first + number));
  expect(engine.compiled).toBe(before);
  engine.refuses = false;
  // The last program is remembered as one that cannot be compiled. Another takes its place.
  (await Arcade.create({ rom: rom("pong") })).close();
  for (const [number, open] of subjects.entries()) {
    const seed = first + number;
    expect(await attacked(open, steps, seed), `subject ${number}, seed ${seed}`).toEqual(interpreted[number]);
  }
  expect(engine.compiled).toBeGreaterThan(before);
  const all = interpreted.flat();
  const refused = all.filter((outcome) => outcome === "refused").length;
  expect(refused).toBeGreaterThan(all.length / 10);
  expect(all.length - refused).toBeGreaterThan(all.length / 10);
}

test(
  "changed states of a game with each preset are refused or played, interpreted and compiled",
  async () => {
    await attackedOften(
      PRESETS.map((preset) => () => gameOf(preset)),
      200,
    );
  },
  LIMIT_MS,
);

test(
  "changed states of an arcade with and without generators are refused or played, interpreted and compiled",
  async () => {
    await attackedOften(
      [true, false].map((generators) => () => arcadeOf(wallop, generators)),
      600,
    );
  },
  LIMIT_MS,
);

test(
  "changed states of cartridges with each mapper are refused or played, interpreted and compiled",
  async () => {
    await attackedOften(
      CARTRIDGES.map((name) => () => arcadeOf(rom(name), true)),
      600,
    );
  },
  LIMIT_MS,
);

test("a state that unpacks to more than any state has is refused", async () => {
  const subject = await gameOf("labml");
  const sealed = subject.save();
  for (const megabytes of [17, 200]) {
    const state = seal(sealed, new Uint8Array(megabytes << 20));
    expect(state.length).toBeLessThan(8 << 20);
    expect(() => subject.restore(state)).toThrow(expect.objectContaining({ code: "bad-saved-state" }));
  }
  expect(Buffer.compare(subject.save(), sealed)).toBe(0);
  subject.close();
});
