/** Closes what a test has opened. */

import { afterEach } from "vitest";

type Closable = { close(): unknown };
const open: Closable[] = [];

afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

/** `one`, which is closed after the test. */
export function opened<T extends Closable>(one: T): T {
  open.push(one);
  return one;
}
