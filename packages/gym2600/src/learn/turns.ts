/** A rollout on a graphics card, for which the games take turns: while one half of them plays, the card computes for the other. */

import { joined } from "../buffers/joined.js";
import type { Card, Shown } from "./card.js";
import type { Shards } from "./shards.js";

/** Half of the games. */
interface Half {
  /** The number of its first game, in the card's order. */
  readonly first: number;
  /** What the card will have computed for what they show; nothing after the last step. */
  outputs: Promise<Float32Array>;
}

/**
 * Plays the rollout of an update, of so many steps. `rest` is called before each turn. However it ends, nothing plays then and nothing is asked of
 * the card.
 */
export async function playInTurns(
  card: Card,
  groups: readonly Shards[],
  update: number,
  rollout: number,
  rest: () => Promise<void>,
): Promise<void> {
  const begun = await Promise.all(groups.map((group) => group.begin(update)));
  const halves: Half[] = [];
  let first = 0;
  for (const half of begun[0]?.keys() ?? []) {
    const shown = joinedShown(begun.map((group) => group[half] as Shown));
    halves.push({ first, outputs: awaitedLater(card.outputs(first, shown)) });
    first += shown.counts.length;
  }
  try {
    for (let step = 0; step <= rollout; step++) {
      for (const [number, half] of halves.entries()) {
        await rest();
        const outputs = await half.outputs;
        // The other half's outputs are waited for at once. Workers answer in the order of calls, so the card is asked in that order too.
        const shown = advance(groups, number, step, outputs);
        const next = step < rollout ? (shown: Shown) => card.outputs(half.first, shown) : () => new Float32Array();
        half.outputs = awaitedLater(shown.then(next));
      }
    }
  } finally {
    await Promise.allSettled(halves.map(({ outputs }) => outputs));
  }
  await Promise.all(halves.map(({ outputs }) => outputs));
}

/** Plays a step of half of the games with a net's outputs, and gives what they show then. */
async function advance(groups: readonly Shards[], half: number, step: number, outputs: Float32Array): Promise<Shown> {
  const part = outputs.length / groups.length;
  const advances = groups.map((group, number) =>
    group.advance(half, step, outputs.slice(number * part, (number + 1) * part)),
  );
  return joinedShown(await Promise.all(advances));
}

/** What all groups show. */
function joinedShown(groups: readonly Shown[]): Shown {
  return {
    pictures: joined(
      Uint8Array,
      groups.map(({ pictures }) => pictures),
    ),
    counts: joined(
      Uint32Array,
      groups.map(({ counts }) => counts),
    ),
    stacks: joined(
      Uint32Array,
      groups.map(({ stacks }) => stacks),
    ),
  };
}

/** Marks the rejection of a promise as handled, because it is awaited later. */
function awaitedLater<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}
