/**
 * Imported by every Web Worker before the package's own script. Where a message asks for it, ends the worker from inside, each
 * kind in its own way. Running out of memory is not among them: with such a worker, browsers end the page.
 */

import { beginRequest, TRAP_SABOTAGES } from "./trap.js";

const SABOTAGES = {
  exit: () => close(),
  throw: () => {
    throw new Error("thrown by the saboteur");
  },
  // Anything can be thrown.
  throwNull: () => {
    throw null;
  },
  ...TRAP_SABOTAGES,
};

addEventListener("message", (event) => {
  const sabotage = SABOTAGES[event.data?.sabotage];
  if (sabotage === undefined) {
    beginRequest();
    return;
  }
  event.stopImmediatePropagation();
  sabotage(event.data.after);
});
