/** Starts the page: mounts its components and opens the first game. */

import "./trusted-types.js";
import { begin, followLinks, openDescribed } from "./app/cartridges.js";
import { watchLane } from "./app/run.js";
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
import { mountExplain } from "./ui/explain.js";
import { mountLanes } from "./ui/lanes.js";
import { mountMessages } from "./ui/messages.js";
import { mountMind } from "./ui/mind.js";
import { mountPicture } from "./ui/picture.js";
import { mountRemembered } from "./ui/remembered.js";
import { mountSetup } from "./ui/setup-form.js";
import { mountShare, openCode, openShare } from "./ui/share.js";
import { mountSound } from "./ui/sound.js";
import { mountStory } from "./ui/story.js";
import { mountStrip } from "./ui/strip.js";
import { mountTabs } from "./ui/tabs.js";
import { mountTopBar } from "./ui/top-bar.js";

mountTopBar();
mountStory();
mountMessages();
mountPicture();
mountMind();
// The chart and its library are loaded apart, so that the game starts without them.
import("./ui/curve-chart.js")
  .then(({ mountCurve }) => mountCurve())
  .catch((error) => setText(element("chart-empty", HTMLElement), `The curve cannot be drawn: ${textOf(error)}`));
mountControls();
mountLanes(watchLane);
mountStrip();
mountTabs();
mountSetup();
mountDefinition(openDescribed);
mountData();
mountExplain();
mountShare();
// Only a build has the documents beside the page.
element("documents", HTMLElement).hidden = import.meta.env.DEV;
mountDrawers({ share: openShare, code: openCode, docs: () => undefined });
mountKeyboard();
mountHeld();
mountPad();
mountDrag();
mountGamepad();
mountSound();
followLinks();
await begin(await mountRemembered());

// The page's files are kept for a visit without a network, when there is nothing else to load.
if (import.meta.env.PROD) {
  await new Promise((resolve) => setTimeout(resolve, 2000));
  await navigator.serviceWorker?.register(new URL("./service-worker.js", document.baseURI)).catch(() => undefined);
}
