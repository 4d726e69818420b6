/** A run of card-page.js in a worker. */

import { notedChange } from "/tests/package/card-page.js";

addEventListener("message", ({ data: [options, end] }) => {
  notedChange(options, end).then(postMessage, (error) => {
    setTimeout(() => {
      throw error;
    });
  });
});
