/** Makes a call into WebAssembly trap: instances are given exports whose functions throw what an engine throws for a trap. */

let armed = false;

/** The next call of any export of any instance traps. */
export function trapNext() {
  armed = true;
}

function trapping(exports) {
  const wrapped = {};
  for (const [name, value] of Object.entries(exports)) {
    wrapped[name] =
      typeof value === "function"
        ? (...args) => {
            if (armed) {
              armed = false;
              throw new WebAssembly.RuntimeError("unreachable");
            }
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
