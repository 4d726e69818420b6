/**
 * How long a test may take before it counts as hung.
 *
 * The limit is far above what any test takes on an idle machine. GYM2600_TEST_TIMEOUT_SCALE stretches it on slow or busy ones.
 */
export const HANG_MS = 300_000 * Number(process.env.GYM2600_TEST_TIMEOUT_SCALE || 1);

/** Whether the tests take their long forms, as `npm run test:long` does. The short forms have a part of each kind of case. */
export const LONG = Boolean(process.env.GYM2600_LONG);
