/** A run as the page sees it. Each run has a worker of its own, which ends with it. */

import { batch } from "@preact/signals-core";
import type { Processor } from "gym2600/learn";
import * as store from "../state/store.js";
import { sentence } from "../text.js";
import type { FromTraining, LaneState, ToTraining, TrainingPlan } from "../train/protocol.js";

export interface TrainingListener {
  /** With the weights of the run, if there are any; those of a worker that died are some seconds old. */
  onFailure(text: string, weights?: Uint8Array): void;
  /** The run after all updates that the store has. */
  onCheckpoint(bytes: Uint8Array): void;
  /** The state of a game that was asked for. */
  onLane(lane: number, game: LaneState): void;
}

export class TrainingClient {
  readonly #worker = new Worker(new URL("../train/worker.ts", import.meta.url), { type: "module" });
  /** The requests for weights. */
  readonly #waiting = new Map<number, (bytes: Uint8Array | undefined) => void>();
  readonly #onFailure: TrainingListener["onFailure"];
  readonly #onCheckpoint: TrainingListener["onCheckpoint"];
  readonly #onLane: TrainingListener["onLane"];
  readonly #onVisibility = (): void => this.#post({ type: "visible", visible: !document.hidden });
  #kept: Uint8Array | undefined;
  #number = 0;
  #runRequest = 0;

  constructor(
    plan: TrainingPlan,
    canvases: readonly OffscreenCanvas[],
    weights: MessagePort,
    { onFailure, onCheckpoint, onLane }: TrainingListener,
  ) {
    this.#onFailure = onFailure;
    this.#onCheckpoint = onCheckpoint;
    this.#onLane = onLane;
    this.#worker.addEventListener("message", ({ data }: MessageEvent<FromTraining>) => this.#receive(data));
    this.#worker.addEventListener("error", (event) =>
      onFailure(event.message || "the worker's script could not be loaded", this.#kept),
    );
    document.addEventListener("visibilitychange", this.#onVisibility);
    this.#post({ type: "weights-port", port: weights }, [weights]);
    this.#post({ type: "start", plan, canvases }, [...canvases]);
  }

  /** Goes on, or pauses after the present update. */
  run(running: boolean): void {
    store.training.value = running ? "running" : "pausing";
    this.#post({ type: "run", running, number: ++this.#runRequest });
  }

  /** The weights as a file, made between two updates; undefined if the run ends before. */
  weights(): Promise<Uint8Array | undefined> {
    const number = ++this.#number;
    return new Promise((resolve) => {
      this.#waiting.set(number, resolve);
      this.#post({ type: "weights", number });
    });
  }

  /** Asks for the state of a game. */
  lane(lane: number): void {
    this.#post({ type: "lane", lane });
  }

  close(): void {
    document.removeEventListener("visibilitychange", this.#onVisibility);
    this.#worker.terminate();
    for (const resolve of this.#waiting.values()) resolve(undefined);
    this.#waiting.clear();
  }

  #post(message: ToTraining, transfer: Transferable[] = []): void {
    this.#worker.postMessage(message, transfer);
  }

  #receive(message: FromTraining): void {
    switch (message.type) {
      case "started":
        store.processor.value = message.processor;
        store.training.value = "running";
        return;
      case "progress":
        this.#progress(message);
        return;
      case "paused":
        // The person may have gone on, or paused again, meanwhile.
        if (message.number === this.#runRequest && store.training.value === "pausing") store.training.value = "paused";
        return;
      case "lane":
        this.#onLane(message.lane, message.game);
        return;
      case "weights":
        this.#waiting.get(message.number)?.(message.bytes);
        this.#waiting.delete(message.number);
        return;
      case "kept":
        this.#kept = message.bytes;
        return;
      case "checkpoint":
        this.#onCheckpoint(message.bytes);
        return;
      case "failed":
        this.#onFailure(message.message, message.weights);
        return;
    }
  }

  #progress({ updates, milliseconds }: Extract<FromTraining, { type: "progress" }>): void {
    const latest = updates.at(-1);
    if (latest === undefined) return;
    batch(() => {
      for (const { processor, ...update } of updates) store.curve.value.add(update, milliseconds);
      store.curveVersion.value += 1;
      store.latestUpdate.value = latest;
      this.#computes(latest.processor);
      store.trainedMilliseconds.value = milliseconds;
    });
  }

  /** Says on the page what computes from now on, and that a card was lost. */
  #computes(processor: Processor): void {
    const before = store.processor.peek();
    if (before.device === "gpu" && processor.device === "cpu") {
      store.message.value ??= {
        kind: "note",
        headline: "The training goes on on the CPU.",
        detail: sentence(processor.reason ?? ""),
        actions: [],
      };
    }
    store.processor.value = processor;
  }
}
