/** The page's show game. */

import * as store from "../state/store.js";
import { sentence } from "../text.js";
import { element } from "../ui/dom.js";
import { fail } from "./messages.js";
import { ShowClient } from "./show-client.js";

export const show = new ShowClient(element("screen", HTMLCanvasElement), (text) => {
  store.running.value = false;
  fail("The game stopped.", `${sentence(text)} Press New game, then Start.`);
});
