/** What games do that surprises, in ALE and so here: by the name of the ROM. */
export const ODDITIES: Readonly<Record<string, readonly string[]>> = {
  asterix: ["The score has six digits and wraps at a million: the reward of 50 points is then -999,950."],
  breakout: ["After 65,536 frames the ball stands still. The bat still moves, and the game does not end."],
  pacman: [
    "Two of the four ghosts are drawn in the first two of every four frames alone. An observation of the last two, which most environments " +
      "have, never shows them. [What an agent cannot see](../concepts.md#what-an-agent-cannot-see) has a choice that does.",
  ],
  pitfall: [
    "The game does not end when its time is over, 72,000 frames after its start: no life is lost then, and there is no reward.",
  ],
};
