/** The entry for Node, with the exports of index.ts. */

import { setLearnerPlatform } from "../learn-platform-node.js";

export * from "./public.js";

setLearnerPlatform();
