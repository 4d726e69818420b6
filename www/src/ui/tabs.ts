/** Tabs, which stand for the columns on small screens. The style sheet decides where they are shown. */

import { element } from "./dom.js";

const NAMES = ["agent", "curve", "training"] as const;

export function mountTabs(): void {
  const list = element("tabs", HTMLElement);
  const tabs = NAMES.map((name) => element(`tab-${name}`, HTMLButtonElement));
  const panels = NAMES.map((name) => element(`panel-${name}`, HTMLElement));
  const select = (place: number, focus: boolean): void => {
    document.body.dataset.tab = NAMES[place] ?? "agent";
    for (const [index, tab] of tabs.entries()) {
      tab.setAttribute("aria-selected", String(index === place));
      tab.tabIndex = index === place ? 0 : -1;
      if (index === place && focus) tab.focus();
    }
  };
  for (const [place, tab] of tabs.entries()) tab.addEventListener("click", () => select(place, false));
  list.addEventListener("keydown", (event) => {
    const at = tabs.findIndex((tab) => tab.ariaSelected === "true");
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    select((to + tabs.length) % tabs.length, true);
  });
  // Panels are tab panels only where the tabs are shown.
  const narrow = matchMedia("(max-width: 999px)");
  const mark = (): void => {
    for (const panel of panels) {
      if (narrow.matches) panel.setAttribute("role", "tabpanel");
      else panel.removeAttribute("role");
    }
  };
  narrow.addEventListener("change", mark);
  mark();
}
