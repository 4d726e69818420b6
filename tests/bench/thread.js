/** A Web Worker for measurements of subjects without workers of their own. */

import * as gym2600 from "../../packages/gym2600/dist/index.js";
import * as learn from "../../packages/gym2600/dist/learn.js";
import { packageMeasurer } from "./measures.js";

const measure = packageMeasurer(gym2600, learn);

addEventListener("message", ({ data: { request, rom } }) => {
  measure(request, rom).then(postMessage, (error) => postMessage({ error: error.message }));
});
postMessage("ready");
