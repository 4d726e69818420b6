/** The entry for Node, with the exports of index.ts. */

import { setPlatform } from "./platform.js";
import { node } from "./platform-node.js";

export * from "./public.js";

setPlatform(node);
