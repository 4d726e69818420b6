/** The tile of one game of several: its picture, its frame stack, its numbers. */

import type { GameDescription, Observation } from "gym2600";
import { context2d, setText } from "./dom.js";
import { type LaneTally, meanOf } from "./episode-log.js";
import { formatReward } from "./episode-table.js";
import { FramePainter } from "./frame-stack.js";

/** The requests of a tile. */
export interface TileListener {
  watch(lane: number): void;
  revive(lane: number): void;
}

export class LaneTile {
  readonly item = document.createElement("li");

  readonly #watch = document.createElement("button");
  readonly #revive = document.createElement("button");
  readonly #lane: number;
  readonly #frames: CanvasRenderingContext2D;
  readonly #painter: FramePainter;
  readonly #score: HTMLElement;
  readonly #lives: HTMLElement;
  readonly #episodes: HTMLElement;
  readonly #mean: HTMLElement;

  constructor(lane: number, description: GameDescription, listener: TileListener) {
    this.#painter = new FramePainter(description);
    const { frames, width, height } = this.#painter;
    this.#lane = lane;
    const strip = canvasOf(`lane-${lane}-frames`, `Frame stack of lane ${lane}`, { width: width * frames, height });
    this.#frames = context2d(strip);
    this.#score = numberOf(`lane-${lane}-score`);
    this.#lives = numberOf(`lane-${lane}-lives`);
    this.#episodes = numberOf(`lane-${lane}-episodes`);
    this.#mean = numberOf(`lane-${lane}-mean`);
    this.#watch.type = "button";
    this.#watch.className = "watch";
    this.#watch.ariaLabel = `Watch lane ${lane}`;
    this.#watch.addEventListener("click", () => listener.watch(lane));
    this.#revive.type = "button";
    this.#revive.id = `lane-${lane}-revive`;
    this.#revive.className = "revive";
    this.#revive.textContent = "Revive";
    this.#revive.ariaLabel = `Revive lane ${lane}`;
    this.#revive.hidden = true;
    this.#revive.addEventListener("click", () => listener.revive(lane));
    const name = document.createElement("strong");
    name.textContent = `Lane ${lane}`;
    const numbers = document.createElement("dl");
    numbers.append(
      entryOf("Score", this.#score),
      entryOf("Lives", this.#lives),
      entryOf("Episodes", this.#episodes),
      entryOf("Mean", this.#mean),
    );
    this.item.id = `lane-${lane}`;
    this.item.className = "lane";
    this.item.append(name, this.#watch, strip, numbers, this.#revive);
  }

  /** Shows the canvas that the lane's worker paints on. */
  showPicture(canvas: HTMLCanvasElement): void {
    if (this.#watch.firstChild === canvas) return;
    canvas.id = `lane-${this.#lane}-picture`;
    canvas.ariaLabel = `Picture of lane ${this.#lane}`;
    this.#watch.replaceChildren(canvas);
  }

  /** Draws the frame stack; the array may be reused afterwards. */
  draw(observation: Observation): void {
    const { frames, width } = this.#painter;
    for (let frame = 0; frame < frames; frame++) {
      this.#painter.draw(observation, frame, this.#frames, frame * width);
    }
  }

  /** Shows how the lane stands. */
  show(tally: LaneTally, watched: boolean, dead: boolean): void {
    setText(this.#score, formatReward(tally.reward));
    setText(this.#lives, String(tally.lives));
    setText(this.#episodes, tally.episodes.toLocaleString("en"));
    setText(this.#mean, meanOf(tally.latest)?.toFixed(2) ?? "–");
    if (this.#watch.ariaPressed !== String(watched)) this.#watch.ariaPressed = String(watched);
    if (this.#revive.hidden !== dead) return;
    // The keyboard focus stays at the tile after a revival.
    if (!dead && document.activeElement === this.#revive) this.#watch.focus();
    this.#revive.hidden = !dead;
    this.item.dataset.dead = String(dead);
  }
}

function canvasOf(id: string, label: string, { width, height }: { width: number; height: number }): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  canvas.id = id;
  canvas.width = width;
  canvas.height = height;
  canvas.role = "img";
  canvas.ariaLabel = label;
  return canvas;
}

function numberOf(id: string): HTMLElement {
  const number = document.createElement("dd");
  number.id = id;
  return number;
}

function entryOf(name: string, number: HTMLElement): HTMLElement {
  const entry = document.createElement("div");
  const term = document.createElement("dt");
  term.textContent = name;
  entry.append(term, number);
  return entry;
}
