/** The package for Node; what it gives is the same as in index.ts. */

import { setPlatform } from "./platform.js";
import { node } from "./platform-node.js";

export * from "./public.js";

setPlatform(node);
