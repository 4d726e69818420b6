/** Reads what the page saved as JSON: games, runs and states. These are files from outside, so every field is checked. */

import type { GameDefinition } from "gym2600";
import type { SavedGame } from "../show/types.js";
import { Curve, type Row } from "../state/curve.js";
import { readHash, visible } from "../state/link.js";
import { DEFAULT_SETUP, type Setup } from "../state/setup.js";
import * as store from "../state/store.js";

/** A state with the game and the setup that it is of. */
export interface StateFile {
  readonly md5: string;
  readonly setup: Setup;
  readonly definition: GameDefinition | undefined;
  readonly saved: SavedGame;
}

type Fields = Readonly<Record<string, unknown>>;

const MOST_UPDATES = 100_000;
const MOST_RUNS = 50;
/** Base64 of a state: a state of the largest stack of pictures takes a tenth of it. */
const LONGEST_STATE = 32 * 1024 * 1024;
const PLAYERS = ["agent", "random", "you", "mixed"] as const;

function wrong(name: string, wanted: string): never {
  throw new Error(`its ${name} has to be ${wanted}`);
}

function fields(value: unknown, name: string): Fields {
  if (typeof value !== "object" || value === null || Array.isArray(value)) wrong(name, "an object");
  return value as Fields;
}

function list(value: unknown, name: string, most: number): readonly unknown[] {
  if (!Array.isArray(value) || value.length > most) wrong(name, `a list of at most ${most.toLocaleString("en")}`);
  return value;
}

function number(value: unknown, name: string): number {
  if (typeof value !== "number" || !Number.isFinite(value)) wrong(name, "a number");
  return value;
}

function whole(value: unknown, name: string): number {
  if (!Number.isSafeInteger(value) || (value as number) < 0) wrong(name, "a whole number");
  return value as number;
}

function optional<T>(value: unknown, read: (value: unknown) => T): T | undefined {
  return value === undefined || value === null ? undefined : read(value);
}

function text(value: unknown, name: string): string {
  if (typeof value !== "string") wrong(name, "a text");
  return visible(value, 200);
}

/** What a game or a run was played with. */
function playedWithIn(given: Fields): store.PlayedWith {
  const settings = fields(given.settings, "settings");
  const wrappers = list(settings.wrappers, "wrappers", 100).map((one) => {
    const wrapper = fields(one, "wrappers");
    return { ...wrapper, type: text(wrapper.type, "wrappers") };
  });
  return {
    rom: text(given.rom, "rom"),
    md5: optional(given.md5, (value) => text(value, "md5")),
    preset: text(given.preset, "preset"),
    mode: optional(given.mode, (value) => whole(value, "mode")),
    difficulty: optional(given.difficulty, (value) => whole(value, "difficulty")),
    seed: whole(given.seed, "seed"),
    // Only written to files again.
    settings: { ...(settings as unknown as store.Settings), wrappers },
  };
}

/** The games of a list, the latest if there are too many. @throws Error which names the field at fault */
export function gamesIn(value: unknown): Omit<store.Episode, "number">[] {
  return list(value, "games", 1_000_000)
    .slice(-store.KEPT_EPISODES)
    .map((one) => {
      const game = fields(one, "games");
      const player = PLAYERS.find((name) => name === game.player) ?? wrong("player", `one of ${PLAYERS.join(", ")}`);
      return {
        player,
        policy: text(game.policy, "policy"),
        score: number(game.score, "score"),
        length: whole(game.decisions, "decisions"),
        time: number(game.seconds, "seconds"),
        playedWith: playedWithIn(game),
      };
    });
}

/** Runs of training, with their curves. @throws Error which names the field at fault */
export function runsIn(value: unknown): Omit<store.Run, "number" | "name">[] {
  return list(value, "runs", MOST_RUNS).map((one) => {
    const run = fields(one, "runs");
    const playedWith = playedWithIn(run);
    const curve = new Curve();
    for (const update of list(run.updates, "updates", MOST_UPDATES)) {
      const row = rowIn(fields(update, "updates"));
      curve.add(row, row.minutes * 60_000);
    }
    const skip = whole(run.framesOfDecision, "framesOfDecision");
    return { curve, skip, unit: store.unitOf(playedWith.settings.wrappers), playedWith };
  });
}

/** The numbers and texts of an object. What was no number when it was written, such as a share of nothing, is none again. */
function plain(given: Fields): Fields {
  const values = Object.entries(given).flatMap(([name, value]): (readonly [string, number | string])[] => {
    if (typeof value === "number" || value === null) return [[name, value ?? Number.NaN]];
    return typeof value === "string" ? [[name, text(value, name)]] : [];
  });
  return Object.fromEntries(values);
}

function rowIn(update: Fields): Row {
  const finished = list(update.finished, "finished", 100_000).map((one) => {
    const game = fields(one, "finished");
    return { ...plain(game), reward: number(game.reward, "reward"), length: whole(game.length, "length") };
  });
  const steps = whole(update.decisions, "decisions");
  const minutes = number(update.minutes, "minutes");
  const at = whole(update.update, "update");
  const { decisions: _steps, ...values } = plain(update);
  return { ...values, update: at, steps, minutes, finished } as unknown as Row;
}

/** A state. The game checks its bytes. @throws Error which names the field at fault */
export function readState(value: unknown): StateFile {
  const state = fields(value, "state");
  const md5 = text(state.md5, "md5");
  if (!/^[0-9a-f]{32}$/.test(md5)) wrong("md5", "32 of the digits 0 to 9 and a to f");
  if (typeof state.bytes !== "string" || state.bytes.length > LONGEST_STATE) wrong("bytes", "a text of base64");
  if (typeof state.setup !== "string") wrong("setup", "a text");
  const players = list(state.players, "players", 10).map((one) => {
    const [player, policy] = list(one, "players", 2);
    const known = (["agent", "random", "you"] as const).find((name) => name === player);
    return [known ?? wrong("players", "agent, random or you"), text(policy, "players")] as const;
  });
  return {
    md5,
    setup: readHash(state.setup)?.setup ?? DEFAULT_SETUP,
    // The game checks it, as that of a person's own text.
    definition: optional(state.definition, (given) => fields(given, "definition") as unknown as GameDefinition),
    saved: {
      state: Uint8Array.from(atob(state.bytes), (character) => character.charCodeAt(0)),
      score: number(state.score, "score"),
      partial: state.partial === true,
      players,
    },
  };
}
