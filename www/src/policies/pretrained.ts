/** WALLOP's shipped policies. `scripts/train-demo` makes the files, and measures the policies. */

import scores from "./scores.json";

/** Checkpoints of one run, the least trained first: steps of training, and the mean score over some games. */
export const POLICIES = [
  { name: "untrained", file: "untrained", minutes: 0, ...scores.untrained },
  { name: "5 minutes", file: "5-minutes", minutes: 5, ...scores["5-minutes"] },
  { name: "1 hour", file: "1-hour", minutes: 60, ...scores["1-hour"] },
] as const;

/** A policy as the page calls it. */
export function policyName(place: 0 | 1 | 2): string {
  return place === 0 ? "untrained policy" : `policy of ${POLICIES[place].name} of training`;
}

const loaded = new Map<number, Promise<Uint8Array>>();

/** The weights of a policy, as a file of safetensors. A failure is not kept. */
export function loadPolicy(place: 0 | 1 | 2): Promise<Uint8Array> {
  const before = loaded.get(place);
  if (before !== undefined) return before;
  const weights = fetchPolicy(`./policies/${POLICIES[place].file}.safetensors`);
  loaded.set(place, weights);
  weights.catch(() => loaded.delete(place));
  return weights;
}

async function fetchPolicy(address: string): Promise<Uint8Array> {
  const response = await fetch(new URL(address, document.baseURI));
  if (!response.ok) throw new Error(`${address}: ${response.status} ${response.statusText}`);
  return dequantised(new Uint8Array(await response.arrayBuffer()));
}

/** An entry of a safetensors header. */
interface Tensor {
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly data_offsets: readonly [number, number];
}

/**
 * Makes single floats of the tensors of eight bits. Each row of such a tensor, its first axis, has a scale in the tensor
 * `NAME.scale`.
 */
export function dequantised(file: Uint8Array<ArrayBuffer>): Uint8Array {
  const headerLength = Number(new DataView(file.buffer).getBigUint64(0, true));
  const text = new TextDecoder().decode(file.subarray(8, 8 + headerLength));
  const { __metadata__, ...tensors } = JSON.parse(text) as Record<string, Tensor> & { __metadata__?: unknown };
  const data = file.slice(8 + headerLength);
  const floats = Object.entries(tensors)
    .filter(([name]) => !name.endsWith(".scale"))
    .map(([name, tensor]) => ({ name, shape: tensor.shape, values: floatsOf(data, tensor, tensors[`${name}.scale`]) }));
  let end = 0;
  const header: Record<string, unknown> = __metadata__ === undefined ? {} : { __metadata__ };
  for (const { name, shape, values } of floats) {
    header[name] = { dtype: "F32", shape, data_offsets: [end, end + values.byteLength] };
    end += values.byteLength;
  }
  const encoded = new TextEncoder().encode(JSON.stringify(header));
  // The data has to begin at a multiple of eight.
  const padded = Math.ceil(encoded.length / 8) * 8;
  const bytes = new Uint8Array(8 + padded + end).fill(32, 8, 8 + padded);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(padded), true);
  bytes.set(encoded, 8);
  let at = 8 + padded;
  for (const { values } of floats) {
    bytes.set(new Uint8Array(values.buffer), at);
    at += values.byteLength;
  }
  return bytes;
}

function floatsOf(
  data: Uint8Array<ArrayBuffer>,
  { dtype, shape, data_offsets }: Tensor,
  scale: Tensor | undefined,
): Float32Array<ArrayBuffer> {
  const bytes = data.slice(...data_offsets);
  if (dtype === "F32" || scale === undefined) return new Float32Array(bytes.buffer);
  const scales = new Float32Array(data.slice(...scale.data_offsets).buffer);
  const quantised = new Int8Array(bytes.buffer);
  const row = quantised.length / (shape[0] ?? 1);
  return Float32Array.from(quantised, (value, at) => value * (scales[Math.floor(at / row)] ?? 0));
}
