/**
 * The show game: one game at the speed of the console, with the latest weights.
 *
 * A decision is taken at once, and its frames are shown one after the other. At a decision the picture is painted, and stack, policy, value
 * and saliency are posted as one record. No more than ten records a second are posted; the picture also moves between them.
 */

import { actionOf, type Frame } from "gym2600";
import { Random } from "../random.js";
import type { Brain, Thought } from "./brain.js";
import { FilmRecorder } from "./film.js";
import type { Painter } from "./painter.js";
import type { Film, Played, ShowRecord } from "./protocol.js";
import type { Outcome, ShownGame } from "./shown-game.js";
import { Trace } from "./trace.js";
import type { LatchedSwitches, Player, SavedGame } from "./types.js";

/** Milliseconds between two records. */
const RECORD_EVERY_MS = 100;

/** Milliseconds over which the rate is measured, and over which there is none yet. */
const RATE_MS = 2000;
const RATE_LEAST_MS = 250;

/** Decisions between two states that a rewind can return to, and how many are kept. */
const REWIND_EVERY = 4;
const REWIND_KEPT = 240;

/** Sets the streams of neighbouring decisions apart: an odd number that is large for a seed. */
const STREAM = 2_654_435_761;

export interface ShowListener {
  record(record: ShowRecord): void;
  played(played: Played): void;
  sound(samples: Uint8Array<ArrayBuffer>): void;
}

/** Whether the worker stands still, its speed, and how many requests of the page it has received. */
export type Standing = Pick<ShowRecord, "paused" | "speed" | "received">;

/** A decision: what the agent saw, thought and chose. */
interface Decision {
  readonly stack: Uint8Array<ArrayBuffer> | undefined;
  readonly thought: Thought | undefined;
  readonly action: number;
}

/** A decision that has been taken. */
interface Taken {
  readonly thought: Thought | undefined;
  readonly outcome: Outcome;
}

export class Show {
  saliency = false;
  /** Whether records have the console's memory. */
  ram = false;
  switches: LatchedSwitches = {};
  /** What the worker says of itself in every record. */
  standing: Standing = { paused: false, speed: "real-time", received: 0 };

  readonly game: ShownGame;
  readonly #painter: Painter;
  readonly #listener: ShowListener;
  readonly #seed: number;
  readonly #trace: Trace;
  readonly #film = new FilmRecorder();
  /** Moments that a rewind returns to, with the decisions of the game so far. */
  readonly #past: { readonly saved: SavedGame; readonly length: number; counted: boolean }[] = [];
  #player: Player = "agent";
  #brain: Brain | undefined;
  #held: readonly string[] = [];
  /** What was pressed since the last decision, so that a short press counts. */
  readonly #tapped = new Set<string>();
  /** The part of a drag that has not been played yet, in frames at full speed. */
  #turn = 0;
  /** The next decision, which has not been taken yet. */
  #decision: Decision | undefined;
  /** The decision that has been taken, until its frames are shown. */
  #taken: Taken | undefined;
  /** The frames that are still to be shown, and the one that is. Without one the present picture is shown. */
  #coming: Frame[] = [];
  #shown: Frame | undefined;
  /** Whether the sound of that frame has not been sent. A game that stands shows its last frame again and again. */
  #unheard = false;
  /** How a person's game has ended, and the frames of the next. Nothing goes on before another game, or another player. */
  #over: { readonly score: number; readonly lives: number; readonly next: readonly Frame[] } | undefined;
  /** Who has played this game, with the policy of each. */
  #names = new Map<Player, string>();
  /** Whether this game has ended before, and was rewound. */
  #counted = false;
  #steps = 0;
  #length = 0;
  #frames = 0;
  #map: readonly number[] | undefined;
  #recordedAt = Number.NEGATIVE_INFINITY;
  #rate: { at: number; frames: number }[] = [];

  constructor(game: ShownGame, painter: Painter, seed: number, gamma: number, listener: ShowListener) {
    this.game = game;
    this.#painter = painter;
    this.#listener = listener;
    this.#seed = seed;
    this.#trace = new Trace(gamma);
  }

  get player(): Player {
    return this.#player;
  }

  set player(player: Player) {
    if (player !== this.#player && this.#over !== undefined) this.#restart(this.#over.next);
    this.#player = player;
    this.#turn = 0;
    this.#decision = undefined;
  }

  get brain(): Brain | undefined {
    return this.#brain;
  }

  set brain(brain: Brain | undefined) {
    this.#brain = brain;
    // A game that stands still shows what the new policy thinks.
    this.#decision = undefined;
  }

  /** Says what the person holds now. */
  press(held: readonly string[]): void {
    this.#held = held;
    for (const part of held) this.#tapped.add(part);
  }

  /** Turns the paddle of the person: frames at its full speed, to the right if positive. */
  turn(frames: number): void {
    this.#turn += frames;
  }

  /** Whether the next frame begins a decision. */
  get atDecision(): boolean {
    return this.#coming.length === 0;
  }

  /** Paints the picture. */
  paint(): void {
    const picture = this.game.picture(this.#shown?.screen ?? this.game.screen());
    this.#painter.paint(picture, this.saliency ? this.#map : undefined);
  }

  /** Shows a frame. */
  frame(now: number): void {
    if (this.#over !== undefined) return;
    if (this.atDecision) this.#take(now);
    this.#shown = this.#coming.shift();
    this.#unheard = true;
    this.#frames += 1;
    if (this.atDecision && this.#taken !== undefined) this.#finish(this.#taken, now);
  }

  /** Sends the sound of the frame that is shown. */
  sound(): void {
    if (this.#shown !== undefined && this.#unheard) this.#listener.sound(this.#shown.audio);
    this.#unheard = false;
  }

  /** Goes on to the next decision. */
  settle(now: number): void {
    while (!this.atDecision) this.frame(now);
  }

  /** Shows the present moment: decides, unless that has been done, and posts the record. */
  look(now: number): void {
    this.#recordedAt = Number.NEGATIVE_INFINITY;
    if (this.#over !== undefined) this.#showEnd(now);
    else if (this.atDecision) this.#decide(now);
    else this.paint();
  }

  newGame(): void {
    // A game that has ended counts, also where its last frames are still to be shown.
    this.settle(0);
    this.#film.drop();
    this.#begin();
    this.#restart(this.game.newGame());
    this.#trace.clear();
  }

  /** The game at the next decision. */
  save(): SavedGame {
    this.settle(0);
    return this.#moment();
  }

  restore(saved: SavedGame): void {
    this.settle(0);
    this.#goTo(saved, false);
    this.#trace.clear();
  }

  /** Goes back a moment, as far as there is one. */
  rewind(now: number): void {
    this.settle(now);
    const moment = this.#past.pop();
    if (moment === undefined) return;
    this.#goTo(moment.saved, moment.counted);
    this.#length = moment.length;
    this.look(now);
  }

  #goTo(saved: SavedGame, counted: boolean): void {
    this.game.restore(saved);
    this.#names = new Map(saved.players);
    this.#counted = counted;
    this.#length = 0;
    this.#restart([]);
    this.restartRate();
  }

  #moment(): SavedGame {
    return { ...this.game.save(), players: [...this.#names] };
  }

  film(): Film | undefined {
    const { palette, info } = this.game;
    const { screen, skip, tv } = info;
    return this.#film.film({ ...screen, palette, perSecond: (tv === "PAL" ? 50 : 60) / skip });
  }

  /** Measures the rate anew, after a break in the play. */
  restartRate(): void {
    this.#rate = [];
  }

  close(): void {
    this.game.close();
  }

  /** Counts anew for a game that nobody has played yet. */
  #begin(): void {
    this.#names.clear();
    this.#counted = false;
    this.#length = 0;
  }

  /** Goes on from another moment, with the frames that lead to it. */
  #restart(frames: readonly Frame[]): void {
    this.#coming = [...frames];
    this.#over = undefined;
    this.#shown = undefined;
    this.#taken = undefined;
    this.#decision = undefined;
    this.#map = undefined;
  }

  /** Decides, unless that has been done, and shows the decision if the last record is long ago. */
  #decide(now: number): Decision {
    this.#shown = undefined;
    this.#decision ??= this.#newDecision();
    if (now - this.#recordedAt < RECORD_EVERY_MS) return this.#decision;
    this.#recordedAt = now;
    const { stack, thought } = this.#decision;
    const { shape } = this.game.info;
    const looks = this.saliency && stack !== undefined && shape !== undefined && thought !== undefined;
    this.#map = looks ? this.#brain?.saliency(stack, shape, thought) : undefined;
    this.paint();
    if (stack !== undefined && shape !== undefined) this.#painter.paintStack(stack, shape);
    this.#listener.record(this.#record(now, this.#decision));
    return this.#decision;
  }

  /** Takes the decision. */
  #take(now: number): void {
    const { thought, action } = this.#decide(now);
    this.#names.set(this.#player, this.#name());
    const pressed = [...this.#held, ...this.#tapped];
    this.game.moveSwitches({
      ...this.switches,
      ...(pressed.includes("SELECT") ? { select: true } : {}),
      ...(pressed.includes("RESET") ? { reset: true } : {}),
    });
    const person = this.#player === "you";
    const outcome = this.game.step(person ? this.#personsAction() : action, person ? this.#takeTurn() : 1);
    this.#tapped.clear();
    this.#decision = undefined;
    this.#taken = { thought, outcome };
    this.#coming = [...outcome.frames];
  }

  #newDecision(): Decision {
    const stack = this.game.stack();
    const { shape } = this.game.info;
    // No policy decides for a person, or for chance.
    const decides = this.#player === "agent" && stack !== undefined && shape !== undefined;
    const thought = decides ? this.#brain?.think(stack, shape) : undefined;
    return { stack, thought, action: this.#choose(thought) };
  }

  /** Draws an action. Its random number belongs to the decision, so that it is the same whenever it is drawn. */
  #choose(thought: Thought | undefined): number {
    const random = new Random(this.#seed + STREAM * (this.#steps + 1));
    if (this.#player === "agent" && thought !== undefined) return random.among(thought.probabilities);
    return this.#player === "you" ? 0 : random.below(this.#actions);
  }

  get #actions(): number {
    return this.game.info.actions.length;
  }

  /** What the random agent draws from; a person does not draw. */
  #equalChances(): number[] | undefined {
    return this.#player === "you" ? undefined : new Array<number>(this.#actions).fill(1 / this.#actions);
  }

  #personsAction(): number {
    const turn = this.#turn === 0 ? [] : [this.#turn < 0 ? "LEFT" : "RIGHT"];
    return actionOf([...this.#held, ...this.#tapped, ...turn], this.game.info.actions);
  }

  /** Takes what a decision turns of a drag, as a share of the full speed. Held keys have the full speed. */
  #takeTurn(): number {
    if (this.#turn === 0) return 1;
    const { skip } = this.game.info;
    const taken = Math.max(-skip, Math.min(skip, this.#turn));
    this.#turn -= taken;
    return Math.abs(taken) / skip;
  }

  /** The frames of the decision have been shown. */
  #finish({ thought, outcome }: Taken, now: number): void {
    const { reward, ended, score, lives, next } = outcome;
    this.#trace.add(thought?.value, reward, ended !== undefined);
    this.#film.add(this.#shown?.screen ?? this.game.screen());
    this.#taken = undefined;
    this.#steps += 1;
    this.#length += 1;
    if (ended === "game") {
      this.#end(score);
      if (this.#player === "you") {
        this.#over = { score: score ?? 0, lives, next };
        this.look(now);
        return;
      }
    }
    this.#coming = [...next];
    if (ended !== "game" && this.#steps % REWIND_EVERY === 0) {
      this.#past.push({ saved: this.#moment(), length: this.#length, counted: this.#counted });
      if (this.#past.length > REWIND_KEPT) this.#past.shift();
    }
  }

  /** A game has ended with a score, if it is known. */
  #end(score: number | undefined): void {
    if (score !== undefined && !this.#counted) {
      const [player = this.#player, ...others] = this.#names.keys();
      this.#listener.played({
        player: others.length > 0 ? "mixed" : player,
        policy: [...new Set(this.#names.values())].join(", "),
        score,
        length: this.#length,
      });
    }
    for (const moment of this.#past) moment.counted = true;
    this.#film.end();
    this.#map = undefined;
    this.#begin();
  }

  #name(): string {
    if (this.#player === "you") return "you";
    return this.#player === "agent" && this.#brain !== undefined ? this.#brain.name : "random agent";
  }

  /** Shows the end of a person's game: its last picture and its score. */
  #showEnd(now: number): void {
    this.paint();
    this.#listener.record(this.#record(now, { stack: undefined, thought: undefined, action: 0 }));
  }

  #record(now: number, { stack, thought, action }: Decision): ShowRecord {
    this.#rate = [...this.#rate.filter(({ at }) => now - at < RATE_MS), { at: now, frames: this.#frames }];
    const [first] = this.#rate;
    const milliseconds = now - (first?.at ?? now);
    return {
      step: this.#steps,
      player: this.#player,
      policy: this.#name(),
      stack,
      probabilities: thought?.probabilities ?? this.#equalChances(),
      value: thought?.value,
      action: this.#player === "you" ? this.#personsAction() : action,
      saliency: this.#map,
      score: this.#over?.score ?? this.game.score,
      lives: this.#over?.lives ?? this.game.lives,
      ram: this.ram ? this.game.ram() : undefined,
      over: this.#over !== undefined,
      values: this.#trace.values(),
      returns: this.#trace.returns(),
      framesPerSecond:
        milliseconds < RATE_LEAST_MS ? undefined : ((this.#frames - (first?.frames ?? 0)) * 1000) / milliseconds,
      ...this.standing,
    };
  }
}
