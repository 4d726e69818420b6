/** The protocol of a competitor: a request is a line of JSON, and so is its answer. */

import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

/** Answers every request by `measure(request, rom)`, with the ROM as bytes, to the end of the input. */
export async function answerLines(measure) {
  for await (const line of createInterface({ input: process.stdin })) {
    let answer;
    try {
      const request = JSON.parse(line);
      answer = await measure(request, new Uint8Array(readFileSync(request.rom)));
    } catch (error) {
      answer = { error: error instanceof Error ? error.message : String(error) };
    }
    process.stdout.write(`${JSON.stringify(answer)}\n`);
  }
}
