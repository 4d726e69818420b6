/** Files of the person: chosen with the button or dropped anywhere on the page. They stay on the machine. */

import { element } from "../ui/dom.js";

/** Calls `use` with each file. */
export function listenForFiles(use: (file: File) => void): void {
  const input = element("rom-file", HTMLInputElement);
  input.addEventListener("change", () => {
    const file = input.files?.[0];
    // Cleared, so that choosing the same file again is a change.
    if (file !== undefined) use(file);
    input.value = "";
  });
  listenForDrops(use);
}

function listenForDrops(use: (file: File) => void): void {
  const veil = element("drop-veil", HTMLElement);
  // dragenter of a child comes before dragleave of its parent, so a count tells when the page is left.
  let depth = 0;
  const show = (newDepth: number): void => {
    depth = Math.max(0, newDepth);
    veil.hidden = depth === 0;
  };
  window.addEventListener("dragenter", (event) => {
    if (hasFiles(event)) show(depth + 1);
  });
  window.addEventListener("dragleave", (event) => {
    if (hasFiles(event)) show(depth - 1);
  });
  window.addEventListener("dragover", (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    if (event.dataTransfer !== null) event.dataTransfer.dropEffect = "copy";
  });
  window.addEventListener("drop", (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    show(0);
    const file = event.dataTransfer?.files[0];
    if (file !== undefined) use(file);
  });
}

function hasFiles(event: DragEvent): boolean {
  return event.dataTransfer?.types.includes("Files") === true;
}
