/** The pages of the catalogue's games. VitePress asks for them when it builds the site. */

import { gamePages } from "../.vitepress/game-page.js";

export default {
  paths: () => gamePages().map(({ rom, text }) => ({ params: { rom }, content: text })),
};
