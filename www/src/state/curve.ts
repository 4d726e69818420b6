/** The learning curve of a run, thinned so that a run of any length has a bounded number of points. */

import type { TrainingUpdate } from "gym2600/learn";

/** Points above which neighbours are joined. */
const MOST_POINTS = 1000;

/** Games that a point's scores are of. */
export const OVER = 100;

export interface Point {
  readonly steps: number;
  readonly minutes: number;
  readonly mean: number;
  readonly least: number;
  readonly most: number;
  /** A quarter of the games score at most this, and a quarter at least the other. */
  readonly lowerQuartile: number;
  readonly upperQuartile: number;
}

/** What an update tells, but for the processor. */
export type Told = Omit<TrainingUpdate, "processor">;

/** An update as Data exports it: what it told, and the scores of the last games, if any has ended. */
export type Row = Told & Pick<Point, "minutes"> & Partial<Point>;

/** Updates that are kept for Data; the oldest are dropped, some at once. */
const MOST_ROWS = 100_000;
const DROPPED_ROWS = 1000;

/** A curve as plain data, without its rows. */
export interface SavedCurve {
  readonly points: readonly Point[];
  readonly games: number;
  readonly scores: readonly number[];
  readonly stride: number;
  readonly since: number;
}

export class Curve {
  points: readonly Point[] = [];
  readonly rows: Row[] = [];
  /** Games that have ended. */
  games = 0;
  #scores: number[] = [];
  /** Updates of a point, and those of the point to come. */
  #stride = 1;
  #since = 0;

  add(update: Told, milliseconds: number): void {
    for (const { reward } of update.finished) this.#scores.push(reward);
    this.games += update.finished.length;
    if (this.#scores.length > OVER) this.#scores = this.#scores.slice(-OVER);
    const minutes = milliseconds / 60_000;
    const point = this.#scores.length === 0 ? undefined : this.#point(update.steps, minutes);
    this.rows.push({ ...update, minutes, ...point });
    if (this.rows.length > MOST_ROWS) this.rows.splice(0, DROPPED_ROWS);
    if (point === undefined) return;
    this.#since += 1;
    if (this.#since < this.#stride) return;
    this.#since = 0;
    this.points = [...this.points, point];
    if (this.points.length > MOST_POINTS) this.#thin();
  }

  /** The curve that {@link saved} gave, with its rows. */
  static from({ points, games, scores, stride, since }: SavedCurve, rows: readonly Row[]): Curve {
    const curve = new Curve();
    curve.points = points;
    for (const row of rows) curve.rows.push(row);
    curve.games = games;
    curve.#scores = [...scores];
    curve.#stride = stride;
    curve.#since = since;
    return curve;
  }

  /** The curve as data, without its rows. */
  get saved(): SavedCurve {
    return { points: this.points, games: this.games, scores: this.#scores, stride: this.#stride, since: this.#since };
  }

  #point(steps: number, minutes: number): Point {
    const scores = this.#scores;
    const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
    const sorted = scores.toSorted((one, other) => one - other);
    const quantile = (share: number): number => {
      const place = share * (sorted.length - 1);
      const below = sorted[Math.floor(place)] ?? mean;
      const above = sorted[Math.ceil(place)] ?? below;
      return below + (above - below) * (place % 1);
    };
    const [lowerQuartile, upperQuartile] = [quantile(0.25), quantile(0.75)];
    return { steps, minutes, mean, least: quantile(0), most: quantile(1), lowerQuartile, upperQuartile };
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
