/**
 * The competitor: 6502.ts, an emulator of the console in TypeScript.
 *
 * It has no rules of games and does not report a game's end, so the RESET switch is pressed every {@link EPISODE} frames.
 */

import { createRequire } from "node:module";
import { answerLines } from "./lines.js";
import { measurer, newDraws } from "./measures.js";

const require = createRequire(import.meta.url);
const load = (path) => require(`6502.ts/lib/${path}`).default;
const Board = load("machine/stella/Board");
const CartridgeFactory = load("machine/stella/cartridge/CartridgeFactory");
const Config = load("machine/stella/Config");
const CpuFactory = load("machine/cpu/Factory");
const Surface = load("video/surface/ArrayBufferSurface");

/** Colour clocks of a call. The end of a frame is seen after a call. */
const SLICE = 1000;
/** Slices after which a frame that has not ended is an error. */
const MAX_SLICES = 10_000;
/** Frames between two presses of RESET, and frames of a press. */
const EPISODE = 3000;
const HELD = 5;
/** The bits of FIRE, UP, RIGHT, LEFT and DOWN. */
const [FIRE, UP, RIGHT, LEFT, DOWN] = [1, 2, 4, 8, 16];
/** ALE's actions 0 to 17 as bits. */
const ACTIONS = [
  ...[0, FIRE, UP, RIGHT, LEFT, DOWN, UP | RIGHT, UP | LEFT, DOWN | RIGHT, DOWN | LEFT],
  ...[UP, RIGHT, LEFT, DOWN, UP | RIGHT, UP | LEFT, DOWN | RIGHT, DOWN | LEFT].map((bits) => bits | FIRE),
];

async function bareConsole({ actions }, rom) {
  const cartridge = await new CartridgeFactory().createCartridge(rom);
  // The faster of its two CPUs.
  const cpuType = CpuFactory.Type.batchedAccess;
  const config = Config.create({ enableAudio: false, randomSeed: 1, emulatePaddles: false, frameStart: -1, cpuType });
  const board = new Board(config, cartridge, (bus, random) => new CpuFactory(cpuType).create(bus, random));
  const video = board.getVideoOutput();
  const [width, height] = [video.getWidth(), video.getHeight()];
  const surface = Surface.createFromArrayBuffer(width, height, new ArrayBuffer(width * height * 4));
  const screen = new Uint32Array(width * height);
  let frames = 0;
  video.setSurfaceFactory(() => surface);
  video.newFrame.addHandler(() => {
    screen.set(surface.getBuffer());
    frames++;
  });
  board.boot();
  const stick = board.getJoystick0();
  const switches = [stick.getFire(), stick.getUp(), stick.getRight(), stick.getLeft(), stick.getDown()];
  const reset = board.getControlPanel().getResetButton();
  const draw = newDraws();
  return {
    play(sum) {
      const pressed = ACTIONS[actions[draw(actions.length)]];
      for (let bit = 0; bit < switches.length; bit++) switches[bit].toggle((pressed & (1 << bit)) !== 0);
      reset.toggle(frames % EPISODE < HELD);
      const before = frames;
      for (let slice = 0; frames === before; slice++) {
        if (slice > MAX_SLICES) throw new Error(`6502.ts shows no frame after ${slice} slices`);
        board.tick(SLICE);
      }
      sum.done++;
    },
    close: () => undefined,
  };
}

await answerLines(measurer(({ measure: _, ...target }, rom) => bareConsole(target, rom)));
process.exit();
