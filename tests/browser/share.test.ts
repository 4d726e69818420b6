/** Share, Code and Data. */

import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { launch } from "../package/chromium.js";
import { Demo } from "./support/demo.js";
import { withDemo } from "./support/each.js";
import { type ChosenFile, file, realRom } from "./support/roms.js";

const BREAKOUT_MD5 = "f34f08e5eb96e500e851a80be3277a56";
const root = fileURLToPath(new URL("../..", import.meta.url));

let demo: Demo;
withDemo(
  (opened) => {
    demo = opened;
  },
  { viewport: { width: 1280, height: 720 } },
);

async function link(): Promise<URL> {
  await demo.at("share-button").click();
  const address = await demo.at("share-link").inputValue();
  await demo.page.keyboard.press("Escape");
  return new URL(address);
}

describe("a shared link", () => {
  test("opened in a fresh profile asks for its ROM, and plays it with its setup", async () => {
    await demo.chooseFile(realRom("breakout"));
    await expect.poll(() => demo.text("game-title")).toBe("Breakout");
    await demo.at("setup-button").click();
    await demo.at("preset").selectOption("envpool");
    await demo.at("seed").fill("41");
    await demo.at("hyper-learning_rate").fill("0.0005");
    await demo.at("apply").click();
    await expect.poll(() => demo.text("announcement")).toBe("The setup is applied");
    await demo.page.keyboard.press("Escape");
    const { hash } = await link();
    expect(hash).toContain(BREAKOUT_MD5);
    const browser = await launch();
    const fresh = await Demo.open(browser, { hash });
    try {
      await expect
        .poll(() => fresh.text("message-text"))
        .toMatch(/^This link is for a game that it calls “Breakout”\..*MD5/);
      expect(await fresh.text("game-title")).toBe("WALLOP");
      const chooser = fresh.page.waitForEvent("filechooser");
      await fresh.page.locator("#message-actions button").click();
      await (await chooser).setFiles(realRom("breakout"));
      await expect.poll(() => fresh.text("game-title")).toBe("Breakout");
      expect(await fresh.at("preset").inputValue()).toBe("envpool");
      expect(await fresh.at("seed").inputValue()).toBe("41");
      expect(await fresh.at("hyper-learning_rate").inputValue()).toBe("0.0005");
    } finally {
      await fresh.close();
      await browser.close();
    }
  });

  test("of WALLOP plays at once", async () => {
    await demo.page.evaluate(() => {
      location.hash = "#preset=labml&seed=9&mode=2";
    });
    await expect.poll(() => demo.at("preset").inputValue()).toBe("labml");
    expect(await demo.at("seed").inputValue()).toBe("9");
    await demo.goesOn();
  });

  test("of a described ROM asks for it, and opens it with the link's description and setup", async () => {
    const rom = file("mystery.bin", new Uint8Array(4096).fill(42));
    await demo.dropFile(rom);
    await demo.page.getByRole("button", { name: "Play without scores" }).click();
    await expect.poll(() => demo.text("game-title")).toBe("mystery");
    await demo.at("share-button").click();
    expect(await demo.text("share-note")).toBe("The description of this game is in the link.");
    const { hash } = new URL(await demo.at("share-link").inputValue());
    expect(hash).toMatch(/rom=[0-9a-f]{32}&title=mystery/);
    const browser = await launch();
    const fresh = await Demo.open(browser, { hash: hash.replace("seed=1", "seed=7") });
    try {
      await expect.poll(() => fresh.text("message-text")).toMatch(/^This link is for a game that it calls “mystery”\./);
      await fresh.dropFile(rom);
      await expect.poll(() => fresh.text("game-title")).toBe("mystery");
      expect(await fresh.at("seed").inputValue()).toBe("7");
      expect(await fresh.at("message").isHidden()).toBe(true);
    } finally {
      await fresh.close();
      await browser.close();
    }
  });

  test("carries the policy's checkpoint, saliency and the open panel", async () => {
    await demo.at("skill").fill("1");
    await expect.poll(() => demo.text("policy-name")).toBe("policy of 5 minutes of training");
    await demo.at("saliency").check({ force: true });
    await demo.at("explain-button").click();
    const { hash } = await link();
    expect(hash).toMatch(/&policy=5-minutes&saliency=on&panel=explain/);
    const browser = await launch();
    const fresh = await Demo.open(browser, { hash });
    try {
      await expect.poll(() => fresh.text("policy-name")).toBe("policy of 5 minutes of training");
      expect(await fresh.at("saliency").isChecked()).toBe(true);
      expect(await fresh.at("explain").isVisible()).toBe(true);
      expect(await fresh.at("message").isHidden()).toBe(true);
      await fresh.page.evaluate(() => {
        location.hash = "#seed=3&policy=best&panel=x";
      });
      await expect.poll(() => fresh.text("message-text")).toContain("The page cannot use “policy=best”, “panel=x”.");
    } finally {
      await fresh.close();
      await browser.close();
    }
  });

  test("that makes no sense is told, as the page opens and when the address changes", async () => {
    const browser = await launch();
    const fresh = await Demo.open(browser, { hash: "#rom=zzz&preset=labml&games=5&seed=7" });
    try {
      const told =
        "A part of the link is left out. The page cannot use “rom=zzz”, “games=5”. A ROM is named by its MD5";
      await expect.poll(() => fresh.text("message-text")).toContain(told);
      expect(await fresh.text("game-title")).toBe("WALLOP");
      expect(await fresh.at("preset").inputValue()).toBe("labml");
      await fresh.at("message-close").click();
      await fresh.page.evaluate(() => {
        location.hash = "#preset=labm&seed=9";
      });
      await expect
        .poll(() => fresh.text("message-text"))
        .toBe("A part of the link is left out. The page cannot use “preset=labm”.");
      expect(await fresh.at("seed").inputValue()).toBe("9");
      await fresh.page.evaluate((md5) => {
        location.hash = `#rom=${md5}&title=Breakout&set.gamma=2`;
      }, BREAKOUT_MD5);
      await expect
        .poll(() => fresh.text("message-text"))
        .toMatch(/^This link is for a game that it calls “Breakout”\. .*The page cannot use “set\.gamma=2”\.$/);
      // A title that ends its quotation and speaks for the page.
      await fresh.page.evaluate((md5) => {
        location.hash = `#rom=${md5}&title=${encodeURIComponent("Pong”. Your browser is too old: see “x.example")}`;
      }, BREAKOUT_MD5);
      await expect
        .poll(() => fresh.text("message-text"))
        .toMatch(/^This link is for a game that it calls “Pong'\. Your browser is too old: see 'x\.example”\. /);
      // A title that turns the direction of writing, breaks the line and rings.
      await fresh.page.evaluate((md5) => {
        location.hash = `#rom=${md5}&title=${encodeURIComponent("\u202eBreak\n\u2066out\u0007\u200f")}`;
      }, BREAKOUT_MD5);
      await expect
        .poll(() => fresh.text("message-text"))
        .toMatch(/^This link is for a game that it calls “Breakout”\. /);
      expect(await fresh.text("alert")).toMatch(/^This link is for a game that it calls “Breakout”\. /);
    } finally {
      await fresh.close();
      await browser.close();
    }
  });

  /** Follows a link for Breakout with settings that are not the page's first ones. */
  async function followLink(): Promise<void> {
    await demo.page.evaluate((hash) => {
      location.hash = hash;
    }, `#rom=${BREAKOUT_MD5}&title=Breakout&preset=envpool&seed=41`);
    await expect.poll(() => demo.text("message-text")).toMatch(/^This link is for a game that it calls “Breakout”\./);
  }

  function hash(): Promise<string> {
    return demo.page.evaluate(() => location.hash);
  }

  async function settings(): Promise<string[]> {
    return Promise.all(["preset", "seed"].map((id) => demo.at(id).inputValue()));
  }

  test("that is refused leaves the address, and gives nothing to the next ROM", async () => {
    await followLink();
    await demo.at("message-close").click();
    expect(await hash()).toBe("");
    await demo.dropFile(realRom("pong"));
    await expect.poll(() => demo.text("game-title")).toMatch(/^Pong/);
    expect(await settings()).toEqual(["learner", "1"]);
    expect(await demo.at("message").isHidden()).toBe(true);
  });

  test("whose question is answered with another game of the menu gives nothing to it", async () => {
    await followLink();
    await demo.chooseWallop();
    await expect.poll(() => demo.at("message").isHidden()).toBe(true);
    expect(await settings()).toEqual(["learner", "1"]);
    expect(await hash()).toBe("");
  });

  test("asks again after a file that is no ROM, and stays in the address with its ROM", async () => {
    await followLink();
    await demo.dropFile(file("odd.bin", Buffer.alloc(3)));
    await expect.poll(() => demo.text("message-text")).toContain("odd.bin cannot be played");
    const chooser = demo.page.waitForEvent("filechooser");
    await demo.page.locator("#message-actions").getByRole("button", { name: "Open ROM…" }).click();
    await (await chooser).setFiles(realRom("breakout"));
    await expect.poll(() => demo.text("game-title")).toBe("Breakout");
    expect(await settings()).toEqual(["envpool", "41"]);
    expect(await hash()).toContain(BREAKOUT_MD5);
    // Another setup is not the link's.
    await demo.at("setup-button").click();
    await demo.at("seed").fill("42");
    await demo.at("apply").click();
    await expect.poll(() => demo.text("announcement")).toBe("The setup is applied");
    expect(await hash()).toBe("");
  });

  test("that would end a training is refused by Go on training", async () => {
    await demo.at("train").click();
    await expect.poll(() => demo.text("train")).toBe("Pause training");
    await followLink();
    await demo.dropFile(realRom("breakout"));
    await demo.page.getByRole("button", { name: "Go on training" }).click();
    expect(await hash()).toBe("");
    expect(await demo.text("game-title")).toBe("WALLOP");
  });

  test("for a ROM that is remembered opens it at once", async () => {
    await demo.chooseFile(realRom("breakout"));
    await expect.poll(() => demo.text("game-title")).toBe("Breakout");
    await demo.at("game-button").click();
    await demo.at("remember").check();
    await expect.poll(() => demo.page.locator("#remembered button").count()).toBe(1);
    await demo.page.keyboard.press("Escape");
    await demo.chooseWallop();
    await expect.poll(() => demo.text("game-title")).toBe("WALLOP");
    await demo.page.evaluate((text) => {
      location.hash = text;
    }, `#rom=${BREAKOUT_MD5}&title=Breakout&preset=envpool&seed=41`);
    await expect.poll(() => demo.text("game-title")).toBe("Breakout");
    expect(await settings()).toEqual(["envpool", "41"]);
  });

  test("with a mode that the opened cartridge does not have opens it without, and asks again for its own", async () => {
    await demo.page.evaluate((hash) => {
      location.hash = hash;
    }, `#rom=${BREAKOUT_MD5}&title=Breakout&preset=learner&mode=36`);
    await expect.poll(() => demo.text("message-text")).toMatch(/^This link is for a game that it calls “Breakout”\./);
    await demo.chooseFile(realRom("pong"));
    await expect.poll(() => demo.text("game-title")).toMatch(/^Pong/);
    await expect.poll(() => demo.text("message-text")).toMatch(/^This is .*, not “Breakout”\./);
    await demo.goesOn();
    const chooser = demo.page.waitForEvent("filechooser");
    await demo.page.locator("#message-actions").getByRole("button", { name: "Open ROM…" }).click();
    await (await chooser).setFiles(realRom("breakout"));
    await expect.poll(() => demo.text("game-title")).toBe("Breakout");
    expect(await demo.at("mode").inputValue()).toBe("36");
    expect(await demo.page.evaluate(() => location.hash)).toContain(BREAKOUT_MD5);
  });
});

describe("the code of a setup", () => {
  /** Runs the program that Code shows, shorter, but the same. Returns what it prints. */
  async function run(...files: readonly ChosenFile[]): Promise<string> {
    await demo.at("code-button").click();
    await demo.at("code").waitFor();
    const text = await demo.text("code-text");
    expect(text).toContain("300_000");
    // A folder in which `gym2600` is found.
    const place = join(root, "tests/browser/output");
    mkdirSync(place, { recursive: true });
    const folder = mkdtempSync(join(place, "program-"));
    try {
      for (const { name, buffer } of files) writeFileSync(join(folder, name), buffer);
      writeFileSync(join(folder, "train.mjs"), text.replace("300_000", "1").replace("numEnvs: 32", "numEnvs: 4"));
      const { stdout, stderr, status } = spawnSync("node", ["train.mjs"], { cwd: folder, encoding: "utf8" });
      expect(stderr).toBe("");
      expect(status).toBe(0);
      expect(stdout).toMatch(/^update 1, \d+ steps/);
      expect(readFileSync(join(folder, "policy.safetensors")).length).toBeGreaterThan(100_000);
      return stdout;
    } finally {
      rmSync(folder, { recursive: true });
    }
  }

  async function applied(): Promise<void> {
    await demo.at("apply").click();
    await expect.poll(() => demo.text("announcement")).toBe("The setup is applied");
    await demo.page.keyboard.press("Escape");
  }

  test("runs", async () => {
    const printed = await run();
    expect(printed).toMatch(/game: 'wallop'/);
    expect(printed).toMatch(/seed: 1\b/);
  });

  test("runs with another preset, mode, difficulty, seed and algorithm, on a file", async () => {
    const breakout = realRom("breakout");
    await demo.chooseFile(breakout);
    await expect.poll(() => demo.text("game-title")).toBe("Breakout");
    await demo.at("setup-button").click();
    for (const [id, value] of [
      ["preset", "envpool"],
      ["mode", "4"],
      ["difficulty", "1"],
      ["algorithm", "a2c"],
    ] as const) {
      await demo.at(id).selectOption(value);
    }
    await demo.at("seed").fill("41");
    await demo.at("hyper-learning_rate").fill("0.0005");
    await applied();
    const printed = await run(breakout);
    expect(printed).toMatch(/game: 'breakout'/);
    expect(printed).toMatch(/seed: 41\b/);
    expect(printed).toMatch(/algorithm: 'a2c'/);
    const text = await demo.text("code-text");
    for (const part of ['preset: "envpool"', "mode: 4", "difficulty: 1", "learning_rate: 0.0005"]) {
      expect(text).toContain(part);
    }
  });

  test("runs with a list of the person's own, and a description", async () => {
    const rom = file("mystery.bin", new Uint8Array(4096).fill(42));
    await demo.dropFile(rom);
    await demo.page.getByRole("button", { name: "Describe it" }).click();
    await demo.at("definition-use").click();
    await expect.poll(() => demo.text("game-title")).toBe("My game");
    await demo.at("setup-button").click();
    await demo.page.getByLabel("SkipFrames: n").fill("2");
    await demo.page.getByLabel("SkipFrames: n").press("Tab");
    await applied();
    expect(await run(rom)).toMatch(/seed: 1\b/);
  });

  test("is that of the game that is dropped while it is shown", async () => {
    await demo.at("code-button").click();
    expect(await demo.text("code-text")).toContain("const rom = wallop;");
    await demo.dropFile(realRom("breakout"));
    await expect.poll(() => demo.text("code-text")).toContain("breakout.bin");
    expect(await demo.text("python-text")).toContain("breakout");
  });

  test("is in Python too", async () => {
    await demo.chooseFile(realRom("breakout"));
    await expect.poll(() => demo.text("game-title")).toBe("Breakout");
    await demo.at("setup-button").click();
    await demo.at("preset").selectOption("envpool");
    await demo.at("seed").fill("41");
    await demo.at("apply").click();
    await expect.poll(() => demo.text("announcement")).toBe("The setup is applied");
    await demo.page.keyboard.press("Escape");
    await demo.at("code-button").click();
    await demo.at("code").waitFor();
    const python = await demo.text("python-text");
    for (const part of ['"breakout",', 'preset="envpool",', "num_envs=32,", "envs.reset(seed=41)"]) {
      expect(python).toContain(part);
    }
  });

  test("and the link are copied", async () => {
    await demo.page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    for (const [dialog, button, shown] of [
      ["code", "code-copy", "code-text"],
      ["code", "python-copy", "python-text"],
      ["share", "share-copy", "share-link"],
    ] as const) {
      await demo.at(`${dialog}-button`).click();
      await demo.at(button).click();
      await expect.poll(() => demo.text(`${dialog}-note`)).toBe("Copied.");
      const text = await demo.at(shown).evaluate((one) => (one as HTMLInputElement).value ?? one.textContent);
      expect(await demo.page.evaluate(() => navigator.clipboard.readText())).toBe(text);
      await demo.page.keyboard.press("Escape");
    }
  });
});

describe("Data", () => {
  test("exports games as CSV and JSON that say what they are of", async () => {
    await demo.choose("speed", "fast");
    await demo.until(async () => (await demo.number("episodes")) >= 2);
    await demo.pause();
    await demo.at("data-button").click();
    const csv = await demo.download("csv");
    const [head, ...rows] = csv.bytes.toString().trim().split("\r\n");
    expect(csv.name).toBe("wallop-games.csv");
    expect(head).toBe(
      "game,player,score,decisions,seconds,policy,rom,md5,version,preset,mode,difficulty,seed,settings",
    );
    expect(rows.length).toBe(await demo.number("episodes"));
    expect(rows[0]).toMatch(
      /^1,agent,\d+,\d+,[\d.]+,.*,wallop,0d1ae6f25e0bc0ff058688d563a2ee2e,\d+\.\d+\.\d+,learner,default,default,1,"\{""wrappers"":\[.*""learning_rate"":0\.002.*\}"$/,
    );
    const json = JSON.parse((await demo.download("json")).bytes.toString());
    expect(json.games[0]).toMatchObject({
      rom: "wallop",
      md5: "0d1ae6f25e0bc0ff058688d563a2ee2e",
      preset: "learner",
      seed: 1,
      settings: { algorithm: "ppo", net: "tiny", hyperParameters: { gamma: 0.98 } },
    });
    expect(json.games[0].settings.wrappers.length).toBeGreaterThan(4);
    expect(json.games.length).toBe(rows.length);
    const mean = json.games.reduce((sum: number, { score }: { score: number }) => sum + score, 0) / json.games.length;
    if (rows.length <= 100) expect(await demo.text("mean")).toBe(mean.toFixed(2));
  });

  test("exports the last game as a GIF that the browser shows", async () => {
    expect(await demo.at("gif").isDisabled()).toBe(true);
    await demo.choose("speed", "fast");
    await demo.until(async () => (await demo.number("episodes")) > 0);
    await demo.pause();
    await demo.at("data-button").click();
    const { name, bytes } = await demo.download("gif");
    expect(name).toBe("wallop.gif");
    // A game that is given up is not the last one.
    for (let times = 0; times < 2; times++) {
      await demo.at("game-button").click();
      await demo.at("new-game").click();
    }
    expect((await demo.download("gif")).bytes.equals(bytes)).toBe(true);
    const size = await demo.page.evaluate(async (base64) => {
      const data = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
      const bitmap = await createImageBitmap(new Blob([data], { type: "image/gif" }));
      const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
      context?.drawImage(bitmap, 0, 0);
      const pixels = context?.getImageData(0, 0, bitmap.width, bitmap.height).data ?? [];
      return [bitmap.width, bitmap.height, new Set(pixels).size > 10];
    }, bytes.toString("base64"));
    expect(size).toEqual([320, 210, true]);
  });

  test("records the picture as WebM that the browser plays", async () => {
    await demo.at("data-button").click();
    await demo.at("webm").click();
    expect(await demo.text("webm")).toBe("Stop and save WebM");
    await demo.page.waitForTimeout(1500);
    const { name, bytes } = await demo.download("webm");
    expect(name).toBe("wallop.webm");
    // In a page of its own: the demo's policy allows no films.
    const page = await demo.page.context().newPage();
    const film = await page.evaluate(async (base64) => {
      const video = document.createElement("video");
      video.muted = true;
      video.src = `data:video/webm;base64,${base64}`;
      await video.play();
      while (video.currentTime <= 0.2 && !video.ended) await new Promise((later) => setTimeout(later, 20));
      const { videoWidth, videoHeight, currentTime } = video;
      return { size: [videoWidth, videoHeight], currentTime };
    }, bytes.toString("base64"));
    // As wide as on a television.
    expect(film.size).toEqual([640, 420]);
    expect(film.currentTime).toBeGreaterThan(0.2);
  });
});
