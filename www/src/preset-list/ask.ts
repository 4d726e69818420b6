/** The list of a preset, and whether a file is a ROM or a state that can be played, as the page asks for them. */

import type { WrapperOptions } from "gym2600";
import { askBackground } from "../background/start.js";
import { type Cartridge, type Environment, gameOptions, type Setup } from "../state/setup.js";
import * as store from "../state/store.js";
import type { FromList, ListRequest } from "./protocol.js";

type Refusal = Pick<FromList, "refusal" | "code">;

/** The wrappers that an environment has for the open cartridge. */
export function presetList(environment: Environment): Promise<readonly WrapperOptions[]> {
  const { bytes, definition } = store.cartridge.value;
  const setup = { ...store.setup.value, environment, mode: undefined, difficulty: undefined };
  return ask({ list: gameOptions(setup, definition), rom: bytes }).then(({ wrappers, refusal }) => {
    if (wrappers === undefined) throw new Error(refusal);
    return wrappers;
  });
}

/** Why bytes cannot be played, with the code of the error; undefined if the catalogue has their game. */
export async function refusalOfRom(rom: Uint8Array<ArrayBuffer>): Promise<Refusal | undefined> {
  return refusalIn(await ask({ list: {}, rom }));
}

/** Why a game cannot go on from a state; undefined if it can. */
export async function refusalOfState(
  { bytes, definition }: Cartridge,
  setup: Setup,
  state: Uint8Array,
): Promise<Refusal | undefined> {
  return refusalIn(await ask({ list: gameOptions(setup, definition), rom: bytes, state }));
}

function refusalIn(answer: FromList): Refusal | undefined {
  return answer.refusal === undefined ? undefined : answer;
}

function ask(request: ListRequest): Promise<FromList> {
  return askBackground(request);
}
