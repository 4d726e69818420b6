/** The code blocks of the repository's documents, and of the package's comments, which the documentation of the API shows. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT, run } from "./support.js";

/** A fenced block. */
export interface Block {
  readonly file: string;
  /** The line of the fence. */
  readonly line: number;
  /** The words after the fence; empty without them. */
  readonly language: string;
  readonly code: string;
}

const FENCED = /^[ >]*(`{3,}|~{3,})[ ]*(.*)\n([\s\S]*?)^[ >]*\1[ ]*$/gm;

/** The blocks of a document, in their order. */
export function blocksOf(file: string): Block[] {
  const source = readFileSync(join(ROOT, file), "utf8");
  const text = file.endsWith(".ts") ? source.replace(/^ *\* ?/gm, "") : source;
  return [...text.matchAll(FENCED)].map(({ index, 2: language = "", 3: code = "" }) => ({
    file,
    line: text.slice(0, index).split("\n").length,
    language,
    code,
  }));
}

/** The only block of a document in a language. */
export function blockOf(file: string, language: string): string {
  const found = blocksOf(file).filter((block) => block.language === language);
  if (found.length !== 1) throw new Error(`${file} has ${found.length} blocks in ${language}`);
  return found[0]?.code ?? "";
}

/** All documents and files of the package that are tracked, or new and not ignored. */
export function documents(): string[] {
  return tracked("*.md", "packages/gym2600/src/*.ts");
}

/** The files that are tracked, or new and not ignored, and fit one of the patterns, if there are any. */
export function tracked(...patterns: string[]): string[] {
  const { status, output, errors } = run("git", [
    "ls-files",
    "--cached",
    "--others",
    "--exclude-standard",
    ...patterns,
  ]);
  if (status !== 0 || output === "") throw new Error(`git lists no files: ${errors}`);
  return output.trim().split("\n");
}
