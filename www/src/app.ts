/** The page as a whole: what it plays, and what of it is shown where. */

import {
  GameWorker,
  Gym2600Error,
  type Observation,
  type Picture,
  type RomSource,
  type WorkerStepResult,
  wallop,
} from "gym2600";
import { randomAgent } from "./agent.js";
import { EpisodeChart } from "./chart.js";
import { Controls, type Player } from "./controls.js";
import { element, setText } from "./dom.js";
import { EpisodeLog } from "./episode-log.js";
import { EpisodeTable, formatReward } from "./episode-table.js";
import { FrameStackView } from "./frame-stack.js";
import { Joystick } from "./joystick.js";
import { Messages } from "./messages.js";
import { PictureView } from "./picture.js";
import { showPipeline } from "./pipeline.js";
import { Rate } from "./rate.js";
import { listenForRoms } from "./rom-drop.js";
import { Runner } from "./runner.js";
import { listenForShortcuts } from "./shortcuts.js";

/** The largest cartridges ever made hold half of this. Anything above is not even read. */
const LARGEST_FILE = 1024 * 1024;

const RATE_EVERY_MS = 250;

export class App {
  readonly #television = element("television", HTMLElement);
  readonly #messages = new Messages();
  readonly #picture = new PictureView(element("screen", HTMLCanvasElement), this.#television);
  readonly #frames = new FrameStackView([0, 1, 2, 3].map((number) => element(`frame-${number}`, HTMLCanvasElement)));
  readonly #chart = new EpisodeChart(element("chart", HTMLElement));
  readonly #table = new EpisodeTable();
  readonly #joystick = new Joystick(this.#television);
  readonly #log = new EpisodeLog();
  readonly #rate = new Rate();
  readonly #runner: Runner;
  readonly #controls: Controls;

  readonly #score = element("score", HTMLElement);
  readonly #lives = element("lives", HTMLElement);
  readonly #action = element("action", HTMLElement);
  readonly #steps = element("steps", HTMLElement);
  readonly #perSecond = element("rate", HTMLElement);
  readonly #episodes = element("episodes", HTMLElement);

  #rom: RomSource = wallop;
  /** Counts what was asked to be played: of two quick wishes the later one wins. */
  #wish = 0;
  #stepCount = 0;
  #livesLeft = 0;
  #lastAction = "–";
  #rateAt = 0;

  constructor() {
    this.#runner = new Runner(randomAgent, {
      stepped: (action, result) => this.#stepped(action, result),
      restarted: (result) => {
        this.#log.abandon();
        this.#livesLeft = result.info.lives;
        this.#lastAction = "–";
      },
      draw: (observation, picture) => this.#draw(observation, picture),
      runningChanged: (running) => {
        this.#controls.running(running);
        this.#messages.announce(running ? "Running" : "Paused");
      },
      failed: (error) => {
        this.#controls.ready(false);
        this.#messages.error("The game stopped.", `${messageOf(error)}\nReset starts it again.`);
      },
    });
    this.#controls = new Controls({
      startOrPause: () => this.#startOrPause(),
      step: () => this.#step(),
      reset: () => this.#reset(),
      speed: (speed) => {
        this.#runner.speed = speed;
      },
      player: (player) => this.#choosePlayer(player),
      preset: () => void this.#load(this.#rom),
    });
    listenForRoms((file) => void this.#loadFile(file));
    element("rom-wallop", HTMLButtonElement).addEventListener("click", () => void this.#load(wallop));
    this.#controls.onPlayerClicked(() => this.#focusIfPlaying());
    const letters = element("shortcuts", HTMLInputElement);
    listenForShortcuts(
      {
        p: () => this.#startOrPause(),
        n: () => this.#step(),
        r: () => this.#reset(),
        k: () => this.#changePlayer(),
      },
      () => letters.checked,
    );
  }

  /** Plays the game that comes with the package, at once. */
  async start(): Promise<void> {
    await this.#load(wallop);
    this.#runner.start();
  }

  async #loadFile(file: File): Promise<void> {
    if (file.size > LARGEST_FILE) {
      this.#refused(
        file.name,
        `It has ${file.size.toLocaleString("en")} bytes, and no Atari 2600 cartridge is that large.`,
      );
      return;
    }
    await this.#load(file, file.name);
    if (!this.#runner.running && this.#rom === file) this.#runner.start();
  }

  /** Plays `rom` from the start. If that cannot be done, what is playing goes on. */
  async #load(rom: RomSource, fileName?: string): Promise<void> {
    this.#wish += 1;
    const wish = this.#wish;
    const preset = this.#controls.preset;
    try {
      const game = await GameWorker.create({ rom, preset, seed: 0 });
      if (wish !== this.#wish) {
        await game.close();
        return;
      }
      this.#rom = rom;
      this.#begin(game);
      await this.#runner.play(game);
    } catch (error) {
      if (wish !== this.#wish) return;
      this.#refused(
        fileName ?? `${this.#runner.game?.description.title ?? "The game"} with ${preset}`,
        messageOf(error),
      );
      this.#controls.preset = this.#runner.game?.description.spec.preset ?? preset;
    }
  }

  #begin({ description }: GameWorker): void {
    this.#frames.use(description);
    this.#log.clear();
    this.#rate.clear();
    this.#stepCount = 0;
    this.#controls.ready(true);
    this.#messages.clear();
    this.#messages.announce(`Playing ${description.title}`);
    setText(element("rom-name", HTMLElement), description.title);
    setText(
      element("observation-shape", HTMLElement),
      `${description.observation.shape.join(" × ")} ${description.observation.dtype}`,
    );
    showPipeline(description.spec);
    document.body.dataset.preset = description.spec.preset ?? "";
    element("loading", HTMLElement).hidden = true;
    document.title = `${description.title} · gym2600`;
  }

  #refused(name: string, reason: string): void {
    const playing = this.#runner.game?.description.title;
    const goesOn = playing === undefined ? "" : `\n${playing} goes on.`;
    const unpack = /\.(zip|7z|gz)$/i.test(name) ? "\nThis looks like an archive: unpack it first." : "";
    this.#messages.error(`${name} cannot be played.`, `${reason}${unpack}${goesOn}`);
    if (playing !== undefined) return;
    setText(element("loading", HTMLElement), "No game is running.");
    setText(element("rom-name", HTMLElement), "none");
  }

  #startOrPause(): void {
    if (this.#runner.running) this.#runner.pause();
    else this.#runner.start();
  }

  #step(): void {
    if (this.#runner.running) this.#runner.pause();
    else this.#runner.stepOnce();
  }

  #reset(): void {
    if (this.#runner.game === undefined) void this.#load(this.#rom);
    else void this.#runner.reset();
  }

  #changePlayer(): void {
    this.#controls.choosePlayer(this.#controls.player === "keyboard" ? "random" : "keyboard");
    this.#focusIfPlaying();
  }

  /** The keys play where the picture is. Somebody choosing with the arrow keys is not torn away from the choice, though. */
  #focusIfPlaying(): void {
    if (this.#controls.player === "keyboard") this.#television.focus({ preventScroll: true });
  }

  #choosePlayer(player: Player): void {
    const person = player === "keyboard";
    document.body.dataset.player = player;
    this.#joystick.enabled = person;
    this.#runner.agent = person ? this.#joystick : randomAgent;
    this.#messages.announce(
      person ? "You play: arrow keys and space, with the focus on the picture" : "The random agent plays",
    );
  }

  #stepped(action: number, result: WorkerStepResult): void {
    this.#stepCount += 1;
    this.#livesLeft = result.info.lives;
    this.#lastAction = this.#runner.game?.description.actions[action] ?? "–";
    this.#log.add(result);
  }

  #draw(observation: Observation | undefined, picture: Picture | undefined): void {
    const now = performance.now();
    if (observation !== undefined) this.#frames.draw(observation);
    if (picture !== undefined) this.#picture.draw(picture);
    setText(this.#score, formatReward(this.#log.reward));
    setText(this.#lives, String(this.#livesLeft));
    setText(this.#action, this.#lastAction);
    setText(this.#steps, this.#stepCount.toLocaleString("en"));
    setText(this.#episodes, this.#log.count.toLocaleString("en"));
    this.#table.draw(this.#log);
    this.#chart.draw(this.#log, now);
    if (now - this.#rateAt < RATE_EVERY_MS) return;
    this.#rateAt = now;
    const rate = this.#rate.measure(now, this.#stepCount);
    setText(this.#perSecond, this.#runner.running ? Math.round(rate).toLocaleString("en") : "0");
  }
}

/** What went wrong and, where a person at this page can do something about it, what. */
function messageOf(error: unknown): string {
  const text = asSentence(error instanceof Error ? error.message : String(error));
  if (!(error instanceof Gym2600Error) || error.code !== "unknown-rom") return text;
  return `${text}\nOf each game only the dumps that the Arcade Learning Environment supports can be played here: try another dump.`;
}

function asSentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;
}
