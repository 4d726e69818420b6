/** The run of card-page.js in a worker. */

import { run } from "/tests/package/card-page.js";

addEventListener("message", ({ data: [options, count] }) => {
  run(options, count).then(postMessage, (error) => {
    setTimeout(() => {
      throw error;
    });
  });
});
