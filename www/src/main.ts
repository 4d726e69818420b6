/** Starts the page. */

import { App } from "./app.js";

await new App().start();
