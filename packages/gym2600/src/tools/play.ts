/** Play at the console's speed in a page, by keyboard or by an agent. */

import { checkAboveZero, checkMethods, checkOptions, namedOptions } from "../arguments.js";
import { Gym2600Error, shown } from "../errors.js";
import type { GameDescription, Observation, Picture, ResetResult, StepResult } from "../types.js";
import { checkGame } from "./environment.js";

/** The part of an environment that {@link play} uses. `Game` and `GameWorker` have it. */
export interface PlayableEnvironment {
  readonly description: GameDescription;
  reset(): ResetResult | Promise<ResetResult>;
  step(action: number): StepResult | Promise<StepResult>;
  render(): Picture | Promise<Picture>;
}

/** How {@link play} plays. */
export interface PlayOptions {
  /**
   * The canvas on which the picture is drawn; it gets the picture's size. Without one nothing is drawn, as for a `GameWorker` that paints a
   * canvas of its own.
   */
  readonly canvas?: HTMLCanvasElement | undefined;
  /** Decides in place of the keyboard: gives the action for the last observation, or a promise of it. */
  readonly act?: ((observation: Observation) => number | Promise<number>) | undefined;
  /** The source of key events; the document unless given. */
  readonly keyboard?: EventTarget | undefined;
  /**
   * The meaning of keys (`KeyboardEvent.code`): UP, DOWN, LEFT, RIGHT and FIRE, or a whole action such as `UPFIRE`.
   * {@link DEFAULT_KEYS} unless given.
   */
  readonly keys?: Readonly<Record<string, string>> | undefined;
  /** The console's speed unless given: 60, or 50 for a PAL game. */
  readonly framesPerSecond?: number | undefined;
  /** Called after every step. */
  readonly onStep?: ((result: StepResult, action: number) => void) | undefined;
}

/** A game that is being played. */
export interface Playing {
  /** Stops after the current step; the environment stays open. */
  stop(): void;
  /** Settles when the game has stopped; rejects with a `Gym2600Error` if the environment failed. */
  readonly stopped: Promise<void>;
}

/** The arrow keys and WASD are the joystick; space, Enter and X are its button. */
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
 * The action with the most pressed parts and no part that is not pressed: UP, RIGHT and FIRE give UPRIGHTFIRE, or the nearest
 * action that the game has. No key gives NOOP.
 *
 * @throws Gym2600Error `bad-option`
 */
export function actionOf(pressed: Iterable<string>, actions: readonly string[]): number {
  const held = new Set(listed("pressed", pressed).flatMap(partsOf));
  let [best, most] = [0, 0];
  for (const [action, name] of listed("actions", actions).entries()) {
    const parts = partsOf(name);
    if (parts.length > most && parts.every((part) => held.has(part))) [best, most] = [action, parts.length];
  }
  return best;
}

/** The members of what is given. */
function listed<T>(what: string, members: Iterable<T>): T[] {
  checkMethods(what, members, Symbol.iterator);
  return [...members];
}

/**
 * Plays an environment at the console's speed, by keyboard or by an agent, and draws every step on a canvas. The environment is
 * reset first, and after each episode if it does not reset itself. An environment that skips frames takes fewer steps a second and
 * is drawn once for all frames of a step; the option `wrappers: []` makes one that shows every frame.
 *
 * `play(await Game.create({ rom, wrappers: [] }), { canvas })` starts one for a person, and
 * `play(game, { canvas, act: (observation) => policy.act(observation, { shape }).action })` shows an agent. `stop` of the result ends it,
 * and `stopped` resolves then.
 *
 * @throws Gym2600Error `bad-option`
 */
export function play(env: PlayableEnvironment, options: PlayOptions): Playing {
  checkGame(env);
  const { actions, screen, tv, resetsItself } = env.description;
  const given = namedOptions(options, "canvas", "act", "keyboard", "keys", "framesPerSecond", "onStep");
  const { canvas, act, keyboard = globalThis.document, keys = DEFAULT_KEYS, onStep = () => undefined } = given;
  const { framesPerSecond = tv === "PAL" ? 50 : 60 } = given;
  if (canvas !== undefined) checkMethods("canvas", canvas, "getContext");
  if (act !== undefined) {
    checkFunction("act", act);
    const unused = (["keyboard", "keys"] as const).find((name) => given[name] !== undefined);
    if (unused !== undefined)
      throw new Gym2600Error("bad-option", `${unused}: the option act decides in place of keys`);
  } else checkMethods("keyboard", keyboard, "addEventListener");
  checkOptions(keys);
  checkAboveZero("framesPerSecond", framesPerSecond);
  checkFunction("onStep", onStep);
  const pressed = act === undefined ? new PressedKeys(keyboard, keys) : undefined;
  const pace = (1000 * env.description.framesPerStep) / framesPerSecond;
  const context = canvas?.getContext("2d");
  if (canvas !== undefined) [canvas.width, canvas.height] = [screen.width, screen.height];
  let running = true;

  const draw = async () => {
    if (context) context.putImageData(await env.render(), 0, 0);
  };
  const decide = act ?? (() => actionOf(pressed?.take() ?? [], actions));
  const loop = async () => {
    let { observation } = await env.reset();
    await draw();
    let due = await nextFrame();
    while (running) {
      const now = await nextFrame();
      // After a pause, such as a hidden page, the missed steps are dropped.
      if (now - due > 4 * pace) due = now;
      while (running && due <= now) {
        due += pace;
        const action = await decide(observation);
        const result = await env.step(action);
        onStep(result, action);
        const ended = (result.terminated || result.truncated) && !resetsItself;
        ({ observation } = ended ? await env.reset() : result);
        await draw();
      }
    }
  };
  // What the environment, `act` or `onStep` throws reaches the caller as it is.
  const stopped = loop().finally(() => pressed?.stop());
  const stop = () => {
    running = false;
  };
  return { stop, stopped };
}

/** Refuses what is no function. */
function checkFunction(name: string, value: unknown): void {
  if (typeof value !== "function") throw new Gym2600Error("bad-option", `${name}: ${shown(value)} is no function`);
}

function nextFrame(): Promise<number> {
  return new Promise((resolve) => requestAnimationFrame(resolve));
}

function partsOf(name: string): string[] {
  return typeof name === "string" ? PARTS.filter((part) => name.includes(part)) : [];
}

/** The keys that are held down. */
class PressedKeys {
  readonly #keys: Readonly<Record<string, string>>;
  readonly #held = new Set<string>();
  /** Keys pressed since the last call of {@link take}, so that a short press counts. */
  readonly #tapped = new Set<string>();
  readonly #listening = new AbortController();

  constructor(keyboard: EventTarget, keys: Readonly<Record<string, string>>) {
    this.#keys = keys;
    const { signal } = this.#listening;
    keyboard.addEventListener("keydown", (event) => this.#down(event as KeyboardEvent), { signal });
    keyboard.addEventListener("keyup", (event) => this.#held.delete((event as KeyboardEvent).code), { signal });
    // Node has a canvas and keys only by other packages, and no window.
    globalThis.addEventListener?.("blur", () => this.#held.clear(), { signal });
  }

  /** The meanings of the keys that are down or were pressed since the last call. */
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
