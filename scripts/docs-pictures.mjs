// Writes the pictures of the documents to docs/pictures: what happens to frames of WALLOP on their way to an agent, and the moving picture of
// the README and of the site's start page, in which the page's best policy plays. It needs the package (scripts/build wasm package).
//
//   node scripts/docs-pictures.mjs

import "./lib/help.mjs";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { crc32, deflateSync } from "node:zlib";
import { Game, VectorEnv, wallop } from "gym2600";
import { Policy } from "gym2600/learn";
import { runnerImport } from "vite";

const FOLDER = new URL("../docs/pictures/", import.meta.url);
const [WIDTH, HEIGHT, SMALL] = [160, 210, 84];
/** Transparent pixels between two parts of a picture. */
const GAP = 8;
/** The step that is shown: the ball flies between the bat and the wall. */
const STEP = 35;
const SEED = 3;
const LANES = 4;
/** The moving picture: its speed, the step at which it begins, and its steps of four frames, two of which are shown. */
const [MOVING_RATE, MOVING_START, MOVING_STEPS] = [30, 60, 150];

// Addresses of WALLOP in the console's RAM (roms/wallop/README.md), and its actions.
const [BALL, BALL_TOP, BAT, BAT_WIDTH] = [0x08, 0x09, 0x0a, 0x0b];
const [FIRE, RIGHT, LEFT] = [1, 2, 3];

// The same game behind longer and longer lists of wrappers.
const skip = { type: "SkipFrames", n: 4, shows: "maxOfLastTwo" };
const joined = await opened([skip]);
const grey = await opened([skip, { type: "ImagePreprocessing", width: null, height: null }]);
const small = await opened([skip, "ImagePreprocessing"]);
const stack = await opened([skip, "ImagePreprocessing", "QueueFrames"]);
const raw = await opened([]);

async function opened(wrappers) {
  const game = await Game.create({ rom: wallop, wrappers, seed: SEED });
  game.reset();
  return game;
}

/** The action that moves the bat towards the ball. */
function follow(ram) {
  const right = ram[BALL] - (ram[BAT] + ram[BAT_WIDTH] / 2);
  if (Math.abs(right) < 4) return FIRE;
  return right < 0 ? LEFT : RIGHT;
}

let seen = {};
for (let step = 1; step <= STEP; step++) {
  const action = follow(raw.ram());
  seen = {
    frames: [1, 2, 3, 4].map(() => picture(raw.step(action).observation, WIDTH, HEIGHT)),
    joined: picture(joined.step(action).observation, WIDTH, HEIGHT),
    grey: picture(grey.step(action).observation, WIDTH, HEIGHT),
    small: picture(small.step(action).observation, SMALL, SMALL),
    stack: parts(stack.step(action).observation, 4).map((part) => picture(part, SMALL, SMALL)),
  };
}
const ram = raw.ram();

const envs = await VectorEnv.create({ rom: wallop, numEnvs: LANES, workers: 0, seed: SEED });
await envs.reset();
let lanes = [];
for (let step = 0; step < 150; step++) {
  // Pseudo-random actions, the same in every run.
  const actions = Array.from({ length: LANES }, (_, lane) => crc32(`${step} ${lane}`) % 4);
  lanes = parts((await envs.step(actions)).observations, LANES).map((part) => parts(part, 4)[3]);
}
await envs.close();

mkdirSync(FOLDER, { recursive: true });
const around = (frame) => enlarged(cut(frame, ram[BALL] - 20, 21 + ram[BALL_TOP] - 20, 40, 40), 5);
write("frames", beside(seen.frames));
write("maximum", beside([seen.frames[2], seen.frames[3], seen.joined].map(around)));
write("small", beside([seen.joined, seen.grey, enlarged(seen.small, 2)]));
write("stack", beside(seen.stack.map((part) => enlarged(part, 2))));
write("lanes", beside(lanes.map((lane) => enlarged(picture(lane, SMALL, SMALL), 2))));

const moving = await played();
write("playing-still", moving[0]);
write("playing", ...moving);

/** The best policy of the page at play: the game, and beside it the newest picture that the net sees. */
async function played() {
  const { module } = await runnerImport(source("www/src/policies/pretrained.ts"));
  const file = new Uint8Array(readFileSync(source("www/public/policies/1-hour.safetensors")));
  const policy = await Policy.load(module.dequantised(file));
  const game = await Game.create({ rom: wallop, ...(await policy.environment(wallop)), seed: SEED });
  const { shape } = game.observationSpace;
  const colours = new Uint32Array(game.palette().buffer);
  game.keepFrames();
  const pictures = [];
  let { observation } = game.reset();
  for (let step = 0; step < MOVING_START + MOVING_STEPS; step++) {
    const seen = picture(parts(observation, 4)[3], SMALL, SMALL);
    ({ observation } = game.step(policy.act(observation, { shape, seed: SEED }).action));
    if (step < MOVING_START) continue;
    for (const { screen } of game.frames().filter((_, frame) => frame % 2 === 1)) {
      const pixels = new Uint8Array(Uint32Array.from(screen, (index) => colours[index]).buffer);
      pictures.push(enlarged(beside([{ width: WIDTH, height: HEIGHT, pixels }, seen]), 2));
    }
  }
  return pictures;
}

/** The path of a file of the repository. */
function source(path) {
  return fileURLToPath(new URL(`../${path}`, import.meta.url));
}

/** Equal parts of an array. */
function parts(array, count) {
  const length = array.length / count;
  return Array.from({ length: count }, (_, at) => array.slice(at * length, (at + 1) * length));
}

/** A picture with red, green, blue and opacity, of an observation in colours or in grey. */
function picture(observation, width, height) {
  const channels = observation.length / (width * height);
  const pixels = new Uint8Array(width * height * 4).fill(255);
  for (let pixel = 0; pixel < width * height; pixel++)
    for (let colour = 0; colour < 3; colour++)
      pixels[pixel * 4 + colour] = observation[pixel * channels + (channels === 3 ? colour : 0)];
  return { width, height, pixels };
}

/** A new picture whose pixels come from another; those outside of it are transparent. */
function made(width, height, from, place) {
  const pixels = new Uint8Array(width * height * 4);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const [left, top] = place(x, y);
      if (left < 0 || left >= from.width || top < 0 || top >= from.height) continue;
      const at = (top * from.width + left) * 4;
      pixels.set(from.pixels.subarray(at, at + 4), (y * width + x) * 4);
    }
  return { width, height, pixels };
}

function cut(from, left, top, width, height) {
  return made(width, height, from, (x, y) => [left + x, top + y]);
}

function enlarged(from, times) {
  return made(from.width * times, from.height * times, from, (x, y) => [Math.floor(x / times), Math.floor(y / times)]);
}

/** Pictures in a row, with their lower edges on one line. */
function beside(pictures) {
  const width = pictures.reduce((sum, part) => sum + part.width + GAP, -GAP);
  const height = Math.max(...pictures.map((part) => part.height));
  const pixels = new Uint8Array(width * height * 4);
  let left = 0;
  for (const part of pictures) {
    for (let y = 0; y < part.height; y++) {
      const row = part.pixels.subarray(y * part.width * 4, (y + 1) * part.width * 4);
      pixels.set(row, ((height - part.height + y) * width + left) * 4);
    }
    left += part.width + GAP;
  }
  return { width, height, pixels };
}

/** Writes a PNG file. More pictures of one size make an animated one, in which those after the first have the pixels that changed. */
function write(name, first, ...others) {
  const { width, height } = first;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 6], 8); // eight bits of red, green, blue and opacity
  const chunks = [chunk("IHDR", header)];
  let sequence = 0;
  if (others.length > 0) chunks.push(chunk("acTL", numbers(others.length + 1, 0)), control());
  chunks.push(chunk("IDAT", compressed(first)));
  let before = first;
  for (const next of others) {
    chunks.push(control(), chunk("fdAT", Buffer.concat([numbers(sequence++), compressed(changes(before, next))])));
    before = next;
  }
  chunks.push(chunk("IEND", Buffer.alloc(0)));
  const file = Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), ...chunks]);
  writeFileSync(new URL(`${name}.png`, FOLDER), file);
  console.log(`docs/pictures/${name}.png: ${width} x ${height}, ${file.length} bytes`);

  /** How long a picture stands, and that the next is laid over it. */
  function control() {
    const time = Buffer.from([0, 1, 0, MOVING_RATE, 0, sequence === 0 ? 0 : 1]);
    return chunk("fcTL", Buffer.concat([numbers(sequence++, width, height, 0, 0), time]));
  }
}

/** The pixels of a picture that differ from the one before it; the others are transparent. */
function changes(before, { width, height, pixels }) {
  const [old, now] = [new Uint32Array(before.pixels.buffer), new Uint32Array(pixels.buffer)];
  return { width, height, pixels: new Uint8Array(now.map((pixel, at) => (pixel === old[at] ? 0 : pixel)).buffer) };
}

function compressed({ width, height, pixels }) {
  // Each row begins with its filter, here none.
  const rows = Buffer.alloc((width * 4 + 1) * height);
  for (let y = 0; y < height; y++)
    rows.set(pixels.subarray(y * width * 4, (y + 1) * width * 4), y * (width * 4 + 1) + 1);
  return deflateSync(rows, { level: 9 });
}

function numbers(...values) {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [at, value] of values.entries()) bytes.writeUInt32BE(value, 4 * at);
  return bytes;
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
