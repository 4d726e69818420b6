/** A setup as the hash of the page's address. */

import type { PresetName, Wrapper } from "gym2600";
import type { Algorithm, Device, Net } from "gym2600/learn";
import { POLICIES } from "../policies/pretrained.js";
import { DEFAULT_SETUP, ENVIRONMENTS, HYPER_PARAMETERS, minibatchesFit, RANGES, type Setup } from "./setup.js";

/** All names of a generated type, which the compiler compares with the table's. */
const namesOf = <Name extends string>(table: Readonly<Record<Name, unknown>>) => Object.keys(table) as Name[];
const ALGORITHMS = namesOf<Algorithm>(HYPER_PARAMETERS);
const NETS = namesOf<Net>({ tiny: true, a3c: true, nature: true });
const DEVICES = namesOf<Device>({ auto: true, cpu: true, gpu: true });

/** How a page is looked at, besides what it plays. */
export interface View {
  /** The shipped policy that plays, by its place. */
  readonly policy?: 0 | 1 | 2 | undefined;
  readonly saliency?: boolean | undefined;
  /** The open panel. */
  readonly panel?: (typeof PANELS)[number] | undefined;
}

const PANELS = ["setup", "data", "explain"] as const;

/** The most characters of a description in a link: longer addresses are cut by some programs that pass them on. */
export const MOST_OF_DESCRIPTION = 4000;

/** What a link says. */
export interface Linked {
  readonly view: View;
  /** The ROM's MD5; undefined for a link without one. */
  readonly md5: string | undefined;
  /** The game's title, for the question for its ROM. */
  readonly title: string | undefined;
  /** The description of the game as TOML, of a game that is not in the catalogue. */
  readonly description: string | undefined;
  readonly setup: Setup;
  /** The fields that make no sense, as the link has them. */
  readonly refused: readonly string[];
}

/** The hash of a setup, without `#`. */
export function hashOf(
  setup: Setup,
  md5: string | undefined,
  title: string | undefined,
  view: View = {},
  description?: string,
): string {
  const { policy, saliency, panel } = view;
  const { environment, mode, difficulty, seed, algorithm, net, numEnvs, workers, device, hyperParameters } = setup;
  const fields: Record<string, string | number | undefined> = {
    rom: md5,
    title,
    preset: typeof environment === "string" ? environment : undefined,
    wrappers: typeof environment === "string" ? undefined : JSON.stringify(environment),
    mode,
    difficulty,
    seed,
    algorithm,
    net,
    games: numEnvs,
    workers,
    device: device === DEFAULT_SETUP.device ? undefined : device,
    policy: policy === undefined ? undefined : POLICIES[policy].file,
    saliency: saliency ? "on" : undefined,
    panel,
    description: description !== undefined && fits(description) ? description : undefined,
  };
  const hash = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) hash.set(name, String(value));
  for (const [name, value] of Object.entries(hyperParameters)) hash.set(`set.${name}`, String(value));
  return hash.toString();
}

/** Whether a link has room for a description. */
export function fits(description: string): boolean {
  return description.length <= MOST_OF_DESCRIPTION;
}

/** What a hash says. Fields that make no sense are left at their defaults, and told. Undefined for a hash that names no setup. */
export function readHash(text: string): Linked | undefined {
  const hash = new URLSearchParams(text.replace(/^#/, ""));
  if (!hash.has("rom") && !hash.has("preset") && !hash.has("seed") && !hash.has("wrappers")) return undefined;
  const md5 = hash.get("rom");
  const setup = setupIn(hash);
  const { minibatches: _parts, rollout: _steps, ...others } = setup.hyperParameters;
  const description = hash.get("description");
  const link = {
    description: description !== null && fits(description) ? description : undefined,
    md5: md5 !== null && /^[0-9a-f]{32}$/.test(md5) ? md5 : undefined,
    title: visible(hash.get("title") ?? "", 60) || undefined,
    setup: minibatchesFit(setup) ? setup : { ...setup, hyperParameters: others },
    view: viewIn(hash),
  };
  return {
    ...link,
    refused: refusedIn(
      hash,
      new URLSearchParams(hashOf(link.setup, link.md5, link.title, link.view, link.description)),
    ),
  };
}

function viewIn(hash: URLSearchParams): View {
  const place = POLICIES.findIndex(({ file }) => file === hash.get("policy"));
  return {
    policy: place < 0 ? undefined : (place as 0 | 1 | 2),
    saliency: hash.get("saliency") === "on" || undefined,
    panel: oneOf(hash.get("panel"), PANELS),
  };
}

/** The fields of a hash whose values are not those that were read. */
function refusedIn(hash: URLSearchParams, read: URLSearchParams): string[] {
  const same = (name: string, value: string): boolean => {
    const taken = read.get(name);
    // Two texts may be the same list or number; a long title is cut.
    return taken !== null && (taken === value || /^(wrappers|title)$/.test(name) || Number(taken) === Number(value));
  };
  return [...hash].flatMap(([name, value]) =>
    same(name, value) ? [] : [visible(`${name}=${value.slice(0, 40)}`, 100)],
  );
}

/** A text that is not the page's own, as a quotation that it cannot end. */
export function quoted(text: string): string {
  return `“${text.replaceAll(/["“”„«»]/g, "'")}”`;
}

/** A text of a link or a file as the page shows it: without line breaks, control characters, and those that turn the direction of writing. */
export function visible(text: string, most: number): string {
  return text
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, "")
    .trim()
    .slice(0, most);
}

function setupIn(hash: URLSearchParams): Setup {
  return {
    environment: environmentIn(hash),
    mode: wholeNumber(hash.get("mode"), 0, 255),
    difficulty: wholeNumber(hash.get("difficulty"), 0, 3),
    seed: wholeNumber(hash.get("seed"), 0, Number.MAX_SAFE_INTEGER) ?? DEFAULT_SETUP.seed,
    algorithm: oneOf(hash.get("algorithm"), ALGORITHMS) ?? DEFAULT_SETUP.algorithm,
    net: oneOf(hash.get("net"), NETS) ?? DEFAULT_SETUP.net,
    numEnvs: gamesIn(hash),
    workers: oneOf(wholeNumber(hash.get("workers"), 1, 4), [1, 2, 4] as const) ?? DEFAULT_SETUP.workers,
    device: oneOf(hash.get("device"), DEVICES) ?? DEFAULT_SETUP.device,
    hyperParameters: hyperParametersIn(hash),
    fromLink: true,
  };
}

function environmentIn(hash: URLSearchParams): Setup["environment"] {
  const wrappers = hash.get("wrappers");
  if (wrappers !== null) {
    try {
      const list: unknown = JSON.parse(wrappers);
      if (Array.isArray(list)) return list as readonly Wrapper[];
    } catch {
      return DEFAULT_SETUP.environment;
    }
  }
  const names = ENVIRONMENTS.map(([name]) => name);
  return oneOf<PresetName | "learner">(hash.get("preset"), names) ?? DEFAULT_SETUP.environment;
}

function gamesIn(hash: URLSearchParams): number {
  const games = wholeNumber(hash.get("games"), 4, 64);
  return games !== undefined && games % 4 === 0 ? games : DEFAULT_SETUP.numEnvs;
}

function hyperParametersIn(hash: URLSearchParams): Record<string, number> {
  const found: Record<string, number> = {};
  for (const [name, { least, most, whole }] of Object.entries(RANGES)) {
    const text = hash.get(`set.${name}`);
    const value = Number(text);
    if (text === null || text === "" || !(value >= least && value <= most)) continue;
    if (!whole || Number.isInteger(value)) found[name] = value;
  }
  return found;
}

function wholeNumber(text: string | null, least: number, most: number): number | undefined {
  if (text === null || !/^\d+$/.test(text)) return undefined;
  const number = Number(text);
  return number >= least && number <= most ? number : undefined;
}

function oneOf<T>(value: unknown, all: readonly T[]): T | undefined {
  return all.find((one) => one === value);
}
