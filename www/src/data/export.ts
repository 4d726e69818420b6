/** Files that the page writes. Each game says which ROM, version, environment, seed and settings it is of. */

import type * as store from "../state/store.js";

/** The version of the package that the page was built with. */
declare const __VERSION__: string;

/** The games as comma-separated values, the oldest first. */
export function csvOf(episodes: readonly store.Episode[]): string {
  const head = "game,player,score,decisions,seconds,policy,rom,md5,version,preset,mode,difficulty,seed,settings";
  const rows = episodes.map(({ number, player, score, length, time, policy, playedWith }) => {
    const { rom, md5 = "", preset, mode = "default", difficulty = "default", seed, settings } = playedWith;
    const values = [
      number,
      player,
      score,
      length,
      time.toFixed(2),
      policy,
      rom,
      md5,
      __VERSION__,
      preset,
      mode,
      difficulty,
      seed,
      JSON.stringify(settings),
    ];
    return values.map((value) => quoted(String(value))).join(",");
  });
  return `${[head, ...rows].join("\r\n")}\r\n`;
}

/** The games as JSON. */
export function jsonOf(episodes: readonly store.Episode[]): string {
  const games = episodes.map(({ number, player, score, length, time, policy, playedWith }) => ({
    game: number,
    player,
    score,
    decisions: length,
    seconds: Number(time.toFixed(2)),
    policy,
    ...playedWith,
  }));
  return `${JSON.stringify({ gym2600: __VERSION__, games }, null, 1)}\n`;
}

function quoted(text: string): string {
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Offers bytes or text as a download. */
export function download(name: string, content: BlobPart, type: string): void {
  const address = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // The browser gives no event when it has read the address, so it is revoked later.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
