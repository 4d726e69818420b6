/** One game or several: what the rest of the page steps and shows. */

import type { GameDefinition, GameDescription, Info, Observation, PresetName, RomSource, Wrapper } from "gym2600";

/** How the games are set up. */
export interface Setup {
  readonly rom: RomSource;
  /** The definition of a game that is not in the catalogue. */
  readonly definition: GameDefinition | undefined;
  /** A preset's name, or a list of wrappers of the user's. */
  readonly stack: PresetName | readonly Wrapper[];
  readonly numEnvs: number;
  readonly workers: number;
}

/** The result of a request. Place `row * lanes.length + index` is what `lanes[index]` did in that row. */
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

/** The result of a reset or a revival: infos of some lanes. */
export interface Started {
  readonly lanes: readonly number[];
  readonly infos: readonly Info[];
}

/** Receives a lane's observation, whose array may be read until the call returns. */
export type Viewer = (lane: number, observation: Observation) => void;

/** Games that are stepped together; lanes are numbered from 0. */
export interface Games {
  readonly description: GameDescription;
  readonly numEnvs: number;
  /** The lanes whose worker has died, and which can be revived. */
  readonly deadLanes: readonly number[];
  /** How many requests of the random agent may be pending, and how many steps each should have. */
  readonly depth: number;
  readonly rowsPerRequest: number;
  /** At full speed pictures are painted no more often than this. */
  readonly pictureEveryMs: number;

  /** Starts a new episode in every lane that is alive. */
  reset(): Promise<Started>;
  /** Takes a step for each row, in every lane that is alive; with `paint` the lanes paint the last step's pictures. */
  step(rows: ReadonlyArray<readonly number[]>, paint: boolean): Promise<Taken>;
  /** The canvas that a lane's worker paints on. A revived lane has a new one. */
  canvasOf(lane: number): HTMLCanvasElement;
  /** Has all lanes paint their pictures. */
  look(): Promise<void>;
  /** Revives all lanes of this one's worker. `restored` says whether they went back to a kept state. */
  revive(lane: number): Promise<Started & { readonly restored: boolean }>;
  /** Gives the observations that are new since the last call. */
  view(viewer: Viewer): void;
  close(): void;
}

/** The options of a setup that one game and several have in common. */
export function gameOptions({ rom, definition, stack }: Setup) {
  const wrappers = typeof stack === "string" ? { preset: stack } : { wrappers: stack };
  return { rom, ...wrappers, ...(definition === undefined ? undefined : { game: definition }) };
}
