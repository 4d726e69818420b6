/** What was found of a game in RAM, generated from the types of crates/arcade by `UPDATE_TYPES=1 cargo test -p gym2600-arcade typescript`. */

/**
 * What was found of a game. Expressions are those of a definition's rules, as candidates are shown.
 */
export type Found = {
/**
 * The name of the ROM, such as `mine`.
 */
name: string, 
/**
 * The name on the box; `name` by default.
 */
title?: string, 
/**
 * The score, such as `bcd(0x85, 0x84, 0x83)`; without one there is no reward.
 */
score?: string, 
/**
 * The lives left, such as `ram[0x82]`.
 */
lives?: string, 
/**
 * Whether the game is over, such as `ram[0xC7] == 1`; by default when no lives are left, and never without lives.
 */
over?: string, 
/**
 * Other values by name, such as `x = ram[0x8A]`. They become variables of the rules, which [`Arcade::variables`] tells.
 */
cells?: Readonly<Record<string, string>>,
};
