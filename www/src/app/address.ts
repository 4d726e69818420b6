/** The page's address, whose hash may be a link. */

import { hashOf, readHash } from "../state/link.js";
import * as store from "../state/store.js";

/** Takes a link out of the address that is not for what is open, so that a reload does not follow it again. */
export function settleAddress(): void {
  const link = readHash(location.hash);
  const opened = hashOf(store.setup.value, store.game.value?.md5, undefined);
  if (link === undefined || hashOf(link.setup, link.md5 ?? store.WALLOP_MD5, undefined) === opened) return;
  history.replaceState(null, "", location.pathname + location.search);
}
