/** What the person's keys or fingers do, in one line. */

import * as store from "../state/store.js";

const ARROWS: readonly (readonly [action: string, arrow: string])[] = [
  ["LEFT", "←"],
  ["RIGHT", "→"],
  ["UP", "↑"],
  ["DOWN", "↓"],
];

const touch = matchMedia("(pointer: coarse)");

export function keysLine(): string {
  const { actions = [], rom = "" } = store.game.value ?? {};
  const fires = actions.some((action) => action.endsWith("FIRE"));
  const serves = rom === "wallop";
  if (touch.matches) return serves ? "The stick moves, FIRE serves" : "The stick moves";
  const arrows = ARROWS.filter(([action]) => actions.includes(action)).map(([, arrow]) => arrow);
  const parts = [
    arrows.length > 0 ? `${arrows.join(" ")} move` : "",
    serves ? "Space (FIRE) serves" : fires ? "Space is FIRE" : "",
    "P pauses",
    "Esc hands over",
  ];
  return parts.filter((text) => text !== "").join(", ");
}
