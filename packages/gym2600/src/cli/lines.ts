/**
 * The lines of output, with the bytes of the native program.
 *
 * A line is a JSON object without spaces. A reward is a real number with a decimal point.
 */

import { writeSync } from "node:fs";
import { ClosedOutput, InputError } from "./input.js";

/** A real number as the native program writes it: with at least one digit after the point, or with an exponent. -0 is 0. */
export function real(value: number): string {
  const [digits = "", exponent = "0"] = value.toExponential().split("e");
  const power = Number(exponent);
  if (power < -5 || power > 15) return `${digits}e${power}`;
  return Number.isInteger(value) ? (value + 0).toFixed(1) : String(value);
}

/** A JSON object of fields in JSON. */
export function object(fields: ReadonlyArray<readonly [name: string, json: string]>): string {
  return `{${fields.map(([name, json]) => `"${name}":${json}`).join(",")}}`;
}

/** The standard output, with a buffer. */
export class Output {
  #text = "";

  line(text: string): void {
    this.#text += `${text}\n`;
    if (this.#text.length > 1 << 16) this.flush();
  }

  flush(): void {
    let rest = Buffer.from(this.#text, "utf8");
    this.#text = "";
    while (rest.length > 0) rest = rest.subarray(write(rest));
  }
}

function write(bytes: Uint8Array): number {
  try {
    return writeSync(process.stdout.fd, bytes);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    // The pipe is full: wait for its reader.
    if (code === "EAGAIN") return 0;
    if (code === "EPIPE") throw new ClosedOutput("the output is closed");
    throw new InputError(`cannot write the standard output: ${(error as Error).message}`);
  }
}
