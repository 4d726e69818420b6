/** Numbers as people read them. */

/** A whole number with separators. */
export function whole(value: number): string {
  return Math.round(value).toLocaleString("en");
}

/** A large number in short: 1.2 M. */
export function short(value: number): string {
  if (Math.abs(value) < 1000) return String(Math.round(value * 10) / 10);
  if (Math.abs(value) < 1_000_000) return `${trim(value / 1000)} k`;
  return `${trim(value / 1_000_000)} M`;
}

/** A value beside an axis: short, and not rounded. */
export function tick(value: number): string {
  const thousands = Math.abs(value) < 1000 ? 0 : Math.abs(value) < 1_000_000 ? 1 : 2;
  return `${Number((value / 1000 ** thousands).toPrecision(6))}${["", " k", " M"][thousands]}`;
}

function trim(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toFixed(1).replace(/\.0$/, "");
}

/** A score, without a fraction if it is a whole number or large. */
export function score(value: number): string {
  return Number.isInteger(value) || Math.abs(value) >= 100 ? whole(value) : value.toFixed(1);
}

/** A duration in words. */
export function duration(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000);
  if (seconds < 60) return `${seconds} s`;
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
  return hours > 0 ? `${hours} h ${minutes} min` : `${minutes} min`;
}

/** A share of 1 as a percentage. */
export function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

/** More than one of what a score is of. */
export function plural(unit: "game" | "life"): string {
  return unit === "life" ? "lives" : "games";
}
