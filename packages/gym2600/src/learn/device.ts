/** What computes a run's nets: the CPU, or a graphics card until it is lost. */

import { Gym2600Error, shown } from "../errors.js";
import { Card, CardError } from "./card.js";
import type { Device, Processor } from "./types.js";

/**
 * The device that was asked for; the CPU if none was.
 *
 * @throws Gym2600Error `bad-option`
 */
export function checkedDevice(device: unknown): Device {
  if (device === undefined) return "cpu";
  if (device === "cpu" || device === "gpu" || device === "auto") return device;
  throw new Gym2600Error("bad-option", `device: ${shown(device)} is not "auto", "cpu" or "gpu"`);
}

/** What computes a run's nets. */
export class NetDevice {
  readonly #device: Device;
  #card: Card | undefined;
  #processor: Processor = { device: "cpu" };

  private constructor(device: Device) {
    this.#device = device;
  }

  /**
   * Opens a card for a run if `device` asks for one. `work` is what it has to know of the run.
   *
   * @throws Gym2600Error `bad-option` with the reason where `gpu` asks for one and there is none
   */
  static async open(device: Device, work: () => Uint32Array): Promise<NetDevice> {
    const opened = new NetDevice(device);
    if (device === "cpu") return opened;
    try {
      const card = await Card.open(work(), device === "gpu");
      opened.#card = card;
      opened.#processor = { device: "gpu", name: card.name };
    } catch (error) {
      opened.lose(error);
    }
    return opened;
  }

  /** The card, if there is one and it has not been lost. */
  get card(): Card | undefined {
    return this.#card;
  }

  /** What computes now. */
  get processor(): Processor {
    return this.#processor;
  }

  /**
   * Goes on on the CPU, if `auto` permits it.
   *
   * @throws Gym2600Error `bad-option` with the reason if `gpu` was asked for
   * @throws what it was given, if that is not about the card
   */
  lose(error: unknown): void {
    if (!(error instanceof CardError)) throw error;
    if (this.#device !== "auto") {
      throw new Gym2600Error("bad-option", `device gpu: ${error.message}`, { cause: error });
    }
    this.close();
    this.#processor = { device: "cpu", reason: error.message };
  }

  close(): void {
    this.#card?.close();
    this.#card = undefined;
  }
}
