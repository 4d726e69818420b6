/** The state of the page, all of it. Components read it in effects; actions write it. */

import { batch, computed, signal } from "@preact/signals-core";
import { wallop } from "gym2600";
import type { Processor } from "gym2600/learn";
import type { GameInfo, Pace, Played, ShowRecord, Speed } from "../show/protocol.js";
import type { LatchedSwitches, Player } from "../show/types.js";
import { Curve, type Told } from "./curve.js";
import { type Cartridge, DEFAULT_SETUP, describe, environmentName, HYPER_PARAMETERS, type Setup } from "./setup.js";

/** The state of the training. */
export type Training = "none" | "starting" | "running" | "pausing" | "paused" | "failed";

/** Which policy the agent has: one of the shipped ones, by its place, that of the run, or that of a file. */
export type PolicyChoice = 0 | 1 | 2 | "own" | "file";

/** A policy that the person has opened. */
export interface PolicyFile {
  readonly name: string;
  readonly weights: Uint8Array;
}

/** A run: the present one, or one that has ended and is kept for comparison. */
export interface Run {
  readonly number: number;
  readonly name: string;
  readonly curve: Curve;
  /** Frames of a step. */
  readonly skip: number;
  readonly unit: Unit;
  readonly playedWith: PlayedWith;
}

/** What a score is of: some environments end a game with its first lost life. */
export type Unit = "game" | "life";

/** What a game was played with. */
export interface PlayedWith {
  readonly rom: string;
  readonly md5: string | undefined;
  readonly preset: string;
  readonly mode: number | undefined;
  readonly difficulty: number | undefined;
  readonly seed: number;
  readonly settings: Settings;
}

/** How the agent saw the game and how it learned. Plain data. */
export interface Settings extends Pick<Setup, "algorithm" | "net" | "numEnvs" | "workers" | "hyperParameters"> {
  /** The resolved list. */
  readonly wrappers: GameInfo["wrappers"];
}

/** A game in the list of Data. */
export interface Episode extends Played {
  readonly number: number;
  readonly playedWith: PlayedWith;
  /** Seconds since the page was opened. */
  readonly time: number;
}

/** A message to the person, with buttons. */
export interface Message {
  readonly kind: "error" | "note";
  readonly headline: string;
  readonly detail: string;
  readonly actions: readonly { readonly label: string; readonly act: () => void }[];
  /** Is called when the person closes the message without an answer. */
  readonly dismissed?: () => void;
}

export type Drawer = "setup" | "data" | "explain" | "find";

/** The kept games of the list; older ones are only counted. */
export const KEPT_EPISODES = 5000;

export const WALLOP: Cartridge = { name: "wallop.bin", bytes: new Uint8Array(wallop) };

/** Its MD5. */
export const WALLOP_MD5 = "0d1ae6f25e0bc0ff058688d563a2ee2e";

// ---- what is played ----
export const cartridge = signal<Cartridge>(WALLOP);
export const setup = signal<Setup>(DEFAULT_SETUP);
/** The open game; undefined until the first is open. */
export const game = signal<GameInfo | undefined>(undefined);

// ---- the show game ----
export const running = signal(true);
/** What is left of the countdown before a person's game; 0 without one. */
export const countdown = signal(0);
export const speed = signal<Speed>("real-time");
export const player = signal<Player>("agent");
/** The console's switches but SELECT and RESET. */
export const switches = signal<LatchedSwitches>({});
export const saliency = signal(false);
export const record = signal<ShowRecord | undefined>(undefined);
/** How evenly the pictures came lately, at the console's speed. */
export const pace = signal<Pace | undefined>(undefined);
/** Requests to the show's worker so far. */
export const requests = signal(0);
export const policyChoice = signal<PolicyChoice>(2);
export const policyFile = signal<PolicyFile | undefined>(undefined);
/** Why the policy is not used, if it is not. */
export const policyRefusal = signal<string | undefined>(undefined);
export const soundOn = signal(false);
export const volume = signal(0.6);
export const episodes = signal<readonly Episode[]>([]);
export const episodeCount = signal(0);

/** Adds games to the list of Data. */
export function addEpisodes(games: readonly Omit<Episode, "number">[]): void {
  const before = episodeCount.value;
  const added = games.map((game, at) => ({ ...game, number: before + at + 1 }));
  batch(() => {
    episodeCount.value = before + added.length;
    episodes.value = [...episodes.value, ...added].slice(-KEPT_EPISODES);
  });
}

// ---- training ----
export const training = signal<Training>("none");
export const curve = signal(new Curve());
/** Counts changes of the curve, which is not copied. */
export const curveVersion = signal(0);
export const oldRuns = signal<readonly Run[]>([]);
/** The present run's number. */
export const runNumber = signal(1);
/** What computes the nets of the run. */
export const processor = signal<Processor>({ device: "cpu" });
export const latestUpdate = signal<Told | undefined>(undefined);
/** The weights of a run that has failed, if its worker could still give them. */
export const keptWeights = signal<Uint8Array | undefined>(undefined);
export const trainedMilliseconds = signal(0);
/** The mean score of random play, measured here. */
export const randomMean = signal<number | undefined>(undefined);
/** Why a net cannot learn from the game, as sentences of what random play has shown; undefined if it can, as far as is known. */
export const unlearnable = signal<string | undefined>(undefined);

// ---- the page ----
export const xAxis = signal<"frames" | "minutes">("frames");
export const drawer = signal<Drawer | undefined>(undefined);
export const message = signal<Message | undefined>(undefined);
export const announcement = signal("");
export const remember = signal(false);
export const watchedLane = signal<number | undefined>(undefined);

/** Whether the show game stands still, by its worker's own account, and has done all that was asked of it. */
export const still = computed(() => {
  const { paused = false, received = 0 } = record.value ?? {};
  return paused && received === requests.value;
});

/** Whether a person's game has ended, whose card stands. */
export const over = computed(() => player.value === "you" && record.value?.over === true);

/** The open cartridge by what is in it: its ROM's MD5, and its description if it has one. */
export const cartridgeKey = computed(() => keyOf(game.value?.md5, cartridge.value.definition));

export function keyOf(md5: string | undefined, definition: Cartridge["definition"]): string {
  return JSON.stringify([md5, definition]);
}

/** What games are played with now. */
export const playedWith = computed<PlayedWith>(() => {
  const { environment, mode, difficulty, seed, algorithm, net, numEnvs, workers } = setup.value;
  const hyperParameters = { ...HYPER_PARAMETERS[algorithm], ...setup.value.hyperParameters };
  return {
    rom: game.value?.rom ?? "",
    md5: game.value?.md5,
    preset: environmentName(environment),
    mode,
    difficulty,
    seed,
    settings: { wrappers: game.value?.wrappers ?? [], algorithm, net, numEnvs, workers, hyperParameters },
  };
});

/** The games that were played with the present setup. */
export const presentEpisodes = computed(() =>
  episodes.value.filter((episode) => episode.playedWith === playedWith.value),
);

/** Whether there is a run that another game would end. */
export const trains = computed(() => training.value !== "none" && training.value !== "failed");

/** Whether there are weights of the person's own to save. */
export const hasWeights = computed(() => latestUpdate.value !== undefined && hasOwnPolicy.value);

/** The latest update whose weights are in a file. */
export const savedUpdate = signal<Told | undefined>(undefined);

/** Whether leaving the page would lose what a run has learned. */
export const unsaved = computed(() => hasWeights.value && latestUpdate.value !== savedUpdate.value);

/** Whether there is a run of the person's own that an agent can play by. */
export const hasOwnPolicy = computed(() =>
  training.value === "failed" ? keptWeights.value !== undefined : training.value !== "none",
);

/** The person's mean score in this game. */
export const yourMean = computed(() =>
  scoreless.value ? undefined : meanScore(presentEpisodes.value.filter((episode) => episode.player === "you")),
);

/** Whether the open game has no score: its rules give no rewards. */
export const scoreless = computed(() => game.value !== undefined && !game.value.givesRewards);

/** Whether the open game has no lives that its rules tell. The catalogue's rules tell lives where they give rewards. */
export const lifeless = computed(() => {
  const { definition } = cartridge.value;
  return definition === undefined ? scoreless.value : !/\blives\b/.test(JSON.stringify(definition.rules ?? {}));
});

/** Why the shipped policies do not fit the open game; undefined if they do. They are WALLOP's, by the learner's list. */
export function unfitForShipped(): string | undefined {
  if (game.value?.rom !== "wallop" || cartridge.value.definition !== undefined) {
    return "Shipped policies play WALLOP.";
  }
  return setup.value.environment === "learner" ? undefined : "Shipped policies need preset learner.";
}

/** What a score of the environment is of. */
export const unit = computed<Unit>(() => unitOf(game.value?.wrappers ?? []));

export function unitOf(wrappers: GameInfo["wrappers"]): Unit {
  return wrappers.some(({ type, restart }) => type === "EpisodicLife" && restart === "fullReset") ? "life" : "game";
}

/** The present run, also before it has begun. */
export const presentRun = computed<Run>(() => ({
  number: runNumber.value,
  name: `${game.value?.title ?? ""}, ${describe(setup.value)}`,
  curve: curve.value,
  skip: skip.value,
  unit: unit.value,
  playedWith: playedWith.value,
}));

/** The runs that Data exports. */
export const runs = computed<readonly Run[]>(() => {
  curveVersion.value;
  return [...oldRuns.value, presentRun.value].filter(({ curve: { rows } }) => rows.length > 0);
});

/** The name that the page's files begin with. */
export function romName(): string {
  return game.value?.rom ?? "gym2600";
}

/** Frames of one step of the environment. */
export const skip = computed(() => game.value?.skip ?? 4);

export function meanScore(list: readonly Played[]): number | undefined {
  if (list.length === 0) return undefined;
  return list.reduce((sum, { score }) => sum + score, 0) / list.length;
}
