/**
 * A graphics card of WebGPU, and the WebAssembly module that computes on it.
 *
 * The module is read when a run opens a card. It has the net and its gradients; weights, settings and steps come from the learner's module.
 */

import init, { WasmCard } from "../../wasm-learn-gpu/gym2600_learn_gpu.js";
import { messageOf } from "../errors.js";
import type { PackagedModule } from "../platform.js";
import { begin, compilePackaged, compileSource, type Modules, type WasmSource } from "../wasm-module.js";

/** What this package uses of an adapter. */
interface Adapter {
  readonly info?: {
    readonly vendor?: string;
    readonly architecture?: string;
    readonly description?: string;
    readonly isFallbackAdapter?: boolean;
  };
  /** Where older browsers say it. */
  readonly isFallbackAdapter?: boolean;
}

/** What this package uses of WebGPU. */
interface Gpu {
  requestAdapter(options: {
    readonly powerPreference: "high-performance";
    readonly forceFallbackAdapter: boolean;
  }): Promise<Adapter | null>;
}

/** Reads the module where it lies; set by the entry module for pages. */
let readModule: (() => Promise<PackagedModule>) | undefined;
const modules: Modules = [];

/** Called once by an entry module. */
export function setCardModule(read: () => Promise<PackagedModule>): void {
  readModule = read;
}

/** Takes the module from `wasm` and not from the address that the package was built with, unless that fails. */
export function useCard(wasm: WasmSource): Promise<WebAssembly.Module> {
  return begin(modules, compileSource(wasm, "wasmcard_open", "card"));
}

/** Why a card computes no more, or cannot be opened. */
export class CardError extends Error {
  override readonly name = "CardError";
}

/** What games show before a step, or several groups of them one after the other. */
export interface Shown {
  /** The pictures that were not shown before in this rollout, game after game. */
  readonly pictures: Uint8Array;
  /** How many they are of each game. */
  readonly counts: Uint32Array;
  /** The pictures of each game's stack, by their numbers among all that the game has shown. */
  readonly stacks: Uint32Array;
}

/** What a card made in the gradient steps of an update. */
export interface CardUpdate {
  readonly parameters: Float32Array;
  readonly first: Float32Array;
  readonly second: Float32Array;
  readonly totals: Float32Array;
}

/**
 * The net of a run on a card. Outputs may be asked for while others are awaited; any other promise is awaited before the next call. All are
 * rejected with {@link CardError} once the card is lost.
 */
export class Card {
  /** The adapter's name. */
  readonly name: string;
  readonly #wasm: WasmCard;
  /** Settles with all calls. */
  #pending: Promise<unknown> = Promise.resolve();

  private constructor(name: string, wasm: WasmCard) {
    this.name = name;
    this.#wasm = wasm;
  }

  /**
   * Opens the best card, or with `software` what stands for one where there is none.
   *
   * @throws CardError where there is none, where it is too small for the work, or without the module
   */
  static async open(work: Uint32Array, software: boolean): Promise<Card> {
    const name = await adapterName(software);
    await instantiated().catch(fail);
    return new Card(name, await WasmCard.open(work, software).catch(fail));
  }

  /** Begins an update with these weights and moments. */
  begin(parameters: Float32Array, first: Float32Array, second: Float32Array): void {
    this.#wasm.begin(parameters, first, second);
  }

  /**
   * The net's outputs for some games: those from number `first` on. Each step is asked for all games in their order before the next one of any.
   */
  outputs(first: number, { pictures, counts, stacks }: Shown): Promise<Float32Array> {
    return this.#ask(() => this.#wasm.outputs(first, pictures, counts, stacks) as Promise<Float32Array>);
  }

  /** Takes the steps of the rollout. */
  setSteps(steps: Uint32Array): void {
    this.#wasm.setSteps(steps);
  }

  /** Makes a gradient step. It does not wait for the card. */
  step(samples: Uint32Array, settings: Uint32Array): void {
    try {
      this.#wasm.step(samples, settings);
    } catch (error) {
      fail(error);
    }
  }

  /** Waits for the gradient steps of the update. */
  async finish(): Promise<CardUpdate> {
    await this.#ask(() => this.#wasm.finish());
    const wasm = this.#wasm;
    return { parameters: wasm.parameters(), first: wasm.first(), second: wasm.second(), totals: wasm.totals() };
  }

  /** Closes the device, after the calls that run. */
  close(): void {
    const free = () => {
      this.#wasm.destroy();
      this.#wasm.free();
    };
    void this.#pending.then(free);
  }

  async #ask<T>(ask: () => Promise<T>): Promise<T> {
    try {
      const asked = ask();
      // Without the results, which each promise would keep with all before it.
      this.#pending = Promise.allSettled([this.#pending, asked]).then(() => undefined);
      return await asked;
    } catch (error) {
      return fail(error);
    }
  }
}

/** Makes this thread's instance of the module, if there is none. */
async function instantiated(): Promise<void> {
  const read = readModule;
  if (read === undefined) throw new Error("only pages and their workers have the module for WebGPU");
  await init({
    module_or_path: await (modules.at(-1) ?? begin(modules, compilePackaged(read(), "the graphics card's"))),
  });
}

function fail(error: unknown): never {
  throw new CardError(messageOf(error), { cause: error });
}

/**
 * The name of the adapter that would be opened.
 *
 * @throws CardError
 */
async function adapterName(software: boolean): Promise<string> {
  const { gpu } = (globalThis.navigator ?? {}) as { readonly gpu?: Gpu };
  if (gpu === undefined) {
    throw new CardError(
      "there is no WebGPU here: browsers have it in pages of https and of localhost, and Node has none",
    );
  }
  const request = (forceFallbackAdapter: boolean) =>
    gpu.requestAdapter({ powerPreference: "high-performance", forceFallbackAdapter }).catch(() => null);
  const adapter = (await request(false)) ?? (software ? await request(true) : null);
  if (adapter === null) throw new CardError("this browser offers no graphics card");
  const { vendor = "", architecture = "", description = "", isFallbackAdapter } = adapter.info ?? {};
  const name = description || [vendor, architecture].filter((part) => part !== "").join(" ") || "of no known name";
  if (!software && (isFallbackAdapter ?? adapter.isFallbackAdapter ?? false)) {
    throw new CardError(`this browser offers no graphics card, only software: ${name}`);
  }
  return name;
}
