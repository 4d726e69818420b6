/** The row of controls under the picture. */

import type { PresetName } from "gym2600";
import { element, setText } from "./dom.js";
import { PRESETS } from "./presets.js";
import type { Speed } from "./runner.js";

export type Player = "random" | "keyboard";

/** What a person can ask for. */
export interface ControlsListener {
  startOrPause(): void;
  step(): void;
  reset(): void;
  speed(speed: Speed): void;
  player(player: Player): void;
  preset(preset: PresetName): void;
}

export class Controls {
  readonly #run = element("run", HTMLButtonElement);
  readonly #step = element("step", HTMLButtonElement);
  readonly #reset = element("reset", HTMLButtonElement);
  readonly #preset = element("preset", HTMLSelectElement);

  constructor(listener: ControlsListener) {
    this.#run.addEventListener("click", () => listener.startOrPause());
    this.#step.addEventListener("click", () => listener.step());
    this.#reset.addEventListener("click", () => listener.reset());
    this.#preset.append(...PRESETS.map(([name, label]) => new Option(label, name)));
    this.#preset.addEventListener("change", () => listener.preset(this.preset));
    listenForChoice("speed", (value) => listener.speed(value as Speed));
    listenForChoice("player", (value) => listener.player(value as Player));
  }

  get preset(): PresetName {
    return this.#preset.value as PresetName;
  }

  /** Shows which preset is played. */
  set preset(name: PresetName) {
    this.#preset.value = name;
  }

  get player(): Player {
    return document.querySelector<HTMLInputElement>('input[name="player"]:checked')?.value === "keyboard"
      ? "keyboard"
      : "random";
  }

  /** Chooses a player as if the person had. */
  choosePlayer(player: Player): void {
    document.querySelector<HTMLInputElement>(`input[name="player"][value="${player}"]`)?.click();
  }

  /** Calls `clicked` when the player is chosen with a pointer, after which the arrow keys are free for the game. */
  onPlayerClicked(clicked: () => void): void {
    element("player", HTMLFieldSetElement).addEventListener("click", (event) => {
      // A click that the arrow keys or a program made has no count.
      if (event.target instanceof HTMLInputElement && event.detail > 0) clicked();
    });
  }

  /** Whether there is a game to control. Reset stays: it brings a lost game back. */
  ready(ready: boolean): void {
    for (const control of [this.#run, this.#step, this.#preset]) control.disabled = !ready;
    this.#reset.disabled = false;
  }

  running(running: boolean): void {
    document.body.dataset.running = String(running);
    setText(this.#run, running ? "Pause" : "Start");
  }
}

function listenForChoice(name: string, chosen: (value: string) => void): void {
  for (const input of document.querySelectorAll<HTMLInputElement>(`input[name="${name}"]`)) {
    input.addEventListener("change", () => {
      if (input.checked) chosen(input.value);
    });
  }
}
