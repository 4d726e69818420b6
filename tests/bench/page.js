/** The page of tests/bench/chromium.js. */

import * as gym2600 from "../../packages/gym2600/dist/index.js";
import * as learn from "../../packages/gym2600/dist/learn.js";
import { packageMeasurer } from "./measures.js";

const here = packageMeasurer(gym2600, learn);
const thread = new Worker(new URL("./thread.js", import.meta.url), { type: "module" });
await said();

function said() {
  return new Promise((resolve, reject) => {
    thread.onmessage = ({ data }) => resolve(data);
    thread.onerror = (event) => reject(new Error(event.message || "the thread's script could not be loaded"));
  });
}

/** Measures in a worker. Subjects with workers of their own are measured in the page. */
export async function measure(request, romText) {
  const rom = Uint8Array.from(atob(romText), (character) => character.charCodeAt(0));
  if (request.measure.startsWith("worker") || request.workers > 0) return here(request, rom);
  thread.postMessage({ request, rom });
  return said();
}
