/** A competitor's conversation with tests/bench/run.py: a line of JSON comes in, and one goes out in answer. */

import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

/** Answers every request with what `measure` makes of it and of the ROM's bytes, until there are no more. */
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
