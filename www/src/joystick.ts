/** The keyboard as a joystick: arrow keys are the stick, space is the button. */

import type { Agent } from "./agent.js";

type Part = "UP" | "DOWN" | "LEFT" | "RIGHT" | "FIRE";

const PARTS: ReadonlyMap<string, Part> = new Map([
  ["ArrowUp", "UP"],
  ["ArrowDown", "DOWN"],
  ["ArrowLeft", "LEFT"],
  ["ArrowRight", "RIGHT"],
  ["Space", "FIRE"],
]);

/**
 * An agent that does what the held keys say.
 *
 * Keys count while the focus is on `place` or on nothing; on a button, space presses that button and no other.
 * A key that went down and up between two steps still counts for the next step.
 */
export class Joystick implements Agent {
  readonly looksAhead = false;
  /** Off, the keys keep their meaning for the page, such as scrolling. */
  enabled = false;

  readonly #place: Element;
  readonly #held = new Set<Part>();
  readonly #tapped = new Set<Part>();

  constructor(place: Element) {
    this.#place = place;
    document.addEventListener("keydown", (event) => this.#down(event));
    document.addEventListener("keyup", (event) => this.#up(event));
    window.addEventListener("blur", () => this.#held.clear());
  }

  choose(actions: readonly string[]): number {
    const pressed = new Set([...this.#held, ...this.#tapped]);
    this.#tapped.clear();
    return bestAction(pressed, actions);
  }

  #down(event: KeyboardEvent): void {
    const part = PARTS.get(event.code);
    if (part === undefined || !this.enabled || !this.#plays(event)) return;
    event.preventDefault();
    this.#held.add(part);
    this.#tapped.add(part);
  }

  #up(event: KeyboardEvent): void {
    const part = PARTS.get(event.code);
    if (part !== undefined) this.#held.delete(part);
  }

  #plays(event: KeyboardEvent): boolean {
    if (event.ctrlKey || event.altKey || event.metaKey) return false;
    return event.target === this.#place || event.target === document.body;
  }
}

/**
 * The action that has most of the pressed parts and none that is not pressed.
 * A game without the diagonal UPRIGHT still gets RIGHT or UP; no key at all is NOOP, which every game has.
 */
export function bestAction(pressed: ReadonlySet<Part>, actions: readonly string[]): number {
  let best = 0;
  let most = -1;
  for (const [number, name] of actions.entries()) {
    const parts = partsOf(name);
    if (parts.length > most && parts.every((part) => pressed.has(part))) {
      best = number;
      most = parts.length;
    }
  }
  return best;
}

function partsOf(action: string): Part[] {
  return [...PARTS.values()].filter((part) => action.includes(part));
}
