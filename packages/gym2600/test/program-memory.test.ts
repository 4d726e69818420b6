/** Programs that no game plays leave neither compiled code nor memory behind. */

import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { Arcade, wallop } from "gym2600";
import { expect, test } from "vitest";
import { moduleMemory, moduleTable } from "../../../tests/package/module-memory.js";

/** Instances of compiled programs, as long as the engine keeps them. */
const instances: WeakRef<WebAssembly.Instance>[] = [];

WebAssembly.Instance = new Proxy(WebAssembly.Instance, {
  construct(target, [module, imports]: [WebAssembly.Module, WebAssembly.Imports]) {
    const instance = new target(module, imports);
    instances.push(new WeakRef(instance));
    return instance;
  },
});

/** Plays changed versions of WALLOP, each until it is compiled. */
async function playPrograms(first: number, count: number): Promise<void> {
  for (let number = first; number < first + count; number++) {
    const rom = wallop.slice();
    // Nothing executes the last bytes before the vectors.
    rom.set([number & 0xff, number >> 8], rom.length - 16);
    const arcade = await Arcade.create({ rom, game: { rom: "changed" } });
    for (let frame = 0; frame < 520; frame++) arcade.act(frame % 18);
    arcade.close();
  }
}

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/** Code is given up some turns after the last reference to it. */
async function collect(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) {
    collectGarbage();
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

const alive = () => instances.filter((instance) => instance.deref() !== undefined).length;

/** Functions in a table. */
function used(table: WebAssembly.Table | undefined): number {
  return Array.from({ length: table?.length ?? 0 }, (_, at) => table?.get(at)).filter(Boolean).length;
}

const figures = () => ({ memory: moduleMemory(), table: moduleTable()?.length, used: used(moduleTable()) });

test("compiled code of programs that are no longer played is given up", async () => {
  // By then the heap has grown to what games need.
  await playPrograms(0, 18);
  const before = figures();
  expect(before.memory).toBeGreaterThan(0);
  expect(instances.length).toBeGreaterThan(10);
  await playPrograms(18, 20);
  expect(instances.length).toBeGreaterThan(30);
  // The last program is kept for the next game.
  expect(figures()).toEqual(before);
  await collect();
  expect(alive()).toBeLessThanOrEqual(4);
});
