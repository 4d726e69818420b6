/** Dragging on the picture turns a paddle as far as the pointer moves. A joystick is held to that side for as long. */

import { show } from "../app/show.js";
import * as store from "../state/store.js";
import { element } from "../ui/dom.js";

/** Frames that ALE's paddle takes from one end to the other at full speed, which a drag over the whole picture stands for. */
const WHOLE_TURN = 33;

export function mountDrag(): void {
  const screen = element("screen", HTMLCanvasElement);
  let at = 0;
  screen.addEventListener("pointerdown", ({ pointerId, clientX }) => {
    if (store.player.value !== "you") return;
    screen.setPointerCapture(pointerId);
    at = clientX;
  });
  screen.addEventListener("pointermove", ({ pointerId, clientX }) => {
    if (store.player.value !== "you" || !screen.hasPointerCapture(pointerId)) return;
    show.turn(((clientX - at) * WHOLE_TURN) / screen.clientWidth);
    at = clientX;
  });
}
