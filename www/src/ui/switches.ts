/** The console's switches in the menu of the game, and on the touch pad. */

import { effect } from "@preact/signals-core";
import { show } from "../app/show.js";
import { hold } from "../input/held.js";
import { whileHeld } from "../input/pad.js";
import * as store from "../state/store.js";
import { bindText, button, element } from "./dom.js";

/**
 * The switches that stay where they are put: the positions of each, of which the first leaves it alone, the pad's short words for them, and
 * what is said of the switch.
 */
const DIFFICULTY = { positions: [undefined, "A", "B"], short: ["setup", "A", "B"] } as const;
const LATCHED = {
  leftDifficulty: { ...DIFFICULTY, id: "left-difficulty", said: "Left difficulty" },
  rightDifficulty: { ...DIFFICULTY, id: "right-difficulty", said: "Right difficulty" },
  blackAndWhite: { positions: [undefined, true], short: ["color", "B-W"], id: "tv-type", said: "TV type" },
} as const;

type Name = keyof typeof LATCHED;

export function mountSwitches(): void {
  for (const part of ["SELECT", "RESET"]) {
    for (const place of ["console", "pad"]) {
      const pressed = element(`${place}-${part.toLowerCase()}`, HTMLButtonElement);
      whileHeld(pressed, (held) => hold(`${place}-${part}`, held ? [part] : []));
    }
  }
  for (const name of Object.keys(LATCHED) as Name[]) {
    const select = element(LATCHED[name].id, HTMLSelectElement);
    select.addEventListener("change", () => put(name, select.selectedIndex));
    effect(() => {
      select.selectedIndex = placeOf(name);
    });
    const { id, short } = LATCHED[name];
    button(`pad-${id}`, () => flip(name));
    bindText(`pad-${id}-position`, () => short[placeOf(name)] ?? "");
  }
  effect(() => show.switches(store.switches.value));
}

/** Puts a switch to its next position. */
export function flip(name: Name): void {
  const { positions, said, id } = LATCHED[name];
  put(name, (placeOf(name) + 1) % positions.length);
  const { selectedOptions } = element(id, HTMLSelectElement);
  store.announcement.value = `${said}: ${selectedOptions[0]?.text ?? ""}`;
}

/** The place of a switch's position among all of them. */
function placeOf(name: Name): number {
  const positions: readonly unknown[] = LATCHED[name].positions;
  return positions.indexOf(store.switches.value[name]);
}

function put(name: Name, place: number): void {
  const { [name]: _, ...others } = store.switches.value;
  const position = LATCHED[name].positions[place];
  store.switches.value = position === undefined ? others : { ...others, [name]: position };
}
