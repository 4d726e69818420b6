/** Runs a soak in parts, prints the memory after each as a line of JSON, and decides whether it is flat. */

import { parseArgs } from "node:util";

/** Parts, each of which has environments of every kind. */
const PARTS = 20;

/** Parts after which memory has what the longest-lived things need, such as free lists and compiled code of the engine. */
const FIRST = 5;

/** MiB by which the memory of the process may vary, because collectors and allocators return memory when they like. */
const PROCESS_MIB = 16;

/** MiB by which the heap of JavaScript may vary. */
const HEAP_MIB = 4;

/** @typedef {{ readonly moduleMib: number, readonly processMib: number, readonly heapMib: number }} Memory */

/**
 * @param {string} where
 * @param {(first: number, count: number, steps: number) => Promise<number>} play see soak.js
 * @param {() => Promise<Memory>} measure after a garbage collection
 * @returns {Promise<boolean>} whether the memory stayed flat
 */
export async function soak(where, play, measure) {
  const { values } = parseArgs({
    options: { steps: { type: "string", default: "1000000" }, environments: { type: "string", default: "500" } },
  });
  const [steps, environments] = [Number(values.steps), Number(values.environments)];
  const each = Math.ceil(steps / environments);
  /** @type {Memory[]} */
  const figures = [];
  let played = 0;
  for (let part = 0; part < PARTS; part++) {
    const [first, last] = [part, part + 1].map((border) => Math.floor((border * environments) / PARTS));
    played += await play(first, last - first, each);
    const memory = await measure();
    figures.push(memory);
    console.log(JSON.stringify({ where, environments: last, steps: played, ...memory }));
  }
  const [before, after] = [figures[FIRST - 1], figures.at(-1)];
  const flat =
    after.moduleMib <= before.moduleMib &&
    after.processMib <= before.processMib + PROCESS_MIB &&
    after.heapMib <= before.heapMib + HEAP_MIB;
  console.log(
    JSON.stringify({
      where,
      flat,
      moduleMib: grown("moduleMib"),
      processMib: grown("processMib"),
      heapMib: grown("heapMib"),
    }),
  );
  return flat;

  function grown(name) {
    return Number((after[name] - before[name]).toFixed(1));
  }
}

/** Bytes in MiB, with one decimal. */
export function mib(bytes) {
  return Number((bytes / 2 ** 20).toFixed(1));
}
