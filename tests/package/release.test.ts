/** What scripts/release and scripts/set-repository write, in a copy of the repository. */

import { spawnSync } from "node:child_process";
import { cpSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { tracked } from "./documents.js";
import { ROOT, temporaryFolder } from "./support.js";

let copy: string;

beforeAll(() => {
  copy = temporaryFolder();
  for (const path of tracked()) cpSync(join(ROOT, path), join(copy, path));
  // No build fetches what the crate of fuzz/ alone needs, and the scripts run without the network.
  const fetched = spawnSync(
    "cargo",
    ["fetch", "--quiet", "--locked", "--manifest-path", join(copy, "fuzz/Cargo.toml")],
    {
      encoding: "utf8",
    },
  );
  expect(fetched.status, fetched.stderr).toBe(0);
});

/** Runs a script of the copy, without the network. */
function script(name: string, ...args: string[]) {
  const inherited = Object.entries(process.env).filter(([key]) => !/^npm_/i.test(key));
  const env = { ...Object.fromEntries(inherited), CARGO_NET_OFFLINE: "true", npm_config_offline: "true" };
  return spawnSync(join(copy, "scripts", name), args, { cwd: copy, env, encoding: "utf8" });
}

const read = (path: string) => readFileSync(join(copy, path), "utf8");
const manifest = () => JSON.parse(read("packages/gym2600/package.json")) as Record<string, unknown>;

test("a release writes its version everywhere, and leaves a place for the changes after it", () => {
  // The first release has the version that the files have.
  const first = /^## (\d\S+) \(unreleased\)$/m.exec(read("CHANGELOG.md"))?.[1] ?? "9.8.6";
  for (const version of [first, "9.8.7", "9.8.10"]) {
    const { status, stderr } = script("release", version);
    expect(status, stderr).toBe(0);
  }
  expect(manifest().version).toBe("9.8.10");
  const cargo = read("Cargo.toml");
  expect(cargo).toMatch(/^\[workspace\.package\]\nversion = "9\.8\.10"$/m);
  const crates = cargo.match(/^gym2600-\w+ = .*$/gm) ?? [];
  expect(crates.length).toBeGreaterThan(3);
  for (const crate of crates) expect(crate).toContain('version = "9.8.10"');
  for (const lock of ["Cargo.lock", "fuzz/Cargo.lock"]) {
    expect(read(lock)).toMatch(/^name = "gym2600-vcs"\nversion = "9\.8\.10"$/m);
  }
  const { packages } = JSON.parse(read("package-lock.json")) as { packages: Record<string, { version?: string }> };
  expect(packages["packages/gym2600"]?.version).toBe("9.8.10");
  const date = new Date().toISOString().slice(0, 4);
  expect(read("CHANGELOG.md")).toMatch(
    new RegExp(
      `^## Next \\(unreleased\\)\n\n## 9\\.8\\.10 \\(${date}-..-..\\)\n\n## 9\\.8\\.7 \\(${date}-..-..\\)$`,
      "m",
    ),
  );
  expect(script("release", "--check", "v9.8.10").status).toBe(0);
  expect(script("release", "--check", "v9.8.7").stderr).toContain("Cargo.toml has version 9.8.10");
  expect(script("release", "9.9").stderr).toContain("no version");
  const written = ["CHANGELOG.md", "Cargo.toml", "package-lock.json"].map(read);
  for (const [version, message] of [
    ["9.8.10", "version 9.8.10 has been released"],
    ["9.8.7", "version 9.8.7 has been released"],
    ["9.8.9", "version 9.8.9 is lower than the present one, 9.8.10"],
    ["1.99.99", "version 1.99.99 is lower than the present one, 9.8.10"],
  ] as const) {
    expect(script("release", version)).toMatchObject({ status: 1, stderr: expect.stringContaining(message) });
  }
  expect(["CHANGELOG.md", "Cargo.toml", "package-lock.json"].map(read)).toEqual(written);
});

test("no document names an owner of the repository, whom set-repository alone knows", () => {
  const named = tracked("*.md").flatMap(
    (path) => read(path).match(/\bgit(?:hub|lab)\.(?:com|io)\/[\w-]+\/gym2600\b/g) ?? [],
  );
  expect(named).toEqual([]);
});

test("the addresses of the repository and of the documents are written to the crates, the wheel and the package", () => {
  // The second call replaces what the first wrote.
  for (const host of ["https://old.host", "https://your.host"]) {
    const { status, stderr } = script("set-repository", `${host}/you/gym2600`, `${host}/demo/`);
    expect(status, stderr).toBe(0);
  }
  expect(read("Cargo.toml").match(/^repository = .*$/gm)).toEqual(['repository = "https://your.host/you/gym2600"']);
  for (const crate of readdirSync(join(copy, "crates"))) {
    expect(read(`crates/${crate}/Cargo.toml`).match(/^repository\.workspace = true$/gm), crate).toHaveLength(1);
    expect(read(`crates/${crate}/Cargo.toml`).match(/^homepage\.workspace = true$/gm), crate).toHaveLength(1);
  }
  expect(manifest()).toMatchObject({
    repository: { type: "git", url: "git+https://your.host/you/gym2600.git", directory: "packages/gym2600" },
    homepage: "https://your.host/demo/docs/",
    bugs: { url: "https://your.host/you/gym2600/issues" },
  });
  expect(read("Cargo.toml").match(/^homepage = .*$/gm)).toEqual(['homepage = "https://your.host/demo/docs/"']);
  expect(read("python/pyproject.toml").match(/^Documentation = .*$/gm)).toEqual([
    'Documentation = "https://your.host/demo/docs/"',
  ]);
  expect(script("set-repository", "your.host").stderr).toContain("no address");
});
