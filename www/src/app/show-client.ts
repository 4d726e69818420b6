/** The show game as the page sees it: writes what its worker tells into the store, and tells it what the store says. */

import { effect } from "@preact/signals-core";
import { Gym2600Error } from "gym2600";
import type { Film, FromShow, GameInfo, ToShow } from "../show/protocol.js";
import type { EnvironmentOptions, LatchedSwitches, PlayedLog, SavedGame } from "../show/types.js";
import * as store from "../state/store.js";
import type { LaneState } from "../train/protocol.js";

interface Waiting {
  resolve(value: never): void;
  reject(reason: unknown): void;
}

/** The games of Data, with the time. */
function keep(played: Extract<FromShow, { type: "played" }>["played"]): void {
  const [time, playedWith] = [performance.now() / 1000, store.playedWith.value];
  store.addEpisodes(played.map((game) => ({ ...game, time, playedWith })));
}

export class ShowClient {
  readonly #worker = new Worker(new URL("../show/worker.ts", import.meta.url), { type: "module" });
  readonly #waiting = new Map<number, Waiting>();
  #number = 0;
  #onFailure: (text: string) => void;

  constructor(canvas: HTMLCanvasElement, onFailure: (text: string) => void) {
    this.#onFailure = onFailure;
    this.#worker.addEventListener("message", ({ data }: MessageEvent<FromShow>) => this.#receive(data));
    this.#worker.addEventListener("error", (event) => {
      const error = new Gym2600Error("worker-died", event.message || "the worker's script could not be loaded");
      for (const { reject } of this.#waiting.values()) reject(error);
      this.#waiting.clear();
      onFailure(error.message);
    });
    const offscreen = canvas.transferControlToOffscreen();
    this.#post({ type: "canvas", canvas: offscreen }, [offscreen]);
    effect(() => this.#post({ type: "run", running: store.running.value && store.countdown.value === 0 }));
    effect(() => this.#post({ type: "speed", speed: store.speed.value }));
    effect(() => {
      // Asked again when a game has been opened.
      store.game.value;
      this.#post({ type: "player", player: store.player.value });
    });
    effect(() => {
      store.game.value;
      this.#post({ type: "saliency", on: store.saliency.value });
    });
    effect(() => {
      store.game.value;
      this.#post({ type: "ram", on: store.drawer.value === "find" });
    });
    effect(() => this.#post({ type: "follow", follow: store.policyChoice.value === "own" }));
  }

  /** Opens a game. Resolves when it is open; what was open goes on if it is refused. @throws Gym2600Error */
  open(rom: Uint8Array<ArrayBuffer>, options: EnvironmentOptions, seed: number, gamma: number): Promise<GameInfo> {
    return this.#ask((number) => ({ type: "open", number, rom, options, seed, gamma }));
  }

  /** Gives the worker the canvases for the frames of the open game's stack. */
  frames(canvases: readonly HTMLCanvasElement[]): void {
    const offscreen = canvases.map((canvas) => canvas.transferControlToOffscreen());
    this.#post({ type: "frames", canvases: offscreen }, offscreen);
  }

  save(): Promise<SavedGame> {
    return this.#ask((number) => ({ type: "save", number }));
  }

  /** Goes on from a state. @throws Gym2600Error `bad-saved-state` for one of another game or setup */
  restore(state: SavedGame): Promise<void> {
    return this.#ask((number) => ({ type: "restore", number, state }));
  }

  /** What has been played since the last new game, if that is known. */
  log(): Promise<PlayedLog | undefined> {
    return this.#ask((number) => ({ type: "log", number }));
  }

  film(): Promise<Film | undefined> {
    return this.#ask((number) => ({ type: "film", number }));
  }

  /** Gives the agent a policy. Resolves to why it is not used, if it is not. */
  policy(weights: Uint8Array | undefined, name: string): Promise<string | undefined> {
    return this.#ask((number) => ({ type: "policy", number, weights, name }));
  }

  weightsPort(port: MessagePort): void {
    this.#post({ type: "weights-port", port }, [port]);
  }

  soundPort(port: MessagePort | undefined): void {
    this.#post({ type: "sound-port", port }, port === undefined ? [] : [port]);
  }

  input(held: readonly string[]): void {
    this.#post({ type: "input", held });
  }

  /** Puts the console's switches but SELECT and RESET, which are held as an input. */
  switches(switches: LatchedSwitches): void {
    this.#post({ type: "switches", switches });
  }

  /** Turns the paddle: frames at its full speed, to the right if positive. */
  turn(frames: number): void {
    this.#post({ type: "turn", frames });
  }

  /** Goes on from the state of a training game; without one, back to the show's own game. */
  watch(game: LaneState | undefined): void {
    this.#post({ type: "watch", game });
  }

  step(): void {
    this.#post({ type: "step" });
  }

  newGame(): void {
    this.#post({ type: "new-game" });
  }

  rewind(on: boolean): void {
    this.#post({ type: "rewind", on });
  }

  #post(message: ToShow, transfer: Transferable[] = []): void {
    store.requests.value = store.requests.peek() + 1;
    this.#worker.postMessage(message, transfer);
  }

  #ask<T>(make: (number: number) => ToShow): Promise<T> {
    const number = ++this.#number;
    return new Promise<T>((resolve, reject) => {
      this.#waiting.set(number, { resolve: resolve as Waiting["resolve"], reject });
      this.#post(make(number));
    });
  }

  #settle(number: number, settle: (waiting: Waiting) => void): void {
    const waiting = this.#waiting.get(number);
    this.#waiting.delete(number);
    if (waiting !== undefined) settle(waiting);
  }

  #receive(message: FromShow): void {
    switch (message.type) {
      case "opened":
        this.#settle(message.number, ({ resolve }) => resolve(message.info as never));
        return;
      case "refused": {
        const error = new Gym2600Error(message.code as "bad-rom", message.message, { details: message.details });
        this.#settle(message.number, ({ reject }) => reject(error));
        return;
      }
      case "record":
        store.record.value = message.record;
        return;
      case "pace":
        store.pace.value = message.pace;
        return;
      case "played":
        keep(message.played);
        return;
      case "saved":
        this.#settle(message.number, ({ resolve }) => resolve(message.state as never));
        return;
      case "restored":
        this.#settle(message.number, ({ resolve }) => resolve(undefined as never));
        return;
      case "log":
        this.#settle(message.number, ({ resolve }) => resolve(message.log as never));
        return;
      case "film":
        this.#settle(message.number, ({ resolve }) => resolve(message.film as never));
        return;
      case "policy":
        store.policyRefusal.value = message.refusal;
        if (message.number !== undefined) {
          this.#settle(message.number, ({ resolve }) => resolve(message.refusal as never));
        }
        return;
      case "failed":
        this.#onFailure(message.message);
        return;
    }
  }
}
