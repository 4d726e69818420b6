/** Makes a call into WebAssembly trap, in the instance that is called: the functions of its exports are wrapped. */

/** Ways to trap, each given the exports of the instance. */
const TRAPS = {
  // Reads the size of a block that is outside of the memory.
  outOfBounds: ({ __wbindgen_free }) => __wbindgen_free(0xfffffff0, 16, 1),
  outOfMemory: ({ __wbindgen_malloc }) => {
    for (;;) __wbindgen_malloc(2 ** 30, 1);
  },
};

let trap = TRAPS.outOfBounds;
/** Calls of exports up to the one that traps; 0 if none does. */
let left = 0;
/** Requests since the trap was asked for. */
let requests = 0;

/** The call with this number, of any export of any instance, traps: the first one is 1, later ones are in the middle of a request. */
function trapAt(kind, call) {
  trap = kind;
  left = call;
  requests = 0;
}

/** What a saboteur is asked for, by name, with the number of the call. */
export const TRAP_SABOTAGES = {
  trap: (call) => trapAt(TRAPS.outOfBounds, call),
  allocation: (call) => trapAt(TRAPS.outOfMemory, call),
};

/** A request begins. The second one after the trap was asked for traps at its first call, if the first one did not. */
export function beginRequest() {
  if (++requests > 1) left = Math.min(left, 1);
}

function trapping(exports) {
  const wrapped = {};
  for (const [name, value] of Object.entries(exports)) {
    wrapped[name] =
      typeof value === "function"
        ? (...args) => {
            if (left > 0 && --left === 0) trap(exports);
            return value(...args);
          }
        : value;
  }
  return wrapped;
}

const descriptor = Object.getOwnPropertyDescriptor(WebAssembly.Instance.prototype, "exports");
if (descriptor?.get === undefined) {
  // Engines keep the exports on the instance itself.
  const { Instance, instantiate } = WebAssembly;
  const over = (instance) => Object.create(Instance.prototype, { exports: { value: trapping(instance.exports) } });
  WebAssembly.Instance = class extends Instance {
    constructor(...args) {
      super(...args);
      // biome-ignore lint/correctness/noConstructorReturn: stands in for the instance.
      return over(this);
    }
  };
  WebAssembly.instantiate = async (source, imports) => {
    const result = await instantiate(source, imports);
    return result instanceof Instance ? over(result) : { ...result, instance: over(result.instance) };
  };
} else {
  const seen = new WeakMap();
  Object.defineProperty(WebAssembly.Instance.prototype, "exports", {
    ...descriptor,
    get() {
      const exports = descriptor.get.call(this);
      if (!seen.has(this)) seen.set(this, trapping(exports));
      return seen.get(this);
    },
  });
}
