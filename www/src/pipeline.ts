/** The wrappers between the console and the agent, as the list that they are. */

import type { Spec, WrapperOptions } from "gym2600";
import { element, setText } from "./dom.js";

/** Shows the wrappers of a game, from the console outwards. */
export function showPipeline({ wrappers }: Spec): void {
  setText(element("pipeline-title", HTMLElement), `Console → ${wrappers.length} wrappers → agent`);
  element("pipeline", HTMLOListElement).replaceChildren(...wrappers.map(itemOf));
}

function itemOf({ type, ...options }: WrapperOptions): HTMLLIElement {
  const item = document.createElement("li");
  const name = document.createElement("strong");
  name.textContent = type;
  const said = Object.entries(options).map(([option, value]) => `${option} ${String(value)}`);
  item.append(name, said.length > 0 ? ` ${said.join(", ")}` : "");
  return item;
}
