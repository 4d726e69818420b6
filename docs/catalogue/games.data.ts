/** The table of all games, for index.md. */

import { type GameLine, gameLines } from "../.vitepress/game-page.js";

declare const data: readonly GameLine[];

export { data };

export default { load: gameLines };
