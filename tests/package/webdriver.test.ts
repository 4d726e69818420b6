/** The services of browsers end with their tests. */

import { expect, test } from "vitest";
import { HANG_MS } from "../limits.js";
import { startGroup } from "./webdriver.js";

const { env } = process;

test("a service is ended, whether it runs, has ended or could not be started", async () => {
  const running = startGroup("sleep", ["1000"], { env });
  expect(running.ended()).toBe(false);
  await running.stop();
  expect(running.ended()).toBe(true);
  for (const program of ["true", "/no/such/program"]) {
    const group = startGroup(program, [], { env });
    await expect.poll(group.ended, { timeout: HANG_MS }).toBe(true);
    await group.stop();
    await group.stop();
  }
});
