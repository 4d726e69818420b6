/** Calls that break the types on purpose, and what comes of them. */

import { Gym2600Error } from "gym2600";

/** The code of the error of a call. */
export async function codeOf(call: () => unknown): Promise<unknown> {
  try {
    await call();
    return "nothing";
  } catch (error) {
    return error instanceof Gym2600Error ? error.code : error;
  }
}

/** A value of a wrong type. */
// biome-ignore lint/suspicious/noExplicitAny: the tests break the types on purpose.
export const wrong = (value: unknown): any => value;
