/** What a layout is checked for, in any browser. The functions run in the page. */

/** How far the page can be scrolled, in both directions. */
export function room(): readonly [number, number] {
  const { scrollWidth, clientWidth, scrollHeight, clientHeight } = document.documentElement;
  return [scrollWidth - clientWidth, scrollHeight - clientHeight];
}

/** The controls that are shown but not wholly inside the window or a part that scrolls. */
export function cutOff(): string[] {
  return [...document.querySelectorAll<HTMLElement>("main button, main input, main canvas, header button, .strip dd")]
    .filter((item) => item.checkVisibility() && item.closest(".lanes") === null)
    .filter((item) => {
      const { left, right, bottom } = item.getBoundingClientRect();
      return (
        left < -1 || right > innerWidth + 1 || (document.body.scrollHeight <= innerHeight && bottom > innerHeight + 1)
      );
    })
    .map((item) => item.id || item.outerHTML.slice(0, 80));
}

/** How many rows the groups of controls are in. */
export function rowsOfControls(): number {
  const bottoms = [...document.querySelectorAll("#controls > *")].map((group) => group.getBoundingClientRect().bottom);
  return new Set(bottoms.map(Math.round)).size;
}
