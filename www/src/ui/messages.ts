/** Messages: errors, questions, and announcements for screen readers. */

import { effect } from "@preact/signals-core";
import * as store from "../state/store.js";
import { bindText, button, element, h, setText } from "./dom.js";

export function mountMessages(): void {
  const box = element("message", HTMLElement);
  const text = element("message-text", HTMLElement);
  const actions = element("message-actions", HTMLElement);
  const alert = element("alert", HTMLElement);
  /** Where the focus was when the message came. */
  let from: Element | null = null;
  const giveBack = (): void => {
    if (from instanceof HTMLElement && from.isConnected && from !== document.body) from.focus();
    // A field of a drawer that has been closed takes no focus.
    if (from !== document.activeElement) element("television", HTMLElement).focus({ preventScroll: true });
  };
  const close = button("message-close", () => {
    const { value: message } = store.message;
    store.message.value = undefined;
    message?.dismissed?.();
  });
  effect(() => {
    const message = store.message.value;
    const focused = box.contains(document.activeElement);
    if (message === undefined && focused) giveBack();
    box.hidden = message === undefined;
    setText(alert, message === undefined ? "" : `${message.headline} ${message.detail}`);
    if (message === undefined) {
      text.replaceChildren();
      actions.replaceChildren();
      return;
    }
    if (!focused) from = document.activeElement;
    box.dataset.kind = message.kind;
    text.replaceChildren(h("strong", {}, message.headline), ` ${message.detail}`);
    actions.replaceChildren(
      ...message.actions.map(({ label, act }) => {
        const made = h("button", { type: "button" }, label);
        made.addEventListener("click", act);
        return made;
      }),
    );
    // The button that had the focus is gone.
    (actions.querySelector("button") ?? (focused ? close : undefined))?.focus();
  });
  bindText("announcement", () => store.announcement.value);
}
