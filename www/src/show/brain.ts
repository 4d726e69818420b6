/** The policy of the show game: what it decides, and what its decision depends on. */

import { Policy } from "gym2600/learn";

/** Patches of a saliency map in each direction. */
export const PATCHES = 8;

/** Frames, height and width. */
type Shape = readonly [number, number, number];

export interface Thought {
  readonly probabilities: readonly number[];
  readonly value: number;
}

export class Brain {
  readonly name: string;
  readonly #policy: Policy;

  private constructor(policy: Policy, name: string) {
    this.#policy = policy;
    this.name = name;
  }

  /** @throws Gym2600Error `bad-weights` */
  static async load(weights: Uint8Array, name: string): Promise<Brain> {
    return new Brain(await Policy.load(weights), name);
  }

  /** @throws Gym2600Error `bad-option` for a stack of another shape */
  think(stack: Uint8Array, shape: Shape): Thought {
    const { probabilities, value } = this.#policy.act(stack, { shape });
    return { probabilities: Array.from(probabilities), value };
  }

  /**
   * How much the policy depends on each patch of the picture. A patch is replaced by its mean in all frames; the number is the total
   * variation between the policy with and without it, 0 to 1.
   */
  saliency(stack: Uint8Array, shape: Shape, before: Thought): number[] {
    const [frames, height, width] = shape;
    const hidden = stack.slice();
    const map: number[] = [];
    for (let row = 0; row < PATCHES; row++) {
      for (let column = 0; column < PATCHES; column++) {
        const rows = [bound(row, height), bound(row + 1, height)] as const;
        const columns = [bound(column, width), bound(column + 1, width)] as const;
        for (let frame = 0; frame < frames; frame++) {
          flatten(hidden.subarray(frame * height * width, (frame + 1) * height * width), width, rows, columns);
        }
        const { probabilities } = this.#policy.act(hidden, { shape });
        const change = before.probabilities.reduce(
          (sum, probability, action) => sum + Math.abs(probability - (probabilities[action] ?? 0)),
          0,
        );
        map.push(change / 2);
        hidden.set(stack);
      }
    }
    return map;
  }
}

function bound(patch: number, size: number): number {
  return Math.round((patch * size) / PATCHES);
}

/** Replaces a patch by its mean. */
function flatten(
  frame: Uint8Array,
  width: number,
  [top, bottom]: readonly [number, number],
  [left, right]: readonly [number, number],
): void {
  let sum = 0;
  for (let y = top; y < bottom; y++) for (let x = left; x < right; x++) sum += frame[y * width + x] ?? 0;
  const mean = sum / ((bottom - top) * (right - left));
  for (let y = top; y < bottom; y++) frame.fill(mean, y * width + left, y * width + right);
}
