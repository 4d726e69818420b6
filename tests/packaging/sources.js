/** The files that several targets have. */

export const MAIN = `import * as gym2600 from "gym2600";
import { report } from "./play.js";

report(gym2600);
`;

export const LEARNER = `import { wallop } from "gym2600";
import * as learn from "gym2600/learn";
import { reportLearner } from "./play.js";

reportLearner(learn, wallop);
`;

/** @param {string} script */
export const page = (script) => `<!doctype html>
<title></title>
${script}
`;

export const MODULE = page(`<script type="module" src="./main.js"></script>`);

/** Files of every target. */
export const COMMON = { "main.js": MAIN, "index.html": MODULE };

/** A newer Node than the package needs, for frameworks that do. */
export const NEWER_NODE = "24.21.0";
