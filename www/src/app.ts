/** The page: starts games, and connects the panels that show them. */

import { type GameDefinition, Gym2600Error, wallop } from "gym2600";
import { randomAgent } from "./agent.js";
import { StatisticsChart, type Topic } from "./chart.js";
import { Controls, type Player } from "./controls.js";
import { DefinitionForm } from "./definition-form.js";
import { element, setText } from "./dom.js";
import { EpisodeLog } from "./episode-log.js";
import { csvOf, download, EpisodeTable } from "./episode-table.js";
import { FramesView } from "./frames-view.js";
import type { Games, Setup, Taken } from "./games.js";
import { Joystick } from "./joystick.js";
import { Lanes } from "./lanes.js";
import { LongRun } from "./long-run.js";
import { Messages } from "./messages.js";
import { OneGame } from "./one-game.js";
import { openGames } from "./open-games.js";
import { PictureView } from "./picture.js";
import { Pipeline } from "./pipeline.js";
import { resetTakesStep } from "./presets.js";
import { listenForRoms } from "./rom-drop.js";
import { Runner } from "./runner.js";
import { Scoreboard } from "./scoreboard.js";
import { listenForShortcuts } from "./shortcuts.js";
import { Sound } from "./sound.js";
import { BatchStatistics } from "./statistics.js";

/** The largest cartridges ever made hold half of this. Anything above is not even read. */
const LARGEST_FILE = 1024 * 1024;

export class App {
  readonly #television = element("television", HTMLElement);
  readonly #messages = new Messages();
  readonly #picture = new PictureView(element("screen", HTMLCanvasElement), this.#television);
  readonly #frames = new FramesView();
  readonly #chart = new StatisticsChart(element("chart", HTMLElement));
  readonly #table = new EpisodeTable();
  readonly #scoreboard = new Scoreboard();
  readonly #joystick = new Joystick(this.#television);
  readonly #log = new EpisodeLog();
  readonly #statistics = new BatchStatistics();
  readonly #sound = new Sound();
  /** Asked again when samples come: those of steps that were under way may come when the game is paused already. */
  readonly #hear = (samples: Uint8Array): void => {
    if (this.#audible) this.#sound.play(samples);
  };
  readonly #runner: Runner;
  readonly #controls: Controls;
  readonly #longRun: LongRun;
  readonly #lanes: Lanes;
  readonly #pipeline: Pipeline;
  readonly #definition: DefinitionForm;

  /** What is played, or was until it failed. */
  #setup: Setup = { rom: wallop, definition: undefined, stack: "labml", numEnvs: 1, workers: 1 };
  /** The user's file that the catalogue does not know, until there is a definition for it. */
  #unknown: File | undefined;
  /** Counts requests to play. A request is dropped when a later one has been made. */
  #wish = 0;

  constructor() {
    this.#runner = new Runner({
      stepped: (taken) => this.#stepped(taken),
      restarted: (started) => {
        this.#log.abandon(started);
        this.#statistics.abandon();
      },
      draw: () => this.#draw(),
      runningChanged: (running) => {
        this.#controls.running(running);
        this.#messages.announce(running ? "Running" : "Paused");
      },
      died: (lanes) => {
        const names = lanes.join(", ");
        const those = lanes.length === 1 ? `lane ${names}` : `lanes ${names}`;
        const others = this.#runner.running ? "The others go on. " : "";
        this.#messages.error(`The worker of ${those} died.`, `${others}Revive brings back what it played.`);
      },
      arrived: (goal) => {
        this.#longRun.ended(goal, goal.count);
        this.#messages.announce(`The run of ${goal.count} ${goal.unit} is done`);
      },
      failed: (error) => {
        this.#ready(false);
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
      sound: (on) => void this.#turnSound(on),
      preset: (stack) => void this.#change({ stack }),
      spread: (numEnvs, workers) => void this.#change({ numEnvs, workers }),
    });
    this.#longRun = new LongRun({
      run: (goal) => this.#runner.run(goal),
      stop: () => {
        const { goal } = this.#runner;
        this.#runner.stopRun();
        if (goal !== undefined) this.#longRun.ended(goal, goal.done);
      },
    });
    this.#lanes = new Lanes({
      watch: (lane) => this.#watch(lane),
      revive: (lane) => void this.#revive(lane),
    });
    this.#pipeline = new Pipeline((stack) => this.#load({ ...this.#setup, stack }));
    this.#definition = new DefinitionForm((definition) => this.#define(definition));
    this.#listen();
  }

  /** Plays the game that comes with the package, at once. */
  async start(): Promise<void> {
    await this.#change({});
    this.#runner.start();
  }

  #listen(): void {
    listenForRoms((file) => void this.#loadFile(file));
    element("rom-wallop", HTMLButtonElement).addEventListener("click", () => {
      void this.#change({ rom: wallop, definition: undefined });
    });
    this.#controls.onPlayerClicked(() => this.#focusIfPlaying());
    element("csv", HTMLButtonElement).addEventListener("click", () => {
      download(`${this.#runner.games?.description.rom ?? "gym2600"}-episodes.csv`, csvOf(this.#log));
    });
    const topic = element("topic", HTMLSelectElement);
    topic.addEventListener("change", () => {
      this.#chart.topic = topic.value as Topic;
    });
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

  async #loadFile(file: File): Promise<void> {
    if (/\.toml$/i.test(file.name)) {
      await this.#definition.read(file);
      return;
    }
    if (file.size > LARGEST_FILE) {
      this.#refused(
        file.name,
        `It has ${file.size.toLocaleString("en")} bytes, and no Atari 2600 cartridge is that large.`,
      );
      return;
    }
    try {
      await this.#load({ ...this.#setup, rom: file, definition: undefined });
      this.#runner.start();
    } catch (error) {
      if (error instanceof Gym2600Error && error.code === "unknown-rom") {
        this.#unknown = file;
        this.#definition.offer();
      }
      this.#refused(file.name, messageOf(error));
    }
  }

  /** Plays the user's unknown file, or the cartridge that is there, by a definition. */
  async #define(definition: GameDefinition): Promise<void> {
    await this.#load({ ...this.#setup, rom: this.#unknown ?? this.#setup.rom, definition });
    this.#runner.start();
  }

  /** Changes the setup, or says above the page why not. */
  async #change(change: Partial<Setup>): Promise<void> {
    try {
      await this.#load({ ...this.#setup, ...change });
    } catch (error) {
      const { stack = this.#setup.stack } = change;
      const title = this.#runner.games?.description.title ?? "The game";
      this.#refused(typeof stack === "string" ? `${title} with ${stack}` : title, messageOf(error));
    }
  }

  /** Plays from the start as `setup` says. If that cannot be done, what is playing goes on, and this rejects. */
  async #load(setup: Setup): Promise<void> {
    this.#wish += 1;
    const wish = this.#wish;
    try {
      const games = await openGames(setup, this.#controls.sound);
      if (wish !== this.#wish) {
        games.close();
        return;
      }
      this.#setup = setup;
      this.#unknown = undefined;
      this.#begin(games);
      await this.#runner.play(games);
    } catch (error) {
      if (wish !== this.#wish) return;
      this.#controls.show(this.#setup);
      throw error;
    }
  }

  #begin(games: Games): void {
    const { description, numEnvs } = games;
    this.#frames.use(description);
    this.#log.begin(numEnvs, resetTakesStep(description));
    this.#statistics.begin(numEnvs);
    this.#table.clear();
    this.#scoreboard.clear();
    this.#longRun.clear();
    this.#controls.show(this.#setup);
    this.#runner.watched = 0;
    this.#lanes.begin(games, this.#setup.workers);
    this.#pipeline.show(description.spec);
    this.#ready(true);
    this.#messages.clear();
    this.#messages.announce(`Playing ${description.title}`);
    if (numEnvs > 1) this.#controls.sound = false;
    if (this.#controls.sound) this.#sound.open(description);
    else this.#sound.close();
    setText(element("rom-name", HTMLElement), description.title);
    element("loading", HTMLElement).hidden = true;
    document.title = `${description.title} · gym2600`;
  }

  #ready(ready: boolean): void {
    this.#controls.ready(ready);
    this.#longRun.ready(ready);
  }

  #refused(name: string, reason: string): void {
    const playing = this.#runner.games?.description.title;
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
    const { games } = this.#runner;
    if (games === undefined || games.deadLanes.length === games.numEnvs) void this.#change({});
    else void this.#runner.reset();
  }

  #watch(lane: number): void {
    this.#runner.watched = lane;
    // Its picture and frames come with the next step; a paused game has to be asked.
    void this.#runner.look();
  }

  /** Brings back the lanes that died with this one. */
  async #revive(lane: number): Promise<void> {
    try {
      await this.#runner.hold(async (games) => {
        const revived = await games.revive(lane);
        this.#log.abandon(revived);
        this.#messages.clear();
        const from = revived.restored ? "from its last kept state" : "from a reset";
        this.#messages.announce(`Lane ${revived.lanes.join(", ")} goes on ${from}`);
      });
    } catch (error) {
      this.#messages.error(`Lane ${lane} could not be revived.`, messageOf(error));
    }
  }

  #changePlayer(): void {
    this.#controls.choosePlayer(this.#controls.player === "keyboard" ? "random" : "keyboard");
    this.#focusIfPlaying();
  }

  /** The keys play where the picture is. A form control that has the focus keeps it. */
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

  async #turnSound(on: boolean): Promise<void> {
    const { games } = this.#runner;
    if (!on || games === undefined) {
      this.#sound.close();
      return;
    }
    // Before anything else: the browser allows it only as the answer to the click.
    this.#sound.open(games.description);
    try {
      await this.#runner.hold(async (held) => {
        if (held instanceof OneGame) await held.addSound();
      });
    } catch (error) {
      this.#controls.sound = false;
      this.#sound.close();
      this.#messages.error("There is no sound.", messageOf(error));
    }
  }

  get #audible(): boolean {
    return this.#controls.sound && this.#runner.atRealTime;
  }

  #stepped(taken: Taken): number {
    this.#statistics.add(taken);
    return this.#log.add(taken);
  }

  #draw(): void {
    const now = performance.now();
    const { games, watched, running, goal } = this.#runner;
    games?.view((lane, observation) => {
      this.#lanes.draw(lane, observation);
      if (lane === watched) this.#frames.draw(observation);
    });
    if (games !== undefined) this.#picture.draw(games.canvasOf(watched));
    if (games instanceof OneGame) games.heard = this.#audible ? this.#hear : undefined;
    if (!this.#audible) this.#sound.silence();
    this.#lanes.show(games, this.#log, watched);
    this.#scoreboard.draw(this.#log, watched, games?.description.actions ?? [], running, now);
    this.#statistics.draw();
    this.#table.draw(this.#log, watched);
    this.#longRun.draw(goal, running, now);
    this.#chart.draw(this.#statistics, now);
  }
}

/** What went wrong and, where a person at this page can do something about it, what. */
function messageOf(error: unknown): string {
  const text = asSentence(error instanceof Error ? error.message : String(error));
  if (!(error instanceof Gym2600Error) || error.code !== "unknown-rom") return text;
  return `${text}\nTry another dump of the game, or say what it is with a definition of your own.`;
}

function asSentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;
}
