/** The Arcade Learning Environment's names. */

/** The names of all eighteen actions, by the Arcade Learning Environment's number. */
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
