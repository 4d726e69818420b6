/** The soak in a page: `playPart` plays a part of it, `moduleMemory` gives the size of the module's memory. */

import { moduleMemory } from "/tests/package/module-memory.js";
import { playPart } from "/tests/soak/soak.js";

const gym2600 = await import("/package/dist/index.js");

globalThis.moduleMemory = moduleMemory;
globalThis.playPart = (...part) => playPart(gym2600, ...part);
