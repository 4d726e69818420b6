/**
 * Signals that end a run: SIGINT, SIGTERM and SIGHUP.
 *
 * The first one lets the update under way end, for a second at most, and then the run's results are written. An update that may take longer
 * has the results before it kept, which are written instead. Another signal ends the process at once, as it does without a run.
 */

/** The signals with their numbers. */
const SIGNALS = { SIGINT: 2, SIGTERM: 15, SIGHUP: 1 } as const;

/** How long an update may go on after a signal, in milliseconds. */
const GRACE = 1000;
/** Signals within this time are the same one: npm sends it to a program that has it from the terminal too. */
const REPEATS = 500;

/** The exit code of a shell for a program that a signal ended. */
export function exitCodeOf(signal: Signal): number {
  return 128 + SIGNALS[signal];
}

/** A signal that ends a run. */
export type Signal = keyof typeof SIGNALS;

/** Whether an update like one of so many milliseconds needs its results kept. */
export function isLong(duration: number | undefined): boolean {
  return duration === undefined || duration > GRACE;
}

/** Takes the signals of a run until {@link Stop.close}. */
export class Stop {
  #signal: Signal | undefined;
  /** Resolves when another signal ends the process. */
  #armed: Promise<void> | undefined;
  /** Drops the update under way. */
  #drop: (() => void) | undefined;
  #isLate = false;
  readonly #listeners: ReadonlyArray<readonly [signal: Signal, listener: () => void]>;

  constructor() {
    const signals = Object.keys(SIGNALS) as Signal[];
    this.#listeners = signals.map((signal) => [signal, () => this.#take(signal)] as const);
    for (const [signal, listener] of this.#listeners) process.on(signal, listener);
  }

  /** The signal that came, if any. */
  get signal(): Signal | undefined {
    return this.#signal;
  }

  /** What a promise gives, or undefined if a signal has come and the time is over. */
  unlessLate<T>(promise: Promise<T>): Promise<T | undefined> {
    return new Promise((resolve, reject) => {
      this.#drop = () => resolve(undefined);
      promise.then(resolve, reject);
      if (this.#isLate) resolve(undefined);
    });
  }

  /** Waits until another signal would end the process, if one has come: work that blocks this thread may follow. */
  async armed(): Promise<void> {
    await this.#armed;
  }

  /** Signals have their usual effect from now on. */
  close(): void {
    for (const [signal, listener] of this.#listeners) process.off(signal, listener);
  }

  #take(signal: Signal): void {
    if (this.#signal !== undefined) return;
    this.#signal = signal;
    // On a terminal the progress is an open row.
    const start = process.stderr.isTTY ? "\n" : "";
    process.stderr.write(`${start}gym2600: ${signal}: the run ends after this update; once more ends it at once\n`);
    this.#armed = new Promise((resolve) => {
      setTimeout(() => {
        this.close();
        resolve();
      }, REPEATS);
    });
    setTimeout(() => {
      this.#isLate = true;
      this.#drop?.();
    }, GRACE).unref();
  }
}
