/** Starts the page: mounts its components and opens the first game. */

import "./trusted-types.js";
import { begin, followLinks, openDescribed } from "./app/cartridges.js";
import { mountCountdown } from "./app/countdown.js";
import { playShipped } from "./app/game.js";
import { offerRun } from "./app/kept-run.js";
import { guardRun, warnOfNothingToLearn, watchLane } from "./app/run.js";
import { mountDrag } from "./input/drag.js";
import { mountGamepad } from "./input/gamepad.js";
import { mountHeld } from "./input/held.js";
import { mountKeyboard } from "./input/keyboard.js";
import { mountPad } from "./input/pad.js";
import { textOf } from "./text.js";
import { mountControls } from "./ui/controls.js";
import { mountData } from "./ui/data.js";
import { mountDefinition } from "./ui/definition-form.js";
import { element, setText } from "./ui/dom.js";
import { mountDrawers } from "./ui/drawers.js";
import { mountFindOpener } from "./ui/find-opener.js";
import { mountLanes } from "./ui/lanes.js";
import { mountMessages } from "./ui/messages.js";
import { mountMind } from "./ui/mind.js";
import { mountPicture } from "./ui/picture.js";
import { mountPlay } from "./ui/play.js";
import { mountRemembered } from "./ui/remembered.js";
import { mountSetup } from "./ui/setup-form.js";
import { mountShare, openCode, openShare } from "./ui/share.js";
import { mountSound } from "./ui/sound.js";
import { mountStory } from "./ui/story.js";
import { mountStrip } from "./ui/strip.js";
import { mountSwitches } from "./ui/switches.js";
import { mountTabs } from "./ui/tabs.js";
import { mountTopBar } from "./ui/top-bar.js";

mountTopBar();
mountSwitches();
mountStory();
mountMessages();
mountPicture();
mountPlay();
mountCountdown();
mountMind();
// The chart with its library, and Explain, are loaded apart, so that the game starts without them.
const without = (id: string, what: string) => (error: unknown) =>
  setText(element(id, HTMLElement), `${what}: ${textOf(error)}`);
import("./ui/curve-chart.js")
  .then(({ mountCurve }) => mountCurve(playShipped))
  .catch(without("chart-empty", "The curve cannot be drawn"));
import("./ui/explain.js")
  .then(({ mountExplain }) => mountExplain())
  .catch(without("explain-text", "The steps cannot be shown"));
mountControls();
mountLanes(watchLane);
mountStrip();
mountTabs();
mountSetup();
mountDefinition(openDescribed);
mountData();
mountShare();
// Only a build has the documents beside the page.
element("documents", HTMLElement).hidden = import.meta.env.DEV;
mountFindOpener();
mountDrawers({ share: openShare, code: openCode, docs: () => undefined });
mountKeyboard();
mountHeld();
mountPad();
mountDrag();
mountGamepad();
mountSound();
followLinks();
guardRun();
warnOfNothingToLearn();
await begin(await mountRemembered());
await offerRun();

// The page's files are kept for a visit without a network, when there is nothing else to load.
if (import.meta.env.PROD) {
  await new Promise((resolve) => setTimeout(resolve, 2000));
  await import("./app/new-version.js").then(({ keepFiles }) => keepFiles()).catch(() => undefined);
}
