/** The page in a test: its contents, and checks that hold for every test. */

import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Browser, BrowserContext, BrowserContextOptions, Download, Locator, Page, Request } from "playwright-core";
import { expect, inject } from "vitest";
import { HANG_MS } from "../../limits.js";
import type { ChosenFile } from "./roms.js";

const pictures = fileURLToPath(new URL("../output/screenshots/", import.meta.url));

/** How the page is opened. */
export interface OpenOptions extends BrowserContextOptions {
  /** The hash of the address, with `#`. */
  readonly hash?: string;
  /** The address of the page; the built one without it. */
  readonly site?: string;
}

/** A picture as greys, row by row. */
export interface Greys {
  readonly width: number;
  readonly height: number;
  readonly greys: readonly number[];
}

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The latest record of the show's worker as the page got it, when each came, in milliseconds, and the policies' names in turn. */
interface Shown {
  /** The page's workers. */
  readonly workers: Worker[];
  latest:
    | { readonly step: number; readonly stack?: Uint8Array; readonly player: string; readonly policy: string }
    | undefined;
  readonly times: number[];
  readonly policies: string[];
}

declare global {
  interface Window {
    shown: Shown;
  }
}

/** Keeps the records of the page's workers. It runs in the page before its scripts. */
function keepRecords(): void {
  window.shown = { workers: [], latest: undefined, times: [], policies: [] };
  window.Worker = class extends Worker {
    constructor(address: string | URL, options?: WorkerOptions) {
      super(address, options);
      window.shown.workers.push(this);
      this.addEventListener("message", ({ data }) => {
        if (data?.type !== "record") return;
        window.shown.latest = data.record;
        window.shown.times.push(performance.now());
        if (window.shown.policies.at(-1) !== data.record.policy) window.shown.policies.push(data.record.policy);
      });
    }
  };
}

export class Demo {
  readonly page: Page;
  /** Console messages and uncaught errors. A test fails if there are any. */
  readonly complaints: string[] = [];
  /** Requests of the page, its workers and its service worker. */
  readonly requests: Request[] = [];

  readonly #site: string;
  readonly #addRequest = (request: Request): number => this.requests.push(request);

  private constructor(page: Page, site: string) {
    this.page = page;
    this.#site = site;
    page.setDefaultTimeout(HANG_MS);
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") this.complaints.push(message.text());
    });
    page.on("pageerror", (error) => this.complaints.push(error.message));
    page.context().on("request", this.#addRequest);
  }

  /** Opens the page and waits until its first game runs. */
  static async open(browser: Browser, options: OpenOptions = {}): Promise<Demo> {
    return Demo.visit(await Demo.context(browser, options), options);
  }

  /** A context for `openIn`. */
  static async context(browser: Browser, { hash: _, site: __, ...options }: OpenOptions): Promise<BrowserContext> {
    const context = await browser.newContext(options);
    await context.addInitScript(keepRecords);
    return context;
  }

  /**
   * Opens a new page in a context that earlier tests have used, and waits until its first game runs. What those have stored is gone; what
   * the browser has fetched and compiled for them is there.
   */
  static async openIn(context: BrowserContext, options: OpenOptions = {}): Promise<Demo> {
    const page = await context.newPage();
    const protocol = await context.newCDPSession(page);
    await protocol.send("Storage.clearDataForOrigin", {
      origin: new URL(options.site ?? inject("site")).origin,
      storageTypes: "all",
    });
    await page.close();
    return Demo.visit(context, options);
  }

  /** Opens a new page in a context, with all that is stored there, and waits until its first game runs. */
  static async visit(context: BrowserContext, { hash = "", site = inject("site") }: OpenOptions = {}): Promise<Demo> {
    const demo = new Demo(await context.newPage(), site);
    await demo.page.goto(`${site}${hash}`);
    await demo.until(async () => (await demo.number("decisions")) > 0);
    return demo;
  }

  /** Closes the page with its context. Fails if it logged an error or sent a request to another host. */
  close(): Promise<void> {
    return this.#end(() => this.page.context().close());
  }

  /** Closes the page alone, with the checks of `close`. */
  closePage(): Promise<void> {
    return this.#end(() => this.page.close());
  }

  async #end(closing: () => Promise<void>): Promise<void> {
    const home = new URL(this.#site);
    const elsewhere = this.requests.map((request) => request.url()).filter((url) => !isOwn(url, home));
    await closing();
    this.page.context().off("request", this.#addRequest);
    expect(this.complaints).toEqual([]);
    expect(elsewhere).toEqual([]);
    expect(this.requests.map((request) => request.method()).filter((method) => method !== "GET")).toEqual([]);
  }

  at(id: string): Locator {
    return this.page.locator(`#${id}`);
  }

  /** The place of the chart's lines. A chart that is drawn anew has none for a moment. */
  async chartBox(): Promise<Box> {
    for (;;) {
      const box = await this.page.locator("#chart .u-over").boundingBox();
      if (box !== null) return box;
    }
  }

  async text(id: string): Promise<string> {
    return ((await this.at(id).textContent()) ?? "").trim();
  }

  /** The number in an element. */
  async number(id: string): Promise<number> {
    return Number((await this.text(id)).replaceAll(",", ""));
  }

  /** The greys of canvases, all read at the same moment. */
  greys(...ids: string[]): Promise<Greys[]> {
    return this.page.evaluate((all) => {
      return all.map((id) => {
        const canvas = document.getElementById(id) as HTMLCanvasElement;
        const { width, height } = canvas;
        // A copy is read: a canvas that is read moves out of the memory of the GPU.
        const copy = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
        copy?.drawImage(canvas, 0, 0);
        const data = copy?.getImageData(0, 0, width, height).data ?? new Uint8ClampedArray();
        const greys = Array.from({ length: width * height }, (_, pixel) => {
          const [red = 0, green = 0, blue = 0] = data.subarray(4 * pixel, 4 * pixel + 3);
          return 0.299 * red + 0.587 * green + 0.114 * blue;
        });
        return { width, height, greys };
      });
    }, ids);
  }

  /** The bytes of the frames that the agent sees in the latest record, as text. Waits until the canvases show them. */
  async stack(): Promise<string> {
    let bytes = "";
    await this.until(async () => {
      bytes = await this.page.evaluate(() => JSON.stringify(Array.from(window.shown.latest?.stack ?? [])));
      const canvases = await this.greys("frame-0", "frame-1", "frame-2", "frame-3");
      return JSON.stringify(canvases.flatMap(({ greys }) => greys.map(Math.round))) === bytes;
    });
    return bytes;
  }

  /** The picture of the learning curve. */
  chartPixels(): Promise<string> {
    return this.page.evaluate(() => document.querySelector<HTMLCanvasElement>("#chart canvas")?.toDataURL() ?? "");
  }

  async pixels(id: string): Promise<string> {
    const [picture] = await this.greys(id);
    return JSON.stringify(picture);
  }

  choose(group: "speed" | "player" | "x-axis", value: string): Promise<void> {
    return this.page.locator(`input[name="${group}"][value="${value}"]`).check({ force: true });
  }

  /** Chooses a file with Open ROM... of the Game menu. */
  async chooseFile(file: ChosenFile): Promise<void> {
    const chooser = this.page.waitForEvent("filechooser");
    await this.at("game-button").click();
    await this.at("open-rom").click();
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
    for (const type of ["dragenter", "dragover", "drop"]) {
      await this.page.dispatchEvent("body", type, { dataTransfer: data });
    }
  }

  async chooseWallop(): Promise<void> {
    await this.at("game-button").click();
    await this.at("open-wallop").click();
  }

  /** Pauses and waits until the picture stands still. */
  async pause(): Promise<void> {
    if ((await this.text("pause")) === "Pause picture") await this.at("pause").click();
    await this.settled();
  }

  /** Waits until the show's worker has said that it stands still, after all that the page asked of it. */
  async settled(): Promise<void> {
    await expect.poll(() => this.at("television").getAttribute("data-still")).toBe("true");
  }

  /** Waits until the game goes on. */
  async goesOn(): Promise<void> {
    const before = await this.number("decisions");
    await this.until(async () => (await this.number("decisions")) > before + 3);
  }

  /** A file that a button downloads. */
  async download(id: string): Promise<{ readonly name: string; readonly bytes: Buffer }> {
    const [file] = await Promise.all([this.page.waitForEvent("download"), this.at(id).click()]);
    return { name: file.suggestedFilename(), bytes: await contentOf(file) };
  }

  until(condition: () => Promise<boolean>): Promise<void> {
    return expect.poll(condition).toBe(true) as Promise<void>;
  }

  async screenshot(name: string): Promise<void> {
    mkdirSync(pictures, { recursive: true });
    await this.page.screenshot({ path: `${pictures}${name}.png` });
  }
}

async function contentOf(file: Download): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of await file.createReadStream()) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** Holds back a script of the page until the result is called. */
export async function holdBack(target: Page | BrowserContext, name: string): Promise<() => void> {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await target.route(`**/${name}-*.js`, async (route) => {
    await released;
    await route.continue();
  });
  return release;
}

/** Whether an address is of the page's folder, or of the page's own data. */
function isOwn(url: string, home: URL): boolean {
  return url.startsWith(home.href) || url.startsWith("blob:") || url.startsWith("data:");
}
