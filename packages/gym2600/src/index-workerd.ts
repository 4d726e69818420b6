/** The entry for workerd, the runtime of Cloudflare's workers, with the exports of index.ts. */

import { setPlatform } from "./platform.js";
import { workerd } from "./platform-workerd.js";

export * from "./public.js";

setPlatform(workerd);
