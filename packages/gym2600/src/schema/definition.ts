/** Definitions of games, generated from the types of crates/arcade by `UPDATE_TYPES=1 cargo test -p gym2600-arcade typescript`. */

import type { ActionName } from "../actions.js";

/**
 * The definition of a game. Every key but `rom` may be left out.
 */
export type RawDefinition = {
/**
 * The name of the ROM, such as `breakout`.
 */
rom: string, 
/**
 * The name on the box; `rom` by default.
 */
title?: string, 
/**
 * The Gymnasium environment, such as `ALE/Breakout-v5`.
 */
env_id?: string, 
/**
 * The MD5 of the ROM: 32 hexadecimal digits in lower case. Other ROMs are refused.
 */
md5?: string, 
/**
 * The size of the ROM in bytes.
 */
size?: number, 
/**
 * How the cartridge is banked; detected from the ROM by default.
 */
mapper?: RawMapper, 
/**
 * The television and the lines that are shown.
 */
picture?: RawPicture, 
/**
 * The controllers, and the switches during the detection of the television.
 */
controllers?: RawControllers, 
/**
 * The actions of a player.
 */
actions?: RawActions, 
/**
 * The modes and difficulties, and how a mode is selected.
 */
modes?: RawModes, 
/**
 * How reward, lives and the end of an episode are read from memory.
 */
rules?: RawRules,
};

/**
 * The television and the lines that are shown.
 */
export type RawPicture = {
/**
 * The television; detected by running the ROM for 60 frames by default.
 */
tv?: RawTv, 
/**
 * The television that the detection finds. Documentation only.
 */
expected_tv?: RawTv, 
/**
 * The first line shown, 0 to 64; 34 by default.
 */
first_line?: number, 
/**
 * The lines shown, 200 to 256; 210 by default, which becomes 250 on PAL.
 */
height?: number, 
/**
 * Whether HMOVE blanks the start of a line; true by default.
 */
hmove_blanks?: boolean, 
/**
 * Whether the lines above and below that the game draws in its first frames are shown too, up to 256 lines; false by default.
 */
whole?: boolean,
};

/**
 * The controllers, and the switches during the detection of the television.
 */
export type RawControllers = {
/**
 * Player A's controller; a joystick by default.
 */
left?: RawController, 
/**
 * Player B's controller; a joystick by default.
 */
right?: RawController, 
/**
 * Whether player A's controller is in the right port; false by default.
 */
swap_ports?: boolean, 
/**
 * Whether player A turns the second paddle of a pair; false by default.
 */
swap_paddles?: boolean, 
/**
 * The highest resistance of a paddle; 790196 by default.
 */
paddle_max?: number, 
/**
 * The left difficulty switch during the detection of the television; `B` by default.
 */
left_difficulty?: RawSwitch, 
/**
 * The right difficulty switch during the detection of the television; `B` by default.
 */
right_difficulty?: RawSwitch,
};

/**
 * The actions of a player.
 */
export type RawActions = {
/**
 * The actions that have an effect; all 18 by default.
 */
minimal?: readonly ActionName[], 
/**
 * The actions that reach the game, others are played as `NOOP`; all 18 by default.
 */
legal?: readonly ActionName[], 
/**
 * The actions before an episode starts; none by default.
 */
starting?: readonly RawStart[],
};

/**
 * An action or switch that is held for a number of frames before an episode starts.
 */
export type RawStart = {
/**
 * An action or the RESET switch.
 */
press: ActionName | "RESET", 
/**
 * The number of frames, 1 to 10000.
 */
frames: number,
};

/**
 * The modes and difficulties, and how a mode is selected.
 */
export type RawModes = {
/**
 * The modes that can be selected; mode 0 by default.
 */
available?: readonly number[], 
/**
 * The mode of a game whose user selects none; the first one by default.
 */
default?: number, 
/**
 * The difficulties that can be selected, 0 to 3; 0 by default. Bit 0 is the left switch, bit 1 the right, 1 for A.
 */
difficulties?: readonly number[], 
/**
 * The difficulty of a game whose user selects none, in the list or not; 0 by default.
 */
default_difficulty?: number, 
/**
 * The program that selects a mode; nothing is pressed by default.
 */
select?: string,
};

/**
 * How reward, lives and the end of an episode are read from memory.
 */
export type RawRules = {
/**
 * Variables set once, when the game is loaded.
 */
load?: string, 
/**
 * Variables set whenever an episode starts.
 */
start?: string, 
/**
 * Statements run after every frame.
 */
frame?: string, 
/**
 * The reward of the last frame; the variable `reward` by default, or 0 if there is none.
 */
reward?: string, 
/**
 * Whether the episode is over; the variable `terminal` by default, or false if there is none.
 */
terminal?: string, 
/**
 * The lives left; the variable `lives` by default, or 0 if there is none.
 */
lives?: string,
};

/**
 * How a cartridge is banked: the usual names of the mappers.
 */
export type RawMapper = "2K" | "4K" | "F8" | "F8SC" | "F6" | "F6SC" | "E0" | "FE" | "DPC" | "F4" | "F4SC" | "FA" | "MB" | "UA" | "3F" | "3E" | "CV" | "E7" | "AR" | "MC";

/**
 * A television standard: `NTSC`, 262 lines and 60 frames a second, or `PAL`, 312 lines and 50.
 */
export type RawTv = "NTSC" | "PAL";

/**
 * A controller.
 */
export type RawController = "joystick" | "paddles";

/**
 * A position of a difficulty switch.
 */
export type RawSwitch = "A" | "B";
