/** The competitor: the npm package in Node. */

import * as gym2600 from "gym2600";
import * as learn from "gym2600/learn";
import { answerLines } from "./lines.js";
import { packageMeasurer } from "./measures.js";

await answerLines(packageMeasurer(gym2600, learn));
process.exit();
