/** Texts of errors. */

export function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** A text with a capital at the start and a full stop at the end. */
export function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;
}
