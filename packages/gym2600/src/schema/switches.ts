/** The console's switches, generated from the types of crates/arcade by `UPDATE_TYPES=1 cargo test -p gym2600-arcade typescript`. */

import type { RawSwitch } from "./definition.js";

/**
 * The console's buttons and switches, under the names of the Stella Programmer's Guide. By default none is touched.
 *
 * They count in every act until they are set again. A reset presses what the game's definition says, and nothing else. Like a
 * controller, they are no part of a saved state.
 */
export type ConsoleSwitches = {
/**
 * GAME SELECT is held; false by default. Most games step through their variants.
 */
select?: boolean | null, 
/**
 * GAME RESET is held; false by default. Most games start anew. The episode and its rules go on, so the reward of a score that falls to 0
 * is below 0.
 */
reset?: boolean | null, 
/**
 * TV TYPE is at black and white; false by default. The picture changes in games that read the switch: the signal always has colours.
 */
blackAndWhite?: boolean | null, 
/**
 * The left difficulty switch. By default it is where the difficulty has it.
 */
leftDifficulty?: RawSwitch | null, 
/**
 * The right difficulty switch. By default it is where the difficulty has it.
 */
rightDifficulty?: RawSwitch | null,
};
