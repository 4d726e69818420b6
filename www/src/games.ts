/** What is played: one game or several, which the rest of the page steps and shows in the same way. */

import type { GameDescription, Info, Observation, Picture, PresetName, RomSource, Wrapper } from "gym2600";

/** How the games are set up. */
export interface Setup {
  readonly rom: RomSource;
  /** The definition of a game that the catalogue lacks, as text. */
  readonly definition: string | undefined;
  /** A preset's name, or a list of wrappers of the user's. */
  readonly stack: PresetName | readonly Wrapper[];
  readonly numEnvs: number;
  readonly workers: number;
}

/** What a request brought. Place `row * lanes.length + index` is what `lanes[index]` did in that row. */
export interface Taken {
  /** The lanes that took the steps. */
  readonly lanes: readonly number[];
  /** The actions: a row for each step, with a place for every lane there is. */
  readonly rows: ReadonlyArray<readonly number[]>;
  readonly rewards: ArrayLike<number>;
  readonly terminated: ArrayLike<boolean | number>;
  readonly truncated: ArrayLike<boolean | number>;
  readonly infos: readonly Info[];
}

/** What a reset or a revival brought: infos of some lanes. */
export interface Started {
  readonly lanes: readonly number[];
  readonly infos: readonly Info[];
}

/** Sees what a lane shows; the arrays are lent until it returns. */
export type Viewer = (lane: number, observation: Observation | undefined, picture: Picture | undefined) => void;

/** Games that are stepped together; lanes are numbered from 0. */
export interface Games {
  readonly description: GameDescription;
  readonly numEnvs: number;
  /** The lanes whose worker has died, and which can be revived. */
  readonly deadLanes: readonly number[];
  /** How many requests may be under way, where nobody waits for their outcome, and how many steps one should have. */
  readonly depth: number;
  readonly rowsPerRequest: number;
  /** At full speed pictures are asked for no more often than this. */
  readonly pictureEveryMs: number;

  /** Starts a new episode in every lane that is alive. */
  reset(): Promise<Started>;
  /** Takes a step for each row, in every lane that is alive; with the pictures of the last one, if they are wanted. */
  step(rows: ReadonlyArray<readonly number[]>, pictures: boolean): Promise<Taken>;
  /** Brings the pictures up to date. */
  look(): Promise<void>;
  /** Brings the lanes back that died with this one. `restored` says whether they went back to a state. */
  revive(lane: number): Promise<Started & { readonly restored: boolean }>;
  /** Shows what is new since the last call. */
  view(viewer: Viewer): void;
  close(): void;
}

/** The options of a setup that one game and several have in common. */
export function gameOptions({ rom, definition, stack }: Setup) {
  const wrappers = typeof stack === "string" ? { preset: stack } : { wrappers: stack };
  return { rom, ...wrappers, ...(definition === undefined ? undefined : { game: definition }) };
}
