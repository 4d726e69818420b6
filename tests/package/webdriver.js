/** Browsers and their drivers. */

import { spawn } from "node:child_process";
import { createServer } from "node:net";
import { Browser, Builder, Capabilities } from "selenium-webdriver";
import { ServiceBuilder as ChromeDriver, Options as ChromeOptions } from "selenium-webdriver/chrome.js";
import { Options as FirefoxOptions, ServiceBuilder as GeckoDriver } from "selenium-webdriver/firefox.js";
import { HANG_MS } from "../limits.js";
import { CHROMIUM_ARGUMENTS } from "./chromium.js";

/**
 * On a virtual Intel Xeon Firefox runs WebAssembly with AVX at a tenth of its speed without it (docs/bundlers.md). "Firefox without AVX"
 * is for tests of what a page does around the module. "Firefox" is what users have, and tests what the module computes. In "Chromium with
 * WebGPU" SwiftShader stands for a graphics card.
 *
 * @typedef {"Chromium" | "Chromium with WebGPU" | "Firefox" | "Firefox without AVX" | "WebKit"} Engine
 */

/** A name of this machine to which browsers do not grant the rights of secure pages. */
export const INSECURE_HOST = "insecure.test";

/**
 * Starts a headless browser: that of CHROME, FIREFOX or WEBKIT_BROWSER, or Debian's, with the driver of CHROMEDRIVER, GECKODRIVER or
 * WEBKIT_DRIVER.
 *
 * @param {Engine} name
 * @returns {Promise<import("selenium-webdriver").WebDriver>}
 */
export async function start(name) {
  const driver = await START[name]();
  await driver.manage().setTimeouts({ script: HANG_MS });
  return driver;
}

/** @type {Readonly<Record<Engine, () => Promise<import("selenium-webdriver").WebDriver>>>} */
const START = {
  Chromium: () => chromium([]),
  "Chromium with WebGPU": () =>
    chromium(["--enable-unsafe-webgpu", "--enable-unsafe-swiftshader", "--use-webgpu-adapter=swiftshader"]),
  Firefox: () => firefox({}),
  "Firefox without AVX": () => firefox({ "javascript.options.wasm_simd_avx": false }),
  WebKit,
};

/** @param {readonly string[]} more further arguments */
async function chromium(more) {
  const { CHROME, CHROMEDRIVER } = process.env;
  const options = new ChromeOptions();
  options.addArguments(...CHROMIUM_ARGUMENTS, ...more, `--host-resolver-rules=MAP ${INSECURE_HOST} 127.0.0.1`);
  options.setBinaryPath(CHROME ?? "/usr/bin/chromium");
  const service = new ChromeDriver(CHROMEDRIVER ?? "/usr/bin/chromedriver");
  return new Builder().forBrowser(Browser.CHROME).setChromeOptions(options).setChromeService(service).build();
}

/** @param {Readonly<Record<string, boolean>>} preferences */
async function firefox(preferences) {
  const { FIREFOX, GECKODRIVER } = process.env;
  const options = new FirefoxOptions();
  options.addArguments("--headless");
  options.setPreference("network.dns.localDomains", INSECURE_HOST);
  for (const [name, value] of Object.entries(preferences)) options.setPreference(name, value);
  // Record the messages of the console.
  options.enableBidi();
  options.setBinary(FIREFOX ?? "/usr/bin/firefox-esr");
  const service = new GeckoDriver(GECKODRIVER ?? "/usr/bin/geckodriver");
  return new Builder().forBrowser(Browser.FIREFOX).setFirefoxOptions(options).setFirefoxService(service).build();
}

/** Where Debian has it. */
const MINI_BROWSER = `/usr/lib/${process.arch === "arm64" ? "aarch64" : "x86_64"}-linux-gnu/webkit2gtk-4.1/MiniBrowser`;

/** MiniBrowser has no headless mode, so it runs on a display in memory. Its sandbox needs rights that containers lack. */
async function WebKit() {
  const { WEBKIT_DRIVER, WEBKIT_BROWSER } = process.env;
  const driver = WEBKIT_DRIVER ?? "/usr/bin/WebKitWebDriver";
  const binary = WEBKIT_BROWSER ?? MINI_BROWSER;
  const port = await freePort();
  const service = startGroup("xvfb-run", ["--auto-servernum", driver, `--port=${port}`], {
    env: {
      ...process.env,
      WEBKIT_DISABLE_COMPOSITING_MODE: "1",
      WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: "1",
      LIBGL_ALWAYS_SOFTWARE: "1",
      // WebKitGTK makes the language "C" of the locale C.UTF-8, which Intl refuses, and "en-US" of C.
      LC_ALL: "C",
    },
  });
  const capabilities = new Capabilities({
    browserName: "MiniBrowser",
    "webkitgtk:browserOptions": { binary, args: ["--automation"] },
  });
  const address = `http://127.0.0.1:${port}`;
  try {
    await answering(address, service.ended);
    const browser = await new Builder().usingServer(address).withCapabilities(capabilities).build();
    const quit = browser.quit.bind(browser);
    browser.quit = () => quit().finally(service.stop);
    return browser;
  } catch (error) {
    await service.stop();
    throw error;
  }
}

/**
 * Starts a program in a process group of its own, which ends with this process at the latest.
 *
 * @param {string} program
 * @param {readonly string[]} args
 * @param {{ readonly env: NodeJS.ProcessEnv, readonly cwd?: string }} options
 * @returns {{ ended(): boolean, stop(): Promise<void> }} whether the program has ended, and what ends the group
 */
export function startGroup(program, args, options) {
  const child = spawn(program, args, { ...options, stdio: "ignore", detached: true });
  let ended = false;
  /** @type {Promise<void>} */
  const end = new Promise((resolve) => {
    const settle = () => {
      ended = true;
      resolve();
    };
    child.once("exit", settle);
    // It could not be started.
    child.once("error", settle);
  });
  const kill = (signal = "SIGTERM") => {
    if (child.pid === undefined) return;
    try {
      process.kill(-child.pid, signal);
    } catch (error) {
      // The group has ended already.
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== "ESRCH") throw error;
    }
  };
  const atExit = () => kill();
  process.once("exit", atExit);
  return {
    ended: () => ended,
    async stop() {
      process.off("exit", atExit);
      kill();
      // A server may wait for its clients.
      const timer = setTimeout(kill, HANG_MS / 30, "SIGKILL");
      await end;
      clearTimeout(timer);
    },
  };
}

/** @returns {Promise<number>} a port of this machine that nothing listens on */
export function freePort() {
  return new Promise((found) => {
    const server = createServer();
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => found(address !== null && typeof address === "object" ? address.port : 0));
    });
  });
}

/**
 * Waits until a server answers.
 *
 * @param {string} address
 * @param {() => boolean} [ended] whether the server has ended
 */
export async function answering(address, ended = () => false) {
  const end = Date.now() + HANG_MS;
  for (;;) {
    const answered = await fetch(address).then(
      (response) => response.body?.cancel().then(() => true) ?? true,
      () => false,
    );
    if (answered) return;
    if (ended()) throw new Error(`the server of ${address} has ended`);
    if (Date.now() > end) throw new Error(`${address} does not answer`);
    await new Promise((later) => setTimeout(later, 100));
  }
}
