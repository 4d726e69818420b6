/** The names of actions in the Arcade Learning Environment (ALE). */

/** The names of the eighteen actions, by ALE's number. */
export const actionNames = [
  "NOOP",
  "FIRE",
  "UP",
  "RIGHT",
  "LEFT",
  "DOWN",
  "UPRIGHT",
  "UPLEFT",
  "DOWNRIGHT",
  "DOWNLEFT",
  "UPFIRE",
  "RIGHTFIRE",
  "LEFTFIRE",
  "DOWNFIRE",
  "UPRIGHTFIRE",
  "UPLEFTFIRE",
  "DOWNRIGHTFIRE",
  "DOWNLEFTFIRE",
] as const;

/** The name of an action. */
export type ActionName = (typeof actionNames)[number];
