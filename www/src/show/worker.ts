/** The worker of the show game: receives the page's requests, and runs the game at the chosen speed. */

import { Gym2600Error } from "gym2600";
import { textOf } from "../text.js";
import type { LaneState } from "../train/protocol.js";
import { Brain } from "./brain.js";
import { PaceMeter } from "./pace.js";
import { Painter } from "./painter.js";
import type { FromShow, Played, Speed, ToShow, WeightsMessage } from "./protocol.js";
import { Show, type Standing } from "./show.js";
import { ShownGame } from "./shown-game.js";

/** Slow is this part of real time. */
const SLOW = 0.2;

/** Frames that are made up for after a delay, and the length of a slice at full speed. */
const CATCH_UP_FRAMES = 3;
const SLICE_MS = 12;

/** Milliseconds between two moments of a rewind. */
const REWIND_MS = 100;

const scope = self as unknown as {
  postMessage(message: FromShow, transfer?: Transferable[]): void;
  requestAnimationFrame?(callback: (now: number) => void): number;
};

let painter: Painter | undefined;
/** The game that the page opened, with the message that opened it. */
let own: { readonly show: Show; readonly made: OpenMessage } | undefined;
/** A training game that the person watches instead. */
let watched: Show | undefined;
/** The game that runs: `own.show` or `watched`. */
let show: Show | undefined;
let running = false;
let speed: Speed = "real-time";
let rewinding = false;
let rewoundAt = 0;
const pace = new PaceMeter();
let soundPort: MessagePort | undefined;
let brain: Brain | undefined;
let follow = false;
/** Games that have ended, for the next record. */
let played: Played[] = [];
/** Requests of the page so far. */
let received = 0;
/** The number of the newest request to open a game. An older request that is still loading is dropped. */
let request = 0;
let watchRequest = 0;
/** Frames that are due, and the time of this count. */
let due = 0;
let dueAt = performance.now();

type OpenMessage = Extract<ToShow, { type: "open" }>;

function post(message: FromShow, transfer: Transferable[] = []): void {
  scope.postMessage(message, transfer);
}

async function open(message: OpenMessage): Promise<void> {
  const { number, rom, options, seed } = message;
  request = number;
  try {
    const game = await ShownGame.open(rom, options, seed);
    if (request !== number) {
      // The page drops it too, but it waits for an answer.
      post({ type: "opened", number, info: game.info });
      game.close();
      return;
    }
    const next = showOf(game, message);
    watched?.close();
    own?.show.close();
    watched = undefined;
    own = { show: next, made: message };
    tellPlayed();
    post({ type: "opened", number, info: game.info });
    use(next);
  } catch (error) {
    refuse(number, error);
  }
}

function refuse(number: number, error: unknown): void {
  const { code, details } = error instanceof Gym2600Error ? error : { code: "failed", details: undefined };
  post({ type: "refused", number, code, message: textOf(error), details });
}

/** Tells which games have ended. */
function tellPlayed(): void {
  if (played.length === 0) return;
  post({ type: "played", played });
  played = [];
}

function standing(): Standing {
  return { paused: !running && !rewinding, speed, received };
}

function showOf(game: ShownGame, { seed, gamma }: OpenMessage): Show {
  if (painter === undefined) throw new Error("the canvas has to come first");
  const made = new Show(game, painter, seed, gamma, {
    record: (record) => {
      tellPlayed();
      post({ type: "record", record });
    },
    played: (one) => played.push(one),
    sound: (samples) => soundPort?.postMessage(samples, [samples.buffer]),
  });
  made.standing = standing();
  made.player = show?.player ?? made.player;
  made.switches = show?.switches ?? made.switches;
  made.saliency = show?.saliency ?? made.saliency;
  made.ram = show?.ram ?? made.ram;
  return made;
}

/** Runs a game from now on, for the player of the game before. */
function use(next: Show): void {
  if (show !== undefined && show !== next) {
    [next.player, next.saliency] = [show.player, show.saliency];
    [next.switches, next.ram] = [show.switches, show.ram];
  }
  show = next;
  measureAnew();
  useBrain();
  show.look(performance.now());
}

/** Measures pace and rate anew: for another game, with another speed, or after a pause. */
function measureAnew(): void {
  pace.restart();
  show?.restartRate();
  [due, dueAt] = [0, performance.now()];
}

/** Goes on from a training game's state, or with the show's own game. A request that is still loading is dropped when a later one comes. */
async function watch(lane: LaneState | undefined): Promise<void> {
  if (own === undefined) return;
  const { show: home, made } = own;
  const mine = ++watchRequest;
  try {
    const game = lane && (await ShownGame.open(made.rom, lane.environment, made.seed, lane.state));
    if (own?.show !== home || watchRequest !== mine) {
      game?.close();
      return;
    }
    const before = watched;
    watched = game && showOf(game, made);
    use(watched ?? home);
    before?.close();
  } catch (error) {
    post({ type: "failed", message: textOf(error) });
  }
}

/** Gives the game the policy, if it fits: the same shape of pictures and number of actions. Answers the request for it, if one is named. */
function useBrain(number?: number): void {
  if (show !== undefined) show.brain = undefined;
  if (show === undefined || brain === undefined) {
    post({ type: "policy", number, refusal: undefined });
    return;
  }
  const stack = show.game.stack();
  const { shape } = show.game.info;
  let refusal: string | undefined;
  try {
    if (stack === undefined || shape === undefined) {
      throw new Error("this environment shows no stack of grey pictures");
    }
    const { probabilities } = brain.think(stack, shape);
    const { actions } = show.game.info;
    if (probabilities.length !== actions.length) {
      throw new Error(`it has ${probabilities.length} actions, and this game has ${actions.length}`);
    }
    show.brain = brain;
  } catch (error) {
    refusal = textOf(error);
  }
  post({ type: "policy", number, refusal });
}

async function load(
  { weights, name }: { readonly weights: Uint8Array | undefined; readonly name: string },
  number?: number,
): Promise<void> {
  try {
    brain = weights === undefined ? undefined : await Brain.load(weights, name);
    useBrain(number);
    if (!running) settle();
  } catch (error) {
    post({ type: "policy", number, refusal: textOf(error) });
  }
}

/** Goes on from a saved state, and answers the request. What was played goes on if it is refused. */
function restore({ number, state }: Extract<ToShow, { type: "restore" }>): void {
  try {
    show?.restore(state);
    post({ type: "restored", number });
  } catch (error) {
    refuse(number, error);
  }
  if (running) show?.look(performance.now());
}

/** Runs to the next decision and shows it. */
function settle(): void {
  const now = performance.now();
  if (show === undefined) return;
  show.settle(now);
  show.look(now);
}

function receive(message: ToShow): void {
  switch (message.type) {
    case "canvas":
      painter = new Painter(message.canvas);
      return;
    case "frames":
      painter?.useFrames(message.canvases);
      if (running) show?.look(performance.now());
      return;
    case "open":
      void open(message);
      return;
    case "run":
      running = message.running;
      measureAnew();
      return;
    case "speed":
      speed = message.speed;
      measureAnew();
      return;
    case "player":
      if (show !== undefined) show.player = message.player;
      return;
    case "input":
      show?.press(message.held);
      return;
    case "switches":
      if (show !== undefined) show.switches = message.switches;
      return;
    case "turn":
      show?.turn(message.frames);
      return;
    case "policy":
      void load(message, message.number);
      return;
    case "weights-port":
      message.port.onmessage = ({ data }: MessageEvent<WeightsMessage>) => {
        if (follow) void load(data);
      };
      return;
    case "follow":
      follow = message.follow;
      return;
    case "sound-port":
      soundPort = message.port;
      return;
    case "saliency":
      if (show !== undefined) show.saliency = message.on;
      return;
    case "ram":
      if (show !== undefined) show.ram = message.on;
      return;
    case "watch":
      void watch(message.game);
      return;
    case "step":
      if (show?.atDecision) show.frame(performance.now());
      if (running) settle();
      return;
    case "new-game":
      show?.newGame();
      return;
    case "rewind":
      rewinding = message.on;
      return;
    case "save":
      if (show !== undefined) post({ type: "saved", number: message.number, state: show.save() });
      return;
    case "restore":
      restore(message);
      return;
    case "log":
      post({ type: "log", number: message.number, log: show?.game.log });
      return;
    case "film":
      post({ type: "film", number: message.number, film: show?.film() });
      return;
  }
}

/** Runs the frames that are due. True if more frames are due at once. */
function advance(now: number): boolean {
  if (show === undefined) return false;
  if (rewinding) {
    if (now - rewoundAt >= REWIND_MS) {
      rewoundAt = now;
      show.rewind(now);
    }
    [due, dueAt] = [0, now];
    return false;
  }
  if (!running) return false;
  if (speed === "fast" && show.player !== "you") {
    const end = now + SLICE_MS;
    for (let time = now; time < end; time = performance.now()) show.frame(time);
    return true;
  }
  const perSecond = (show.game.info.tv === "PAL" ? 50 : 60) * (speed === "slow" ? SLOW : 1);
  due = Math.min(due + ((now - dueAt) * perSecond) / 1000, CATCH_UP_FRAMES);
  dueAt = now;
  // A display shows a frame for each of its own when their rates are nearly the same.
  const frames = Math.floor(due + 0.1);
  due -= frames;
  for (let frame = 0; frame < frames; frame++) {
    show.frame(now);
    if (soundPort !== undefined && speed === "real-time") show.sound();
  }
  if (frames > 0) {
    show.paint();
    const report = pace.add(performance.now());
    if (report !== undefined) post({ type: "pace", pace: report });
  }
  return false;
}

const again = new MessageChannel();
again.port1.onmessage = () => tick(performance.now());

function tick(now: number): void {
  let atOnce = false;
  try {
    atOnce = advance(now);
  } catch (error) {
    running = false;
    post({ type: "failed", message: textOf(error) });
  }
  if (atOnce) again.port2.postMessage(undefined);
  else if (scope.requestAnimationFrame !== undefined) scope.requestAnimationFrame(tick);
  else setTimeout(() => tick(performance.now()), 16);
}

addEventListener("message", ({ data }: MessageEvent<ToShow>) => {
  try {
    received += 1;
    receive(data);
    if (show === undefined) return;
    show.standing = standing();
    // A game that stands still answers every request with a record.
    if (!running) settle();
  } catch (error) {
    post({ type: "failed", message: textOf(error) });
  }
});
tick(performance.now());
