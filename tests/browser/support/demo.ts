/** The page in a test: its contents, and checks that hold for every test. */

import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Browser, BrowserContextOptions, Locator, Page, Request } from "playwright-core";
import { expect, inject } from "vitest";
import { HANG_MS } from "../../limits.js";
import type { ChosenFile } from "./roms.js";

const pictures = fileURLToPath(new URL("../output/screenshots/", import.meta.url));

export class Demo {
  readonly page: Page;
  /** Console messages and uncaught errors. A test fails if there are any. */
  readonly complaints: string[] = [];
  readonly requests: Request[] = [];

  private constructor(page: Page) {
    this.page = page;
    page.setDefaultTimeout(HANG_MS);
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") this.complaints.push(message.text());
    });
    page.on("pageerror", (error) => this.complaints.push(error.message));
    page.on("request", (request) => this.requests.push(request));
  }

  /** Opens the page and waits until its first game runs. */
  static async open(browser: Browser, options: BrowserContextOptions = {}): Promise<Demo> {
    const context = await browser.newContext(options);
    const demo = new Demo(await context.newPage());
    await demo.page.goto(inject("site"));
    await demo.until(async () => (await demo.number("steps")) > 0);
    return demo;
  }

  /** Closes the page. Fails if it logged an error or sent a request to another host. */
  async close(): Promise<void> {
    const home = new URL(inject("site"));
    const elsewhere = this.requests.map((request) => request.url()).filter((url) => !url.startsWith(home.href));
    await this.page.context().close();
    expect(this.complaints).toEqual([]);
    expect(elsewhere).toEqual([]);
    expect(this.requests.map((request) => request.method()).filter((method) => method !== "GET")).toEqual([]);
  }

  at(id: string): Locator {
    return this.page.locator(`#${id}`);
  }

  async text(id: string): Promise<string> {
    return ((await this.at(id).textContent()) ?? "").trim();
  }

  /** The number in an element. */
  async number(id: string): Promise<number> {
    return Number((await this.text(id)).replaceAll(",", ""));
  }

  /** A digest of the pixels of a canvas. */
  pixels(id: string): Promise<string> {
    return this.page.evaluate((canvasId) => (document.getElementById(canvasId) as HTMLCanvasElement).toDataURL(), id);
  }

  /** The grey of every pixel of a frame of the stack. */
  greys(id: string): Promise<number[]> {
    return this.page.evaluate((canvasId) => {
      const canvas = document.getElementById(canvasId) as HTMLCanvasElement;
      const { width, height } = canvas;
      // Read a copy: a canvas that is read moves out of the memory of the GPU.
      const copy = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
      copy?.drawImage(canvas, 0, 0);
      return [...(copy?.getImageData(0, 0, width, height).data ?? [])].filter((_, index) => index % 4 === 0);
    }, id);
  }

  choose(group: "speed" | "player", value: string): Promise<void> {
    return this.page.locator(`input[name="${group}"][value="${value}"]`).check({ force: true });
  }

  /** Chooses a file with the file button. */
  async chooseFile(file: ChosenFile): Promise<void> {
    const chooser = this.page.waitForEvent("filechooser");
    await this.at("rom-button").click();
    await (await chooser).setFiles(file);
  }

  /** Drops a file on the page. */
  async dropFile({ name, buffer }: ChosenFile): Promise<void> {
    const data = await this.page.evaluateHandle(
      ([fileName, base64]) => {
        const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
        const transfer = new DataTransfer();
        transfer.items.add(new File([bytes], fileName));
        return transfer;
      },
      [name, buffer.toString("base64")] as const,
    );
    await this.page.dispatchEvent("body", "dragenter", { dataTransfer: data });
    await this.page.dispatchEvent("body", "dragover", { dataTransfer: data });
    await this.page.dispatchEvent("body", "drop", { dataTransfer: data });
  }

  /** Pauses and waits until the picture stands still. */
  async pause(): Promise<void> {
    if ((await this.text("run")) === "Pause") await this.at("run").click();
    await expect.poll(() => this.text("run")).toBe("Start");
    await this.settled();
  }

  /** Plays fast until some episodes have finished, and pauses. */
  async finishEpisodes(): Promise<void> {
    await this.choose("speed", "fast");
    await this.until(async () => (await this.number("episodes")) >= 3);
    await this.pause();
    await this.choose("speed", "real-time");
    // The next Tab goes to the first element of the page.
    await this.page.evaluate(() => {
      document.body.tabIndex = -1;
      document.body.focus();
      document.body.removeAttribute("tabindex");
    });
  }

  /** Starts several games on a number of workers. */
  async spread(games: number, workers: number): Promise<void> {
    await this.#fill("games", games);
    await expect.poll(() => this.page.locator("#lanes li").count()).toBe(games);
    await this.#fill("workers", workers);
    const note = `${games} games on ${workers} ${workers === 1 ? "worker" : "workers"}`;
    await expect.poll(() => this.text("lanes-note")).toBe(note);
    await this.until(async () => (await this.number(`lane-${games - 1}-lives`)) > 0);
  }

  async #fill(id: string, number: number): Promise<void> {
    await this.at(id).fill(String(number));
    await this.at(id).press("Tab");
  }

  /** Waits until the number of steps stays the same for a while. */
  async settled(): Promise<void> {
    let before = -1;
    await this.until(async () => {
      const last = before;
      before = await this.number("steps");
      await this.page.waitForTimeout(150);
      return last === before;
    });
  }

  until(condition: () => Promise<boolean>): Promise<void> {
    return expect.poll(condition).toBe(true) as Promise<void>;
  }

  async screenshot(name: string): Promise<void> {
    mkdirSync(pictures, { recursive: true });
    await this.page.screenshot({ path: `${pictures}${name}.png`, fullPage: true });
  }
}
