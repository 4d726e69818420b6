/** A page of the documents for each game of the catalogue, written from its definition when the site is built. */

import { readdirSync, readFileSync } from "node:fs";
import { type GameDefinition, parseDefinition } from "../../packages/gym2600/src/toml.js";
import { ODDITIES } from "./oddities.js";
import { wordsOf } from "./rule-words.js";

const FOLDER = new URL("../../crates/arcade/games/", import.meta.url);

/** The games whose pictures are free. */
const PICTURES: Readonly<Record<string, string>> = { wallop: "../pictures/playing-still.png" };

const ALL_ACTIONS = [
  ...["NOOP", "FIRE", "UP", "RIGHT", "LEFT", "DOWN", "UPRIGHT", "UPLEFT", "DOWNRIGHT", "DOWNLEFT"],
  ...["UPFIRE", "RIGHTFIRE", "LEFTFIRE", "DOWNFIRE", "UPRIGHTFIRE", "UPLEFTFIRE", "DOWNRIGHTFIRE", "DOWNLEFTFIRE"],
];

/** Switch positions of the difficulties 0 to 3. */
const DIFFICULTIES = ["both switches at B", "the left switch at A", "the right switch at A", "both switches at A"];

/** A page of the site: the name of its file without an ending, and its Markdown. */
export interface GamePage {
  readonly rom: string;
  readonly text: string;
}

/** A game of the catalogue, with what its file says in comments at its beginning. */
interface Game extends GameDefinition {
  readonly notes: readonly string[];
}

/** The pages of all games. */
export function gamePages(): GamePage[] {
  return catalogue().map((game) => ({ rom: game.rom, text: pageOf(game) }));
}

/** A line of the table of all games. */
export interface GameLine {
  readonly rom: string;
  readonly title: string;
  readonly environment: string;
  readonly actions: number;
  readonly modes: number;
}

/** The table of all games. */
export function gameLines(): GameLine[] {
  return catalogue().map((game) => ({
    rom: game.rom,
    title: game.title ?? game.rom,
    environment: game.env_id ?? "",
    actions: actionsOf(game).length,
    modes: game.modes?.available?.length ?? 1,
  }));
}

function catalogue(): Game[] {
  const files = readdirSync(FOLDER).filter((name) => name.endsWith(".toml"));
  return files.sort().map((name) => gameOf(readFileSync(new URL(name, FOLDER), "utf8"), name));
}

function gameOf(text: string, name: string): Game {
  const lines = text.split("\n");
  const end = lines.findIndex((line) => !line.startsWith("#"));
  const comments = lines.slice(0, end).map((line) => line.replace(/^#\s?/, ""));
  return {
    ...parseDefinition(text, name),
    notes: comments
      .join(" ")
      .split(/(?<=\.) (?=[A-Z])/)
      .filter(Boolean),
  };
}

function pageOf(game: Game): string {
  const { rom, env_id: environment, rules } = game;
  const names = environment === undefined ? `\`${rom}\`` : `\`${environment}\`, ROM \`${rom}\``;
  const picture = PICTURES[rom];
  const parts = [
    `# ${titleOf(game)}`,
    names,
    picture === undefined ? "" : `![The picture of ${titleOf(game)}](${picture})`,
    oddities(rom),
    facts(game),
    actions(game),
    modes(game),
    "## Rewards, lives and ends",
    outcomes(game),
    rules?.frame === undefined ? "" : `The rules as they are, in [the notation of definitions](../games.md#rules):`,
    listed(game),
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

/** A title as Markdown: that of Q*bert has a star. */
function titleOf({ title, rom }: Game): string {
  return (title ?? rom).replaceAll("*", "\\*");
}

function actionsOf({ actions }: Game): readonly string[] {
  return actions?.minimal ?? ALL_ACTIONS;
}

function oddities(rom: string): string {
  const known = ODDITIES[rom];
  if (known === undefined) return "";
  return `::: warning Inherited from the game and from ALE\n${known.map((one) => `- ${one}`).join("\n")}\n:::`;
}

function facts({ picture, controllers, size, mapper, md5 }: Game): string {
  const tv = picture?.tv ?? picture?.expected_tv ?? "NTSC";
  const lines = picture?.height ?? 210;
  const height = tv === "PAL" && lines === 210 ? 250 : lines;
  const { left = "joystick", right = "joystick" } = controllers ?? {};
  const both = left === right ? `${left} in both ports` : `${left} on the left, ${right} on the right`;
  const rows = [
    ["picture", `160 x ${height} pixels, ${tv}, ${tv === "PAL" ? 50 : 60} frames a second`],
    ["observation without wrappers", `${height} x 160 x 3 bytes; RAM 128 bytes`],
    ["controllers", both],
    ["cartridge", [size === undefined ? "" : `${size} bytes`, mapper ?? ""].filter(Boolean).join(", ")],
    ["MD5", md5 === undefined ? "" : `\`${md5}\``],
  ];
  return table(
    ["", ""],
    rows.filter(([, value]) => value !== ""),
  );
}

function actions(game: Game): string {
  const names = actionsOf(game);
  const { starting, legal } = game.actions ?? {};
  const paddles = game.controllers?.left === "paddles";
  const rows = names.map((name, number) => [`${number}`, `\`${name}\``, meaningOf(name, paddles)]);
  const notes = [
    names.length === ALL_ACTIONS.length
      ? "All of ALE's actions have an effect."
      : `With \`full_action_space\` (\`fullActionSpace\`) there are ALE's 18 actions in their order.`,
    legal === undefined
      ? ""
      : `Actions other than ${legal.map((name) => `\`${name}\``).join(", ")} are played as \`NOOP\`.`,
    starting === undefined ? "" : `Every game begins with ${starting.map(pressed).join(", then ")}.`,
  ];
  return `## Actions\n\n${table(["number", "action", "meaning"], rows)}\n\n${notes.filter(Boolean).join(" ")}`;
}

function pressed({ press, frames }: { readonly press: string; readonly frames: number }): string {
  return `\`${press}\` for ${frames === 1 ? "a frame" : `${frames} frames`}`;
}

/** What a person does for an action. */
function meaningOf(name: string, paddles: boolean): string {
  if (name === "NOOP") return "nothing is pressed";
  const fires = name.endsWith("FIRE");
  const direction = name.replace(/FIRE$/, "");
  const words = [...direction.matchAll(/UP|DOWN|LEFT|RIGHT/g)].map(([word]) => word.toLowerCase());
  const turned = words.filter((word) => word === "left" || word === "right");
  const moved = paddles ? turned.map((word) => `the paddle turns ${word}`) : [words.join(" and ")];
  const parts = [...moved.filter(Boolean), ...(fires ? ["the button is pressed"] : [])];
  return parts.join(", ") || "nothing, with a paddle";
}

function modes({ modes: given }: Game): string {
  const available = given?.available ?? [0];
  const difficulties = given?.difficulties ?? [0];
  const chosen = given?.default ?? available[0] ?? 0;
  const said = difficulties.map((one) => `${one} (${DIFFICULTIES[one] ?? ""})`).join(", ");
  const default_ = given?.default_difficulty ?? 0;
  return `## Modes and difficulties

${table(
  ["", "values", "default"],
  [
    ["mode", available.join(", "), `${chosen}`],
    ["difficulty", said, `${default_}`],
  ],
)}`;
}

/** What the rules say, in words as far as there are some. */
function outcomes({ rules, notes }: Game): string {
  if (rules?.frame === undefined) {
    const without = "There are no rules: every reward and the lives are 0, and only a limit of frames ends an episode.";
    return [without, remarks(notes)].filter(Boolean).join("\n\n");
  }
  const frame = assignments(rules.frame);
  const start = assignments(rules.start ?? "");
  const lines = [
    `- **Reward.** ${rewardWords(frame, start)}`,
    `- **Lives.** ${livesWords(rules.lives, frame)}`,
    `- **End.** ${endWords(rules.terminal, frame)}`,
  ].join("\n");
  const names = lines.includes("`") ? "A name such as `this` is a variable of the rules below." : "";
  return [lines, names, remarks(notes)].filter(Boolean).join("\n\n");
}

function remarks(notes: readonly string[]): string {
  return notes.length === 0 ? "" : `Notes of the definition:\n\n${notes.map((note) => `- ${note}`).join("\n")}`;
}

/** A line of a rule. */
interface Assignment {
  readonly name: string;
  readonly value: string;
}

/** The lines of a rule that set variables. A line with an open bracket goes on in the next. Functions are left out. */
function assignments(rule: string): Assignment[] {
  const lines: string[] = [];
  let depth = 0;
  for (const line of rule.replace(/#.*$/gm, "").split(/[;\n]/)) {
    if (depth > 0) lines.push(`${lines.pop() ?? ""} ${line.trim()}`);
    else lines.push(line.trim());
    depth += (line.match(/[([]/g)?.length ?? 0) - (line.match(/[)\]]/g)?.length ?? 0);
  }
  return lines.flatMap((line) => {
    const [, name, value] = /^([A-Za-z_]\w*)\s*=(?!=)\s*(.*)$/.exec(line) ?? [];
    return name === undefined || value === undefined ? [] : [{ name, value }];
  });
}

/** The value of a variable that is set once. */
function settingOf(lines: readonly Assignment[], wanted: string): string | undefined {
  const [first, ...others] = lines.filter(({ name }) => name === wanted);
  return others.length > 0 ? undefined : first?.value;
}

/** The words of a variable, with those that are set once and above it in place of their names. */
function wordsOfVariable(lines: readonly Assignment[], wanted: string): string | undefined {
  const value = settingOf(lines, wanted);
  if (value === undefined) return undefined;
  const above = lines.slice(
    0,
    lines.findIndex(({ name }) => name === wanted),
  );
  const once = above.filter(({ name }) => name !== "lives" && settingOf(lines, name) !== undefined);
  const fresh = once.filter((line) => !new RegExp(`\\b${line.name}\\b`).test(line.value));
  return wordsOf(value, new Map(fresh.map((line) => [line.name, line.value])));
}

const IN_RULES = "as the rules below say.";

/** What a rule adds to the gain of the score. */
const GAINS = new Map([
  ["new - score", "What the score gains in a frame; below 0 where it falls."],
  ["max(new - score, 0)", "What the score gains in a frame; 0 where it falls."],
  ["0 if terminal else new - score", "What the score gains in a frame; 0 in the frame that ends the game."],
]);

function rewardWords(frame: readonly Assignment[], start: readonly Assignment[]): string {
  if (!frame.some(({ name }) => name === "reward")) return "Every reward is 0.";
  const rule = settingOf(frame, "reward");
  const gain = rule === undefined ? wrapped(frame) : GAINS.get(rule);
  if (gain === undefined) {
    const words = wordsOfVariable(frame, "reward");
    return words === undefined ? `Computed ${IN_RULES}` : `In every frame ${words}.`;
  }
  const words = wordsOfVariable(frame, "new");
  const from = Number(settingOf(start, "score") ?? 0);
  const score = words === undefined ? `The score is computed ${IN_RULES}` : `The score is ${words}.`;
  return [gain, score, from === 0 ? "" : `A game starts with ${from} points.`].filter(Boolean).join(" ");
}

/** The words of a reward that knows at what number the score begins anew. */
function wrapped(frame: readonly Assignment[]): string | undefined {
  const [first, second, ...others] = frame.filter(({ name }) => name === "reward").map(({ value }) => value);
  const [, limit] = /^reward \+ (\d+) if reward < 0 else reward$/.exec(second ?? "") ?? [];
  if (first !== "new - score" || limit === undefined || others.length > 0) return undefined;
  return `What the score gains in a frame, also where it begins anew at ${Number(limit).toLocaleString("en")}.`;
}

function livesWords(shown: string | undefined, frame: readonly Assignment[]): string {
  const isSet = frame.some(({ name }) => name === "lives");
  if (shown === "0 if terminal else 1") return "One, and 0 after the end.";
  if (shown === "0" || (!isSet && shown === undefined)) return "The game has none: they are always 0.";
  const words = wordsOfVariable(frame, "lives");
  const known = shown === undefined || shown === "lives" || shown === "0 if terminal else lives";
  if (words === undefined || !known) return `They are computed ${IN_RULES}`;
  return shown === "0 if terminal else lives" ? `They are ${words}; 0 after the end.` : `They are ${words}.`;
}

function endWords(shown: string | undefined, frame: readonly Assignment[]): string {
  const isSet = frame.some(({ name }) => name === "terminal");
  if (!isSet && shown === undefined) return "The rules have no end: only a limit of frames ends an episode.";
  const words = shown === undefined || shown === "terminal" ? wordsOfVariable(frame, "terminal") : undefined;
  return words === undefined ? `The game is over ${IN_RULES}` : `The game is over when ${words}.`;
}

/** The rules as text. */
function listed({ rules }: Game): string {
  if (rules?.frame === undefined) return "";
  const parts = Object.entries(rules as Readonly<Record<string, string | undefined>>).map(([name, rule]) => {
    const text = (rule ?? "").trim();
    return text.includes("\n") ? `${name} = """\n${text}\n"""` : `${name} = ${JSON.stringify(text)}`;
  });
  return `\`\`\`toml\n${parts.join("\n")}\n\`\`\``;
}

function table(head: readonly string[], rows: readonly (readonly (string | undefined)[])[]): string {
  const line = (cells: readonly (string | undefined)[]): string => `| ${cells.join(" | ")} |`;
  return [line(head), `|${head.map(() => "---|").join("")}`, ...rows.map(line)].join("\n");
}
