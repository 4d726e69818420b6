/** What happened in rounds of chaos. */

/** What happens in a hundred rounds at the least. It is a third of what is usual, or less. */
const AT_LEAST = { early: 5, revived: 100, broughtBack: 20, compared: 150, replaced: 3 };
/** The same for each kind of end. */
const ENDED_AT_LEAST = 8;

/** Counts of a run that has not begun. */
export function newCounts() {
  return {
    rounds: 0,
    /** Calls made, by name. */
    calls: {},
    /** Milliseconds of the slowest call. */
    slowest: 0,
    /** Calls rejected, by code. */
    rejected: {},
    /** Threads by the kind of end that was noticed. */
    ended: {},
    /** Threads that were to end while they loaded their games. */
    early: 0,
    /** Lanes that were revived, that came back to their kept state, and that were played beside a twin. */
    revived: 0,
    broughtBack: 0,
    compared: 0,
    /** Workers that went on from the state of one that had died. */
    replaced: 0,
  };
}

/** What happened too seldom for the number of rounds, with ends of these kinds. */
export function missing(counts, kinds) {
  const least = { ...AT_LEAST, ...Object.fromEntries(kinds.map((kind) => [kind, ENDED_AT_LEAST])) };
  const seen = { ...counts, ...counts.ended };
  return Object.keys(least).filter((what) => (seen[what] ?? 0) < Math.floor((counts.rounds * least[what]) / 100));
}
