/** Limits of definitions as TOML text; `docs/games.md` lists them. Texts within them are read without deep recursion. */

import type { AST } from "toml-eslint-parser";

/** The longest text, in UTF-16 code units. */
export const MAX_TEXT: number = 256 * 1024;

/** The most keys, lists and tables of a text. */
const MAX_KEYS = 5000;

/** The most entries of all lists and inline tables. */
const MAX_ENTRIES = 10_000;

/** The most dots in one key. */
const MAX_DOTS = 8;

/** The deepest nesting of lists and inline tables. */
const MAX_DEPTH = 80;

/**
 * The first place of a text that is beyond a limit which can be seen before the text is read. A text of 256 KB with nothing but keys takes a
 * second to read.
 */
export function crowdedAt(text: string): { readonly offset: number; readonly reason: string } | undefined {
  let keys = 0;
  let entries = 0;
  for (let offset = 0; offset < text.length; ) {
    const sign = text.charAt(offset);
    if (sign === "=" || sign === "[" || sign === "{") keys += 1;
    if (sign === ",") entries += 1;
    if (keys > MAX_KEYS) return { offset, reason: `more than ${MAX_KEYS} keys, lists and tables` };
    if (entries >= MAX_ENTRIES) return { offset, reason: `more than ${MAX_ENTRIES} entries of lists and tables` };
    if (sign === '"' || sign === "'") offset = endOfString(text, offset, sign);
    else if (sign === "#") offset = orEnd(text, text.indexOf("\n", offset));
    else offset += 1;
  }
  return undefined;
}

/** The index behind the string at `start`, or behind the line or text that ends it too early. */
function endOfString(text: string, start: number, quote: '"' | "'"): number {
  const triple = text.startsWith(quote.repeat(3), start);
  const quotes = triple ? quote.repeat(3) : quote;
  for (let index = start + quotes.length; index < text.length; index += 1) {
    if (text.startsWith(quotes, index)) return index + quotes.length;
    if (!triple && text.charAt(index) === "\n") return index;
    if (quote === '"' && text.charAt(index) === "\\") index += 1;
  }
  return text.length;
}

function orEnd(text: string, index: number): number {
  return index < 0 ? text.length : index;
}

/** A part of the text that exceeds a limit, and the reason to refuse it. */
export interface Excess {
  readonly node: AST.TOMLNode;
  readonly reason: string;
}

/** The first part of a text found beyond a limit, or with the key `__proto__`, whose value would change every object. */
export function excessOf(program: AST.TOMLProgram): Excess | undefined {
  const open: Array<{ node: AST.TOMLNode; depth: number }> = [{ node: program.body[0], depth: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, depth } = next;
    const excess = "key" in node ? excessOfKey(node.key) : undefined;
    if (excess !== undefined) return excess;
    const isNested = node.type === "TOMLArray" || node.type === "TOMLInlineTable";
    if (isNested && depth >= MAX_DEPTH)
      return { node, reason: `more than ${MAX_DEPTH} lists and inline tables in each other` };
    for (const inner of innerOf(node)) open.push({ node: inner, depth: depth + (isNested ? 1 : 0) });
  }
  return undefined;
}

function excessOfKey(key: AST.TOMLKey): Excess | undefined {
  if (key.keys.length > MAX_DOTS + 1) return { node: key, reason: `more than ${MAX_DOTS} dots in one key` };
  const named = key.keys.find((part) => (part.type === "TOMLBare" ? part.name : part.value) === "__proto__");
  return named === undefined ? undefined : { node: named, reason: "unknown field `__proto__`" };
}

function innerOf(node: AST.TOMLNode): readonly AST.TOMLNode[] {
  switch (node.type) {
    case "TOMLKeyValue":
      return [node.value];
    case "TOMLArray":
      return node.elements;
    case "TOMLTopLevelTable":
    case "TOMLTable":
    case "TOMLInlineTable":
      return node.body;
    default:
      return [];
  }
}
