/** The package for Node; what it gives is the same as in index.ts. */

import "./platform-node.js";

export * from "./public.js";
