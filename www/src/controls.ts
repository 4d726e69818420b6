/** The controls of the page. */

import type { PresetName } from "gym2600";
import { element, setText } from "./dom.js";
import type { Setup } from "./games.js";
import { PRESETS } from "./presets.js";
import type { Speed } from "./runner.js";

export type Player = "random" | "keyboard";

/** The value of the list of presets while a list of the user plays. */
const OWN = "own";

/** The requests of the controls. */
export interface ControlsListener {
  startOrPause(): void;
  step(): void;
  reset(): void;
  speed(speed: Speed): void;
  player(player: Player): void;
  sound(on: boolean): void;
  preset(preset: PresetName): void;
  /** The numbers of games and workers, both in their ranges. */
  spread(numEnvs: number, workers: number): void;
}

export class Controls {
  readonly #run = element("run", HTMLButtonElement);
  readonly #step = element("step", HTMLButtonElement);
  readonly #reset = element("reset", HTMLButtonElement);
  readonly #sound = element("sound", HTMLInputElement);
  readonly #preset = element("preset", HTMLSelectElement);
  readonly #games = element("games", HTMLInputElement);
  readonly #workers = element("workers", HTMLInputElement);

  constructor(listener: ControlsListener) {
    this.#run.addEventListener("click", () => listener.startOrPause());
    this.#step.addEventListener("click", () => listener.step());
    this.#reset.addEventListener("click", () => listener.reset());
    this.#sound.addEventListener("change", () => listener.sound(this.sound));
    this.#preset.append(...PRESETS.map(([name, label]) => new Option(label, name)), new Option("a list of yours", OWN));
    this.#own.disabled = true;
    this.#preset.addEventListener("change", () => listener.preset(this.#preset.value as PresetName));
    listenForChoice("speed", (value) => listener.speed(value as Speed));
    listenForChoice("player", (value) => listener.player(value as Player));
    this.#games.addEventListener("change", () => {
      if (!this.#games.reportValidity()) return;
      const numEnvs = this.#games.valueAsNumber;
      listener.spread(numEnvs, Math.min(numEnvs, navigator.hardwareConcurrency, Number(this.#workers.max)));
    });
    this.#workers.addEventListener("change", () => {
      if (!this.#games.reportValidity() || !this.#workers.reportValidity()) return;
      const numEnvs = this.#games.valueAsNumber;
      listener.spread(numEnvs, Math.min(numEnvs, this.#workers.valueAsNumber));
    });
  }

  get player(): Player {
    return document.querySelector<HTMLInputElement>('input[name="player"]:checked')?.value === "keyboard"
      ? "keyboard"
      : "random";
  }

  get sound(): boolean {
    return this.#sound.checked;
  }

  set sound(on: boolean) {
    this.#sound.checked = on;
  }

  /** Shows the set-up of the games. */
  show({ stack, numEnvs, workers }: Setup): void {
    this.#preset.value = typeof stack === "string" ? stack : OWN;
    this.#games.value = String(numEnvs);
    this.#workers.value = String(workers);
    this.#sound.disabled = numEnvs > 1;
    document.body.dataset.preset = this.#preset.value;
    document.body.dataset.games = String(numEnvs);
  }

  /** Selects a player, as the user does. */
  choosePlayer(player: Player): void {
    document.querySelector<HTMLInputElement>(`input[name="player"][value="${player}"]`)?.click();
  }

  /** Calls `clicked` when the player is selected with a pointer. After that the arrow keys are free for the game. */
  onPlayerClicked(clicked: () => void): void {
    element("player", HTMLFieldSetElement).addEventListener("click", (event) => {
      // A click by the arrow keys or by a program has a detail of 0.
      if (event.target instanceof HTMLInputElement && event.detail > 0) clicked();
    });
  }

  /** Enables the controls for a game. Reset stays enabled, because it restarts a lost game. */
  ready(ready: boolean): void {
    for (const control of [this.#run, this.#step, this.#preset, this.#games, this.#workers]) control.disabled = !ready;
    this.#reset.disabled = false;
  }

  running(running: boolean): void {
    document.body.dataset.running = String(running);
    setText(this.#run, running ? "Pause" : "Start");
  }

  get #own(): HTMLOptionElement {
    return this.#preset.options[this.#preset.options.length - 1] as HTMLOptionElement;
  }
}

function listenForChoice(name: string, chosen: (value: string) => void): void {
  for (const input of document.querySelectorAll<HTMLInputElement>(`input[name="${name}"]`)) {
    input.addEventListener("change", () => {
      if (input.checked) chosen(input.value);
    });
  }
}
