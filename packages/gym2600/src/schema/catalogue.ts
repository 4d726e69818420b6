/** The catalogue, generated from the types of crates/arcade by `UPDATE_TYPES=1 cargo test -p gym2600-arcade typescript`. */

/**
 * A game of the catalogue.
 */
export type CatalogueEntry = {
/**
 * The name of the ROM, which is also the name of the file.
 */
rom: string, 
/**
 * The name on the box.
 */
title: string, 
/**
 * The Gymnasium environment; none for the ROMs that ALE has no rules for.
 */
envId: string | null, 
/**
 * The MD5 of the ROM, 32 hexadecimal digits in lower case.
 */
md5: string,
};
