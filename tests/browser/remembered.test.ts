/** What the browser remembers: nothing unless it is wanted, and nothing after Forget. */

import { beforeEach, describe, expect, test } from "vitest";
import type { Demo } from "./support/demo.js";
import { withDemo } from "./support/each.js";
import { realRom } from "./support/roms.js";

let demo: Demo;
withDemo(
  (opened) => {
    demo = opened;
  },
  { viewport: { width: 1280, height: 720 } },
);

function databases(): Promise<readonly (string | undefined)[]> {
  return demo.page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name));
}

/** Checks a box or presses a button of the menu, which is closed then. */
async function inMenu(id: string): Promise<void> {
  await demo.at("game-button").click();
  await demo.at(id).click();
  await demo.page.keyboard.press("Escape");
}

async function visitAgain(): Promise<void> {
  await demo.page.reload();
  await demo.until(async () => (await demo.number("decisions")) > 0);
}

/** Preset, seed and mode of the setup. */
async function settings(): Promise<string[]> {
  return Promise.all(["preset", "seed", "mode"].map((id) => demo.at(id).inputValue()));
}

/** How many saved states the database has. */
function keptStates(): Promise<number> {
  return demo.page.evaluate(
    () =>
      new Promise<number>((resolve, reject) => {
        const opening = indexedDB.open("gym2600");
        opening.onerror = () => reject(opening.error);
        opening.onsuccess = () => {
          const counting = opening.result.transaction("states").objectStore("states").count();
          counting.onsuccess = () => {
            opening.result.close();
            resolve(counting.result);
          };
        };
      }),
  );
}

/** Everything in the page's database, as JSON. */
const written = () =>
  demo.page.evaluate(async () => {
    const done = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
    const database = await done(indexedDB.open("gym2600"));
    const names = [...database.objectStoreNames];
    const stores = names.map((name) => done(database.transaction(name).objectStore(name).getAll()));
    const text = JSON.stringify(await Promise.all(stores));
    database.close();
    return text;
  });

describe("the settings", () => {
  beforeEach(async () => {
    await demo.at("setup-button").click();
    await demo.at("preset").selectOption("labml");
    await demo.at("seed").fill("41");
    await demo.at("mode").selectOption("1");
    await demo.at("apply").click();
    await expect.poll(() => demo.text("announcement")).toBe("The setup is applied");
    await demo.page.keyboard.press("Escape");
  });

  test("are not remembered unless it is wanted", async () => {
    await visitAgain();
    expect(await settings()).toEqual(["learner", "1", ""]);
    expect(await demo.at("remember").isChecked()).toBe(false);
    expect(await databases()).toEqual([]);
  });

  test("come back on the second visit if it is wanted, until they are forgotten", async () => {
    await inMenu("remember");
    await expect.poll(databases).toEqual(["gym2600"]);
    await demo.at("setup-button").click();
    await demo.at("seed").fill("42");
    await demo.at("apply").click();
    await expect.poll(() => demo.at("setup-error").textContent()).toBe("");
    await expect.poll(() => demo.text("announcement")).toBe("The setup is applied");
    // The settings are written after they are applied, and leaving the page drops a write that has not begun.
    await expect.poll(written).toContain('"seed":42');
    await visitAgain();
    expect(await settings()).toEqual(["labml", "42", "1"]);
    expect(await demo.at("remember").isChecked()).toBe(true);
    await inMenu("forget");
    await expect.poll(databases).toEqual([]);
    expect(await demo.at("remember").isChecked()).toBe(false);
    await visitAgain();
    expect(await settings()).toEqual(["learner", "1", ""]);
  });

  test("of a link are not remembered in place of the person's own", async () => {
    await inMenu("remember");
    await expect.poll(databases).toEqual(["gym2600"]);
    await demo.page.evaluate(() => {
      location.hash = "#preset=envpool&seed=77";
    });
    await expect.poll(settings).toEqual(["envpool", "77", ""]);
    await demo.page.evaluate(() => history.replaceState(null, "", location.pathname));
    await visitAgain();
    expect(await settings()).toEqual(["labml", "41", "1"]);
    await inMenu("forget");
  });

  test("are forgotten when the box is unchecked", async () => {
    await inMenu("remember");
    await expect.poll(databases).toEqual(["gym2600"]);
    await inMenu("remember");
    await expect.poll(databases).toEqual([]);
    await visitAgain();
    expect(await settings()).toEqual(["learner", "1", ""]);
  });
});

describe("the manner of watching", () => {
  async function manner(): Promise<unknown[]> {
    const chosen = (name: string) => demo.page.locator(`input[name="${name}"]:checked`).getAttribute("value");
    return [
      await chosen("player"),
      await chosen("speed"),
      await demo.at("saliency").isChecked(),
      await demo.at("volume").inputValue(),
      await demo.at("skill").inputValue(),
    ];
  }

  async function change(): Promise<void> {
    await demo.choose("player", "random");
    await demo.choose("speed", "slow");
    await demo.at("saliency").check({ force: true });
    await demo.at("sound").click();
    await demo.at("volume").fill("25");
    await demo.at("skill").fill("0");
  }

  test("comes back on the second visit if it is wanted, until it is forgotten", async () => {
    await inMenu("remember");
    await change();
    await expect.poll(written).toContain('"policy":0');
    await visitAgain();
    expect(await manner()).toEqual(["random", "slow", true, "25", "0"]);
    await expect.poll(() => demo.page.evaluate(() => window.shown.latest?.player)).toBe("random");
    expect(await demo.text("watched")).toBe("no policy to map");
    await inMenu("forget");
    await expect.poll(databases).toEqual([]);
    await visitAgain();
    expect(await manner()).toEqual(["agent", "real-time", false, "60", "2"]);
  });

  test("is that of the page without it", async () => {
    await change();
    await visitAgain();
    expect(await manner()).toEqual(["agent", "real-time", false, "60", "2"]);
  });
});

describe("a saved state", () => {
  test("is there on the second visit, and not after Forget", async () => {
    await inMenu("remember");
    await expect.poll(databases).toEqual(["gym2600"]);
    await inMenu("save-state");
    await expect.poll(() => demo.text("announcement")).toBe("The state is saved");
    await visitAgain();
    await expect.poll(() => demo.at("load-state").isDisabled()).toBe(false);
    await inMenu("forget");
    await expect.poll(() => demo.text("announcement")).toBe("Everything is forgotten");
    expect(await demo.at("load-state").isDisabled()).toBe(true);
  });

  test("that is on its way when all is forgotten stays forgotten, though the browser remembers again", async () => {
    await inMenu("remember");
    await expect.poll(databases).toEqual(["gym2600"]);
    await demo.page.evaluate(() => {
      for (const id of ["save-state", "forget", "remember"]) document.getElementById(id)?.click();
    });
    await expect.poll(databases).toEqual(["gym2600"]);
    await demo.goesOn();
    expect(await demo.at("remember").isChecked()).toBe(true);
    expect(await demo.at("load-state").isDisabled()).toBe(true);
    expect(await keptStates()).toBe(0);
  });
});

test("what is read while the page starts does not come back after Forget", async () => {
  await demo.chooseFile(realRom("breakout"));
  await expect.poll(() => demo.text("game-title")).toBe("Breakout");
  await inMenu("remember");
  await expect.poll(() => demo.page.locator("#remembered button").count()).toBe(1);
  // Forget is pressed while the page asks whether there is a database.
  await demo.page.addInitScript(() => {
    const ask = indexedDB.databases.bind(indexedDB);
    indexedDB.databases = async () => {
      const found = await ask();
      indexedDB.databases = ask;
      document.getElementById("forget")?.click();
      return found;
    };
  });
  await visitAgain();
  await expect.poll(databases).toEqual([]);
  await demo.goesOn();
  expect(await databases()).toEqual([]);
  expect(await demo.at("remember").isChecked()).toBe(false);
  expect(await demo.page.locator("#remembered button").count()).toBe(0);
  expect(await demo.text("game-title")).toBe("WALLOP");
});
