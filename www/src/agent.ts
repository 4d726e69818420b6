/** Who chooses the actions. */

/** Chooses an action each time it is asked. */
export interface Agent {
  /** The number of one of these actions. */
  choose(actions: readonly string[]): number;
  /**
   * Whether a choice may be made before the outcome of the last one is known.
   * An agent that looks at nothing can have many steps under way; a person cannot.
   */
  readonly looksAhead: boolean;
}

/** Every action as likely as any other. */
export const randomAgent: Agent = {
  choose: (actions) => Math.floor(Math.random() * actions.length),
  looksAhead: true,
};
