/**
 * Files that the page writes of games and of training. Each game and each run says which ROM, version, environment, seed and settings it
 * is of.
 */

import type { SavedGame } from "../show/types.js";
import type { Row } from "../state/curve.js";
import { hashOf } from "../state/link.js";
import type { Cartridge, Setup } from "../state/setup.js";
import type * as store from "../state/store.js";

/** The version of the package that the page was built with. */
declare const __VERSION__: string;

/** The columns that say what a row is of, and their values. */
const ORIGIN = ["rom", "md5", "version", "preset", "mode", "difficulty", "seed", "settings"];

function originOf(playedWith: store.PlayedWith): unknown[] {
  const { rom, md5 = "", preset, mode = "default", difficulty = "default", seed, settings } = playedWith;
  return [rom, md5, __VERSION__, preset, mode, difficulty, seed, JSON.stringify(settings)];
}

/** The games as comma-separated values, the oldest first. */
export function csvOf(episodes: readonly store.Episode[]): string {
  return table(
    ["game", "player", "score", "decisions", "seconds", "policy", ...ORIGIN],
    episodes.map(({ number, player, score, length, time, policy, playedWith }) => [
      ...[number, player, score, length, time.toFixed(2), policy],
      ...originOf(playedWith),
    ]),
  );
}

/** The games as JSON. */
export function jsonOf(episodes: readonly store.Episode[]): string {
  const games = episodes.map(({ number, player, score, length, time, policy, playedWith }) => ({
    game: number,
    player,
    score,
    decisions: length,
    seconds: Number(time.toFixed(2)),
    policy,
    ...playedWith,
  }));
  return written({ games });
}

/** The numbers of an update in the order of the columns. */
const NUMBERS = [
  "episodes",
  "mean",
  "least",
  "most",
  "lowerQuartile",
  "upperQuartile",
  "entropy",
  "policyLoss",
  "valueLoss",
  "kl",
  "clipFraction",
  "explainedVariance",
  "gradientNorm",
  "learningRate",
  "stepsPerSecond",
  "playing",
] as const satisfies readonly (keyof Row)[];

/** The updates of runs as comma-separated values, with the mean, least, most and quartiles of the scores of the last 100 games. */
export function runsCsvOf(runs: readonly store.Run[]): string {
  return table(
    ["run", "update", "decisions", "frames", "minutes", ...NUMBERS, ...ORIGIN],
    runs.flatMap(({ number, curve, skip, playedWith }) => {
      const origin = originOf(playedWith);
      return curve.rows.map((row) => [
        ...[number, row.update, row.steps, row.steps * skip, row.minutes.toFixed(3)],
        ...NUMBERS.map((name) => row[name] ?? ""),
        ...origin,
      ]);
    }),
  );
}

/** The training games of runs that have ended, as comma-separated values. */
export function runGamesCsvOf(runs: readonly store.Run[]): string {
  return table(
    ["run", "update", "score", "decisions", ...ORIGIN],
    runs.flatMap(({ number, curve, playedWith }) => {
      const origin = originOf(playedWith);
      return curve.rows.flatMap(({ update, finished }) =>
        finished.map(({ reward, length }) => [number, update, reward, length, ...origin]),
      );
    }),
  );
}

/** Runs as JSON, with their updates, and the games that ended in each. */
export function runsJsonOf(runs: readonly store.Run[]): string {
  const all = runs.map(({ number, skip, curve, playedWith }) => ({
    run: number,
    ...playedWith,
    framesOfDecision: skip,
    updates: curve.rows.map(({ steps, ...row }) => ({ ...row, decisions: steps })),
  }));
  return written({ runs: all });
}

/** A state of the show game, with the game and the setup that it is of. */
export function stateOf(
  { state, score, partial, players = [] }: SavedGame,
  setup: Setup,
  md5: string | undefined,
  definition: Cartridge["definition"],
): string {
  const bytes = btoa(Array.from(state, (byte) => String.fromCharCode(byte)).join(""));
  return written({ state: { md5, setup: hashOf(setup, md5, undefined), definition, score, partial, players, bytes } });
}

function written(contents: object): string {
  return `${JSON.stringify({ gym2600: __VERSION__, ...contents }, null, 1)}\n`;
}

function table(head: readonly string[], rows: readonly (readonly unknown[])[]): string {
  const lines = [head, ...rows].map((values) => values.map((value) => quoted(String(value))).join(","));
  return `${lines.join("\r\n")}\r\n`;
}

function quoted(text: string): string {
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
