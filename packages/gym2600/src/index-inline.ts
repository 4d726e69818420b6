/** The package in one file, with the WebAssembly module and the worker inside; what it gives is the same as in index.ts. */

import { setPlatform } from "./platform.js";
import { inline } from "./platform-inline.js";

export * from "./public.js";

setPlatform(inline);
