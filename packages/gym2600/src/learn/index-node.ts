/** The entry for Node, with the exports of index.ts. */

import { setLearnerPlatform } from "./node.js";

export * from "./public.js";

setLearnerPlatform();
