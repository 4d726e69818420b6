/** A game for people, in a page. */

import { toGym2600Error } from "../errors.js";
import type { GameDescription, Picture, ResetResult, StepResult } from "../types.js";
import { framesPerStep } from "./environment.js";

/** What {@link play} asks of an environment; `Game` and `GameWorker` have it. */
export interface PlayableEnvironment {
  readonly description: GameDescription;
  reset(): ResetResult | Promise<ResetResult>;
  step(action: number): StepResult | Promise<StepResult>;
  render(): Uint8ClampedArray<ArrayBuffer> | Promise<Picture>;
}

/** How {@link play} plays. */
export interface PlayOptions {
  /** Where the picture is drawn; its size becomes the console's. */
  readonly canvas: HTMLCanvasElement;
  /** Whose key events count; the document unless said. */
  readonly keyboard?: EventTarget | undefined;
  /**
   * Which keys (`KeyboardEvent.code`) are which parts of an action: UP, DOWN, LEFT, RIGHT and FIRE, or an action by its whole
   * name, such as `UPFIRE`. {@link DEFAULT_KEYS} unless said.
   */
  readonly keys?: Readonly<Record<string, string>> | undefined;
  /** The console's, unless said: 60, or 50 for a PAL game. */
  readonly framesPerSecond?: number | undefined;
  /** Hears of every step. */
  readonly onStep?: ((result: StepResult, action: number) => void) | undefined;
}

/** A game that is being played. */
export interface Playing {
  /** Stops after the step under way; the environment stays open. */
  stop(): void;
  /** Settles when the game has stopped; rejects with a `Gym2600Error` if the environment failed. */
  readonly stopped: Promise<void>;
}

/** The arrows and WASD are the stick, space, Enter and X the button. */
export const DEFAULT_KEYS: Readonly<Record<string, string>> = {
  ArrowUp: "UP",
  ArrowDown: "DOWN",
  ArrowLeft: "LEFT",
  ArrowRight: "RIGHT",
  KeyW: "UP",
  KeyS: "DOWN",
  KeyA: "LEFT",
  KeyD: "RIGHT",
  Space: "FIRE",
  Enter: "FIRE",
  KeyX: "FIRE",
};

/** The parts of which ALE's names of actions are made, in their order. */
const PARTS = ["UP", "DOWN", "RIGHT", "LEFT", "FIRE"];

/**
 * The action that has most of the pressed parts and none that is not pressed: UP, RIGHT and FIRE are UPRIGHTFIRE, or in a
 * game without that action the best of what it has. Nothing pressed is NOOP.
 */
export function actionOf(pressed: Iterable<string>, actions: readonly string[]): number {
  const names = [...pressed];
  const held = new Set(names.flatMap(partsOf));
  let [best, most] = [0, 0];
  for (const [action, name] of actions.entries()) {
    const parts = partsOf(name);
    if (parts.length > most && parts.every((part) => held.has(part))) [best, most] = [action, parts.length];
  }
  return best;
}

/**
 * Lets somebody play with the keyboard, at the console's speed, and draws every step on a canvas. The environment is reset
 * first, and after each episode if it does not do so itself. An environment that skips frames is drawn once for all of
 * them: `wrappers: []` makes one that moves smoothly.
 *
 * ```ts
 * const playing = play(await Game.create({ rom, wrappers: [] }), { canvas });
 * button.onclick = () => playing.stop();
 * await playing.stopped;
 * ```
 */
export function play(env: PlayableEnvironment, options: PlayOptions): Playing {
  const { actions, screen, tv, resetsItself } = env.description;
  const { canvas, keyboard = document, keys = DEFAULT_KEYS, onStep } = options;
  const { framesPerSecond = tv === "PAL" ? 50 : 60 } = options;
  const pressed = new PressedKeys(keyboard, keys);
  const pace = (1000 * framesPerStep(env)) / framesPerSecond;
  const context = canvas.getContext("2d");
  [canvas.width, canvas.height] = [screen.width, screen.height];
  let running = true;

  const draw = async () => {
    const picture = await env.render();
    const data = "data" in picture ? picture.data : picture;
    context?.putImageData(new ImageData(data, screen.width, screen.height), 0, 0);
  };
  const loop = async () => {
    await env.reset();
    await draw();
    let due = await nextFrame();
    while (running) {
      const now = await nextFrame();
      // A page that was hidden or slow goes on from now, rather than making up for what it missed.
      if (now - due > 4 * pace) due = now;
      while (running && due <= now) {
        due += pace;
        const action = actionOf(pressed.take(), actions);
        const result = await env.step(action);
        onStep?.(result, action);
        if ((result.terminated || result.truncated) && !resetsItself) await env.reset();
        await draw();
      }
    }
  };
  const stopped = loop()
    .catch((error: unknown) => {
      throw toGym2600Error(error);
    })
    .finally(() => pressed.stop());
  const stop = () => {
    running = false;
  };
  return { stop, stopped };
}

function nextFrame(): Promise<number> {
  return new Promise((resolve) => requestAnimationFrame(resolve));
}

function partsOf(name: string): string[] {
  return PARTS.filter((part) => name.includes(part));
}

/** Which of some keys are down. */
class PressedKeys {
  readonly #keys: Readonly<Record<string, string>>;
  readonly #held = new Set<string>();
  /** Pressed since the last look, so that a short press is not missed. */
  readonly #tapped = new Set<string>();
  readonly #listening = new AbortController();

  constructor(keyboard: EventTarget, keys: Readonly<Record<string, string>>) {
    this.#keys = keys;
    const { signal } = this.#listening;
    keyboard.addEventListener("keydown", (event) => this.#down(event as KeyboardEvent), { signal });
    keyboard.addEventListener("keyup", (event) => this.#held.delete((event as KeyboardEvent).code), { signal });
    globalThis.addEventListener("blur", () => this.#held.clear(), { signal });
  }

  /** What the keys mean that are down, or were since the last call. */
  take(): string[] {
    const names = [...this.#held, ...this.#tapped].map((code) => this.#keys[code] ?? "");
    this.#tapped.clear();
    return names;
  }

  stop(): void {
    this.#listening.abort();
  }

  #down(event: KeyboardEvent): void {
    const { code, ctrlKey, altKey, metaKey } = event;
    if (!Object.hasOwn(this.#keys, code) || ctrlKey || altKey || metaKey) return;
    event.preventDefault();
    this.#held.add(code);
    this.#tapped.add(code);
  }
}
