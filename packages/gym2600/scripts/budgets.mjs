// The budgets of budgets.json: alarms for bytes that nobody intended. CONTRIBUTING.md says what each is for.

import { readFileSync } from "node:fs";

const FILE = "packages/gym2600/budgets.json";
const budgets = JSON.parse(readFileSync(new URL("../budgets.json", import.meta.url), "utf8"));

/** Whether a part of the download is within its budget, with both figures, and with what to do if it is not. */
export function judge(name, gzipBytes) {
  const budget = budgets[name].gzipBytes;
  const isWithin = gzipBytes <= budget;
  const figures = `${name}: ${gzipBytes} bytes gzip, ${isWithin ? "within" : "ABOVE"} the budget of ${budget}`;
  const remedy = `if they are meant, raise the line "${name}" of ${FILE} to a tenth above, with the reason as its "why"`;
  return { isWithin, message: isWithin ? figures : `${figures}; ${remedy} (CONTRIBUTING.md, Sizes)` };
}
