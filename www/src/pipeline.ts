/** The wrappers between the console and the agent, as a pipeline and as an editable list. */

import type { Spec, Wrapper, WrapperOptions } from "gym2600";
import { element, setText } from "./dom.js";

/** Shows the wrappers of a game, from the console outwards, with an editor for the list. */
export class Pipeline {
  readonly #list = element("pipeline", HTMLOListElement);
  readonly #text = element("wrappers", HTMLTextAreaElement);
  readonly #error = element("wrappers-error", HTMLElement);

  /** @param use plays with a list of the user, or rejects with the reason */
  constructor(use: (wrappers: readonly Wrapper[]) => Promise<void>) {
    element("wrappers-use", HTMLButtonElement).addEventListener("click", () => void this.#try(use));
  }

  show({ wrappers, observation }: Spec): void {
    this.#list.replaceChildren(
      itemOf("Console", [["shows", observation]], "end"),
      ...wrappers.map(({ type, ...options }) => itemOf(type, Object.entries(options), "wrapper")),
      itemOf("Agent", [], "end"),
    );
    this.#text.value = jsonOf(wrappers);
    this.#refuse("");
  }

  async #try(use: (wrappers: readonly Wrapper[]) => Promise<void>): Promise<void> {
    try {
      const wrappers: unknown = JSON.parse(this.#text.value);
      if (!Array.isArray(wrappers)) throw new Error("a list is wanted: wrappers in [ and ]");
      await use(wrappers as readonly Wrapper[]);
    } catch (error) {
      this.#refuse(error instanceof Error ? error.message : String(error));
    }
  }

  #refuse(reason: string): void {
    setText(this.#error, reason);
    this.#text.ariaInvalid = String(reason !== "");
  }
}

function itemOf(
  name: string,
  options: ReadonlyArray<readonly [string, unknown]>,
  kind: "end" | "wrapper",
): HTMLLIElement {
  const item = document.createElement("li");
  const strong = document.createElement("strong");
  strong.textContent = name;
  item.className = kind;
  item.append(
    strong,
    ...options.map(([option, value]) => {
      const line = document.createElement("span");
      line.textContent = `${option} ${String(value)}`;
      return line;
    }),
  );
  return item;
}

/** A wrapper on each line. */
function jsonOf(wrappers: readonly WrapperOptions[]): string {
  return `[\n${wrappers.map((wrapper) => `  ${JSON.stringify(wrapper).replace(/([:,])(?=["\d[{ntf])/g, "$1 ")}`).join(",\n")}\n]`;
}
