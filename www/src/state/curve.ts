/** The learning curve of a run, thinned so that a run of any length has a bounded number of points. */

import type { TrainingUpdate } from "gym2600/learn";

/** Points above which neighbours are joined. */
const MOST_POINTS = 1000;

/** Games that a point's mean, least and most are of. */
export const OVER = 100;

export interface Point {
  readonly steps: number;
  readonly minutes: number;
  readonly mean: number;
  readonly least: number;
  readonly most: number;
}

export class Curve {
  points: readonly Point[] = [];
  /** Games that have ended. */
  games = 0;
  #scores: number[] = [];
  /** Updates of a point, and those of the point to come. */
  #stride = 1;
  #since = 0;

  add(update: TrainingUpdate, milliseconds: number): void {
    for (const { reward } of update.finished) this.#scores.push(reward);
    this.games += update.finished.length;
    if (this.#scores.length > OVER) this.#scores = this.#scores.slice(-OVER);
    if (this.#scores.length === 0) return;
    this.#since += 1;
    if (this.#since < this.#stride) return;
    this.#since = 0;
    const point: Point = {
      steps: update.steps,
      minutes: milliseconds / 60_000,
      mean: this.#scores.reduce((sum, score) => sum + score, 0) / this.#scores.length,
      least: Math.min(...this.#scores),
      most: Math.max(...this.#scores),
    };
    this.points = [...this.points, point];
    if (this.points.length > MOST_POINTS) this.#thin();
  }

  get latest(): Point | undefined {
    return this.points.at(-1);
  }

  /** Joins neighbours: the later mean, and the bounds of both. */
  #thin(): void {
    this.#stride *= 2;
    this.points = this.points.flatMap((point, index) => {
      if (index % 2 === 0) return [];
      const before = this.points[index - 1] ?? point;
      return [{ ...point, least: Math.min(point.least, before.least), most: Math.max(point.most, before.most) }];
    });
  }
}
