/** Messages between the page and the background worker about the definition of a game that was found. */

import type { GameDefinition } from "gym2600";

/** What was found of a game. */
export interface DefineRequest {
  readonly found: {
    readonly rom: Uint8Array<ArrayBuffer>;
    readonly name: string;
    readonly title: string;
    readonly score: string | undefined;
    readonly lives: string | undefined;
    readonly over: string | undefined;
    /** Other places by name. */
    readonly cells: Readonly<Record<string, string>>;
  };
}

/** The definition, or why there is none. */
export interface FromDefine {
  readonly definition?: GameDefinition;
  readonly refusal?: string;
}
