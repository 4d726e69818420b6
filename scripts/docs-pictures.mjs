// Writes the pictures of docs/concepts.md to docs/pictures: what happens to frames of WALLOP on their way to an agent. It needs the package
// (scripts/build wasm package).
//
//   node scripts/docs-pictures.mjs

import { mkdirSync, writeFileSync } from "node:fs";
import { crc32, deflateSync } from "node:zlib";
import { Game, VectorEnv, wallop } from "gym2600";

const FOLDER = new URL("../docs/pictures/", import.meta.url);
const [WIDTH, HEIGHT, SMALL] = [160, 210, 84];
/** Transparent pixels between two parts of a picture. */
const GAP = 8;
/** The step that is shown: the ball flies between the bat and the wall. */
const STEP = 35;
const SEED = 3;
const LANES = 4;

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

/** Writes a PNG file. */
function write(name, { width, height, pixels }) {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 6], 8); // eight bits of red, green, blue and opacity
  // Each row begins with its filter, here none.
  const rows = Buffer.alloc((width * 4 + 1) * height);
  for (let y = 0; y < height; y++)
    rows.set(pixels.subarray(y * width * 4, (y + 1) * width * 4), y * (width * 4 + 1) + 1);
  const chunks = [
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(rows, { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ];
  const file = Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), ...chunks]);
  writeFileSync(new URL(`${name}.png`, FOLDER), file);
  console.log(`docs/pictures/${name}.png: ${width} x ${height}, ${file.length} bytes`);
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
