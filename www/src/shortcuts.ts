/** Letters as shortcuts for buttons. */

/**
 * Calls `actions[letter]` when that letter is pressed alone, while `enabled()`.
 * In text fields and lists letters keep their meaning.
 */
export function listenForShortcuts(actions: Readonly<Record<string, () => void>>, enabled: () => boolean): void {
  document.addEventListener("keydown", (event) => {
    if (
      event.ctrlKey ||
      event.altKey ||
      event.metaKey ||
      event.defaultPrevented ||
      !enabled() ||
      takesLetters(event.target)
    )
      return;
    const action = actions[event.key.toLowerCase()];
    if (action === undefined) return;
    event.preventDefault();
    action();
  });
}

function takesLetters(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement) return target.type !== "radio" && target.type !== "checkbox";
  if (target instanceof HTMLElement && target.isContentEditable) return true;
  return target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement;
}
