/** Browsers and their drivers. */

import { Browser, Builder, type WebDriver } from "selenium-webdriver";
import { ServiceBuilder as ChromeDriver, Options as ChromeOptions } from "selenium-webdriver/chrome.js";
import { Options as FirefoxOptions, ServiceBuilder as GeckoDriver } from "selenium-webdriver/firefox.js";
import { HANG_MS } from "../limits.js";
import { CHROMIUM_ARGUMENTS } from "./chromium.js";

/** Starts a headless browser: that of CHROME or FIREFOX, or Debian's, with the driver of CHROMEDRIVER or GECKODRIVER. */
export async function start(name: "Chromium" | "Firefox"): Promise<WebDriver> {
  const { CHROME, CHROMEDRIVER, FIREFOX, GECKODRIVER } = process.env;
  const builder = new Builder();
  if (name === "Chromium") {
    const options = new ChromeOptions();
    options.addArguments(...CHROMIUM_ARGUMENTS);
    options.setBinaryPath(CHROME ?? "/usr/bin/chromium");
    builder.forBrowser(Browser.CHROME).setChromeOptions(options);
    builder.setChromeService(new ChromeDriver(CHROMEDRIVER ?? "/usr/bin/chromedriver"));
  } else {
    const options = new FirefoxOptions();
    options.addArguments("--headless");
    // Record the messages of the console.
    options.enableBidi();
    options.setBinary(FIREFOX ?? "/usr/bin/firefox-esr");
    builder.forBrowser(Browser.FIREFOX).setFirefoxOptions(options);
    builder.setFirefoxService(new GeckoDriver(GECKODRIVER ?? "/usr/bin/geckodriver"));
  }
  const driver = await builder.build();
  await driver.manage().setTimeouts({ script: HANG_MS });
  return driver;
}
