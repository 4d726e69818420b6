/** The keyboard as a joystick. */

import { actionOf, DEFAULT_KEYS } from "gym2600";
import type { Agent } from "./agent.js";

/**
 * An agent that plays the held keys.
 *
 * Keys count while the focus is on `place` or on no control. On a button, space presses that button.
 * A key that is pressed and released between two steps counts for the next step.
 */
export class Joystick implements Agent {
  readonly looksAhead = false;
  /** When it is off, keys keep their meaning for the page, such as scrolling. */
  enabled = false;

  readonly #place: Element;
  readonly #held = new Set<string>();
  readonly #tapped = new Set<string>();

  constructor(place: Element) {
    this.#place = place;
    document.addEventListener("keydown", (event) => this.#down(event));
    document.addEventListener("keyup", (event) => this.#held.delete(event.code));
    window.addEventListener("blur", () => this.#held.clear());
  }

  choose(actions: readonly string[]): number {
    const pressed = [...this.#held, ...this.#tapped].map((code) => DEFAULT_KEYS[code] ?? "");
    this.#tapped.clear();
    return actionOf(pressed, actions);
  }

  #down(event: KeyboardEvent): void {
    if (!this.enabled || !Object.hasOwn(DEFAULT_KEYS, event.code) || !this.#plays(event)) return;
    event.preventDefault();
    this.#held.add(event.code);
    this.#tapped.add(event.code);
  }

  #plays(event: KeyboardEvent): boolean {
    if (event.ctrlKey || event.altKey || event.metaKey) return false;
    return event.target === this.#place || event.target === document.body;
  }
}
