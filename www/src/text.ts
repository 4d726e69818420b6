/** Texts of errors. */

import { Gym2600Error } from "gym2600";

export function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Why a run that the browser kept cannot go on. The person has seen none of the files that the package's errors are about. */
export function textOfKept(error: unknown): string {
  const isDamaged = error instanceof Gym2600Error && (error.code === "bad-weights" || error.code === "unknown-rom");
  return isDamaged ? "what this browser kept of it is damaged, or is of a later version of this page" : textOf(error);
}

/** A text with a capital at the start and a full stop at the end. */
export function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;
}
