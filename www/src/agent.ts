/** Agents, which choose the actions. */

/** Chooses an action for each step. */
export interface Agent {
  /** The index of one of the actions. */
  choose(actions: readonly string[]): number;
  /**
   * Whether an action can be chosen before the result of the last one is known.
   * A random agent can have many steps in flight; a person cannot.
   */
  readonly looksAhead: boolean;
}

/** Chooses actions with equal probability. */
export const randomAgent: Agent = {
  choose: (actions) => Math.floor(Math.random() * actions.length),
  looksAhead: true,
};
