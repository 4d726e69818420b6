/** Values that callers pass by mistake, by name. Each call gives new ones, because some calls take what they are given. */

function detached(): Uint8Array {
  const array = new Uint8Array(100);
  structuredClone(array.buffer, { transfer: [array.buffer] });
  return array;
}

const MAKERS = {
  undefined: () => undefined,
  null: () => null,
  boolean: () => true,
  NaN: () => Number.NaN,
  infinity: () => Number.POSITIVE_INFINITY,
  negative: () => -1,
  fraction: () => 0.5,
  "2^53": () => 2 ** 53,
  huge: () => 1e300,
  bigint: () => 10n,
  text: () => "\ud800 text",
  symbol: () => Symbol("of the caller"),
  function: () => () => undefined,
  object: () => ({}),
  "object without prototype": () => Object.create(null) as object,
  "object with a length": () => ({ length: 1 }),
  "object with an endless length": () => ({ length: Number.POSITIVE_INFINITY }),
  "empty list": () => [],
  "list of null": () => [null],
  "list of symbols": () => [Symbol("of the caller"), Symbol("of the caller")],
  "sparse list": () => new Array(2),
  "detached array": detached,
  "detached buffer": () => detached().buffer,
  "data view": () => new DataView(new ArrayBuffer(100)),
  promise: () => new Promise(() => undefined),
} as const;

/** The name of such a value. */
export type BadName = keyof typeof MAKERS;

export const BAD_NAMES = Object.keys(MAKERS) as BadName[];

/** The value of a name. */
// biome-ignore lint/suspicious/noExplicitAny: the tests break the types on purpose.
export function bad(name: BadName): any {
  return MAKERS[name]();
}
