/** `gym2600 games` and `gym2600 describe`: what there is to play. */

import { games as catalogue } from "../catalogue.js";
import { describe as describeGame } from "../env/description.js";
import type { GameDescription, GameOptions } from "../types.js";
import { parse, readRom, withGameFile } from "./input.js";
import { Output, object } from "./lines.js";
import { environmentOf } from "./train-options.js";

export const gamesUsage = `gym2600 games [--json]
  Lists the games of the catalogue.
  --json  Prints a JSON object for each game [default: a table]`;

export const describeUsage = `gym2600 describe [ROM] [OPTION]...
  Tells a game's actions, modes, difficulties and observation. WALLOP without a ROM.
  --preset NAME  The environment [default: gym2600]
  --options FILE|JSON  Options of the environment as JSON, or a file with them [default: those of the preset]
  --game FILE  Definition of the game (TOML) [default: that of the catalogue]
  --mapper NAME  How the cartridge is banked, such as F8 [default: as the definition says, or detected]
  --json  Prints a JSON object [default: a table]`;

export async function games(args: readonly string[]): Promise<void> {
  const { flag } = parse(args, { options: [], flags: ["json"] }, 0);
  const output = new Output();
  const row = (name: string, title: string, id: string, md5: string) =>
    output.line(`${name.padEnd(20)} ${title.padEnd(26)} ${id.padEnd(28)} ${md5}`);
  if (!flag("json")) row("name", "title", "Gymnasium", "MD5 of the ROM");
  for (const { rom, title, envId, md5 } of await catalogue()) {
    if (flag("json")) {
      const fields = { env_id: envId, md5, rom, title };
      output.line(object(Object.entries(fields).map(([name, value]) => [name, JSON.stringify(value)])));
    } else row(rom, title, envId ?? "-", md5);
  }
  output.flush();
}

export async function describe(args: readonly string[]): Promise<void> {
  const { positionals, options, flag } = parse(
    args,
    { options: ["preset", "options", "game", "mapper"], flags: ["json"] },
    1,
  );
  const rom = readRom(positionals[0]);
  const description = await withGameFile(options.game, (game) =>
    describeGame({ ...environmentOf(options, game), rom } as GameOptions),
  );
  const output = new Output();
  if (flag("json")) output.line(JSON.stringify(description));
  else for (const [name, value] of rows(description)) output.line(`${name.padEnd(15)} ${value}`);
  output.flush();
}

function rows(description: GameDescription): Array<readonly [name: string, value: string]> {
  const { actions, observation, spec } = description;
  return [
    ["name", description.rom],
    ["title", description.title],
    ["MD5 of the ROM", description.md5],
    ["television", description.tv],
    ["actions", actions.map((name, number) => `${number} ${name}`).join(", ")],
    ["modes", description.modes.join(", ")],
    ["difficulties", description.difficulties.join(", ")],
    ["preset", spec.preset ?? "none"],
    ["wrappers", spec.wrappers.map(({ type }) => type).join(", ")],
    ["observation", `${observation.dtype}, ${observation.shape.join(" x ")}`],
    ["frames a step", String(description.framesPerStep)],
  ];
}
