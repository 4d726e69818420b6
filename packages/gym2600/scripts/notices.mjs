// The licences of others whose code is in a package: Rust crates, and the npm packages in the JavaScript.

import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The text of THIRD-PARTY-NOTICES for Rust crates of the repository, built for some targets, and for the folders of npm packages. */
export function notices(repository, modules, targets, bundled = []) {
  const cargo = (...args) => execFileSync("cargo", args, { cwd: repository, encoding: "utf8", maxBuffer: 1 << 28 });
  const packages = modules.flatMap((name) => ["--package", name]);
  const format = ["--prefix", "none", "--format", "{p}"];
  const each = (option) => targets.flatMap((target) => [option, target]);
  const tree = cargo("tree", ...packages, ...each("--target"), "--edges", "normal,no-proc-macro", ...format);
  const used = new Set([...tree.matchAll(/^(\S+) v(\S+)/gm)].map(([, name, version]) => `${name} ${version}`));
  const metadata = JSON.parse(cargo("metadata", "--format-version", "1", ...each("--filter-platform")));
  // Those without a source are the project's own.
  const crates = metadata.packages.filter(
    ({ name, version, source }) => source !== null && used.has(`${name} ${version}`),
  );
  const parts = [
    ...crates.map((crate) => ({
      name: `${crate.name} ${crate.version} (${crate.license})`,
      text: textOfCrate(crate, crates),
    })),
    ...bundled.map((folder) => {
      const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
      return { name: `${name} ${version} (${license})`, text: textOf(folder, license, []) };
    }),
  ];
  /** Names of the parts by their text. */
  const byText = new Map();
  for (const { name, text } of parts) byText.set(text, [...(byText.get(text) ?? []), name]);
  const sections = [...byText].map(([text, names]) => `${names.sort().join("\n")}\n\n${text}`).sort();
  return `${HEAD}\n\n${[STANDARD_LIBRARY, ...sections].join(`\n\n${"-".repeat(80)}\n\n`)}\n`;
}

const HEAD = `This package contains code of the following projects, under their licences. Where a project offers a choice, the licence that is printed
applies.`;

const STANDARD_LIBRARY = `The Rust standard library (MIT OR Apache-2.0)

Copyright (c) The Rust Project Contributors. See LICENSE-MIT and LICENSE-APACHE for the texts of both licences.`;

/** The text of a crate. One that brings none has that of a crate of its family, such as cranelift-codegen for cranelift-assembler-x64. */
function textOfCrate(crate, crates) {
  const family = (other) =>
    ["version", "license"].every((key) => other[key] === crate[key]) &&
    other.name.split("-")[0] === crate.name.split("-")[0];
  for (const { license, authors, manifest_path } of [crate, ...crates.filter(family)]) {
    const text = textOf(dirname(manifest_path), license, authors);
    if (text !== undefined) return text;
  }
  throw new Error(`${crate.manifest_path} names neither a licence nor authors`);
}

/** The texts that a folder brings, if any: notices, and of licences the shortest, or all where all apply. */
function textOf(folder, license, authors) {
  const texts = readdirSync(folder)
    .filter((name) => /^(licen[cs]e|copying|unlicense|notice)/i.test(name))
    .map((name) => ({ name, text: readFileSync(join(folder, name), "utf8").replaceAll("\r", "").trim() }))
    .sort((one, other) => one.text.length - other.text.length);
  const notices = texts.filter(({ name }) => /^notice/i.test(name));
  const licences = texts.filter(({ name, text }) => !/^notice/i.test(name) && text.length > 300);
  const applying = / AND /.test(license) ? licences : licences.slice(0, 1);
  if (applying.length > 0) return [...notices, ...applying].map(({ text }) => text).join("\n\n");
  return authors.length > 0 ? `Copyright (c) ${authors.join(", ")}` : undefined;
}
