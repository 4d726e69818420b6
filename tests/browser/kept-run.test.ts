/** A run survives its tab: the browser keeps it, and the next visit offers it. */

import type { Browser, BrowserContext } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { launch } from "../package/chromium.js";
import { Demo } from "./support/demo.js";
import { brief } from "./support/roms.js";

// Few games and short rollouts, so that an update takes a moment.
const options = {
  viewport: { width: 1280, height: 720 },
  hash: "#preset=learner&seed=1&games=4&set.rollout=16&set.minibatches=2&set.epochs=1",
};

let browser: Browser;
let context: BrowserContext;
let demo: Demo;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());
beforeEach(async () => {
  context = await Demo.context(browser, options);
  demo = await Demo.visit(context, options);
});
afterEach(() => context.close());

interface Kept {
  readonly title: string;
  readonly milliseconds: number;
  readonly written: number;
}

/** What the browser keeps of runs; nothing is made by asking. */
function kept(of = demo): Promise<readonly Kept[]> {
  return of.page.evaluate(async () => {
    if (!(await indexedDB.databases()).some(({ name }) => name === "gym2600-runs")) return [];
    return new Promise<Kept[]>((resolve, reject) => {
      const opening = indexedDB.open("gym2600-runs");
      opening.onerror = () => reject(opening.error);
      opening.onsuccess = () => {
        const { result } = opening;
        if (!result.objectStoreNames.contains("runs")) return resolve([]);
        const request = result.transaction("runs").objectStore("runs").getAll();
        request.onsuccess = () => {
          result.close();
          resolve(request.result);
        };
      };
    });
  });
}

/** Flips a bit in the middle of what the browser keeps of the first run's `part`. */
function damage(part: "checkpoint" | "cartridge"): Promise<void> {
  return demo.page.evaluate((which) => {
    return new Promise<void>((resolve, reject) => {
      const opening = indexedDB.open("gym2600-runs");
      opening.onerror = () => reject(opening.error);
      opening.onsuccess = () => {
        const { result } = opening;
        const transaction = result.transaction(["runs", "parts"], "readwrite");
        const store = transaction.objectStore(which === "checkpoint" ? "parts" : "runs");
        const cursors = store.openCursor();
        cursors.onsuccess = () => {
          const cursor = cursors.result;
          if (cursor === null) return;
          const { value } = cursor;
          const bytes: unknown = which === "checkpoint" ? value : value.cartridge.bytes;
          // The lists of updates are parts too.
          if (!(bytes instanceof Uint8Array)) return cursor.continue();
          const middle = bytes.length >> 1;
          bytes[middle] = (bytes[middle] ?? 0) ^ 1;
          cursor.update(value);
        };
        transaction.onabort = () => reject(transaction.error);
        transaction.oncomplete = () => {
          result.close();
          resolve();
        };
      };
    });
  }, part);
}

const frames = async (of = demo): Promise<number> => {
  const [, number = "0", unit = ""] = /([\d.]+) ?([kM]?)/.exec(await of.text("frames-total")) ?? [];
  return Number(number) * (({ k: 1e3, M: 1e6 } as Record<string, number>)[unit] ?? 1);
};

const goOn = (of = demo) => of.page.getByRole("button", { name: /^Go on with your run of \d+ (s|min)/ });

/** Trains until the browser keeps the run. */
async function train(of = demo): Promise<void> {
  const before = (await kept(of)).length;
  await of.at("train").click();
  await expect.poll(async () => (await kept(of)).length).toBe(before + 1);
}

/** Pauses, after which the browser has all of the run. */
async function pause(): Promise<void> {
  const [before] = await kept();
  await demo.at("train").click();
  await expect.poll(() => demo.text("train")).toBe("Go on training");
  await expect.poll(async () => (await kept())[0]?.written).toBeGreaterThan(before?.written ?? 0);
}

/** Loads the page again, although it asks. */
async function reload(): Promise<void> {
  demo.page.on("dialog", (dialog) => void dialog.accept());
  await demo.page.reload();
  await demo.until(async () => (await demo.number("decisions")) > 0);
}

async function updates(): Promise<number[]> {
  await demo.at("data-button").click();
  const { bytes } = await demo.download("run-csv");
  await demo.page.keyboard.press("Escape");
  const [, ...rows] = bytes.toString().trim().split("\r\n");
  return rows.map((row) => Number(row.split(",")[1]));
}

describe("a run", () => {
  test("goes on after a reload with its curve, its updates and its weights", async () => {
    await train();
    await expect.poll(() => demo.text("chart-legend")).toContain("mean of up to 100 games");
    await pause();
    const [before, first] = [await frames(), await updates()];
    const weights = await demo.download("save");
    await reload();
    await expect
      .poll(() => demo.text("message-text"))
      .toMatch(/^This browser has your run of WALLOP\. It learned for \d+ s\./);
    await demo.screenshot("kept-run");
    await goOn().click();
    await expect.poll(() => demo.text("chart-legend")).toContain("mean of up to 100 games");
    await demo.until(async () => (await frames()) > before);
    await demo.at("train").click();
    await expect.poll(() => demo.text("train")).toBe("Go on training");
    const all = await updates();
    expect(all).toEqual(all.map((_, at) => at + 1));
    expect(all.length).toBeGreaterThan(first.length);
    expect((await demo.download("save")).bytes.equals(weights.bytes)).toBe(false);
    expect(await demo.text("skill-name")).toBe("policy of your run");
    await demo.close();
  });

  test("goes on after its tab has crashed", async () => {
    await train();
    const crashed = demo.page.waitForEvent("crash");
    await demo.page.goto("chrome://crash").catch(() => undefined);
    await crashed;
    demo = await Demo.visit(context, options);
    await goOn().click();
    await expect.poll(() => demo.text("policy-name")).toMatch(/^policy #/);
    expect((await kept()).length).toBe(1);
    await demo.close();
  });

  test("is kept when the page is hidden", async () => {
    await train();
    const [before] = await kept();
    await demo.page.evaluate(() => {
      Object.defineProperty(document, "hidden", { value: true, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    });
    await expect.poll(async () => (await kept())[0]?.milliseconds).toBeGreaterThan(before?.milliseconds ?? 0);
    await demo.close();
  });

  test("with a cartridge of the person's own comes back with it", async () => {
    await demo.dropFile(brief(60));
    await demo.at("definition-use").click();
    await expect.poll(() => demo.text("game-title")).toBe("Brief");
    await train();
    await reload();
    expect(await demo.text("game-title")).toBe("WALLOP");
    await goOn().click();
    await expect.poll(() => demo.text("game-title")).toBe("Brief");
    await expect.poll(() => demo.text("policy-name")).toMatch(/^policy #/);
    await demo.close();
  });
});

describe("a kept run is forgotten", () => {
  test("by its button", async () => {
    await train();
    await reload();
    await demo.page.getByRole("button", { name: "Forget it" }).click();
    await expect.poll(() => kept()).toEqual([]);
    await expect.poll(() => demo.text("announcement")).toBe("The run is forgotten");
    await reload();
    expect(await demo.at("message").isHidden()).toBe(true);
    await demo.close();
  });

  test("with everything else, while it trains", async () => {
    await train();
    await demo.at("game-button").click();
    await demo.at("forget").click();
    await expect.poll(() => demo.text("announcement")).toBe("Everything is forgotten");
    expect(await demo.page.evaluate(async () => (await indexedDB.databases()).length)).toBe(0);
    // It trains on, and is not kept again.
    await demo.page.keyboard.press("Escape");
    await demo.at("train").click();
    await expect.poll(() => demo.text("train")).toBe("Go on training");
    expect(await kept()).toEqual([]);
    await demo.close();
  });

  test("when it ends by another setup", async () => {
    await train();
    await demo.at("setup-button").click();
    await demo.at("seed").fill("4");
    await demo.at("apply").click();
    await expect.poll(() => kept()).toEqual([]);
    await demo.close();
  });
});

describe("two tabs", () => {
  test("keep a run each, and a run is offered when its tab has ended", async () => {
    await train();
    const second = await Demo.visit(context, options);
    expect(await second.at("message").isHidden()).toBe(true);
    await train(second);
    expect((await kept(second)).length).toBe(2);
    await demo.closePage();
    demo = await Demo.visit(context, options);
    await goOn().waitFor();
    // A new one leaves it as it is.
    await train();
    expect(await demo.at("message").isHidden()).toBe(true);
    expect((await kept()).length).toBe(3);
    await second.closePage();
    await demo.close();
  });

  test("do not go on with one run", async () => {
    await train();
    await reload();
    const second = await Demo.visit(context, options);
    await goOn(second).waitFor();
    await goOn().click();
    await expect.poll(() => demo.text("train")).toBe("Pause training");
    await goOn(second).click();
    await expect
      .poll(() => second.text("message-text"))
      .toBe("The run cannot go on here. Another tab has it, or it has been forgotten.");
    expect(await second.text("train")).toBe("Train your own");
    await second.closePage();
    await demo.close();
  });
});

describe("a kept run that is damaged is refused, and can be forgotten:", () => {
  for (const part of ["checkpoint", "cartridge"] as const) {
    test(part, async () => {
      await train();
      await pause();
      await reload();
      await damage(part);
      await goOn().click();
      await expect
        .poll(() => demo.text("message-text"))
        .toMatch(
          /^Your run of WALLOP cannot go on\. What this browser kept of it is damaged, or is of a later version/,
        );
      // The game goes on by the policy from before, and no run is shown.
      await demo.goesOn();
      expect(await demo.text("train")).toBe("Train your own");
      expect(await frames()).toBe(0);
      expect((await kept()).length).toBe(1);
      await reload();
      await goOn().click();
      await demo.page.getByRole("button", { name: "Forget it" }).click();
      await expect.poll(() => kept()).toEqual([]);
      expect(await demo.at("message").isHidden()).toBe(true);
      // Another run can be trained and kept.
      await train();
      await demo.close();
    });
  }
});

describe("storage that takes no run is said, and harmless", () => {
  const ways = {
    full: () => {
      IDBObjectStore.prototype.put = () => {
        throw new DOMException("The disk is full", "QuotaExceededError");
      };
    },
    blocked: () => {
      IDBFactory.prototype.open = () => {
        throw new DOMException("The person forbids it", "SecurityError");
      };
    },
  };
  for (const [name, script] of Object.entries(ways)) {
    test(name, async () => {
      await context.addInitScript(script);
      await demo.closePage();
      demo = await Demo.visit(context, options);
      await demo.at("train").click();
      await expect
        .poll(() => demo.text("message-text"))
        .toMatch(/^The browser cannot keep this run\. The .*\. The training goes on, and ends with this tab\./);
      const before = await frames();
      await demo.until(async () => (await frames()) > before);
      await demo.close();
    });
  }
});
