/** What NumPy and a browser read of an episode, and the program that verifies replays. */

import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Game, Gym2600Error, type Picture, wallop } from "gym2600";
import { GifWriter, type NumpyArray, npy, npz, Recorder } from "gym2600/record";
import { expect, test } from "vitest";
import { launch } from "./chromium.js";
import { packaged, python, ROOT, romPath, seedOfTheDay, someActions, temporaryFolder } from "./support.js";

const SEED = seedOfTheDay();

function codeOf(call: () => unknown): unknown {
  try {
    return call();
  } catch (error) {
    return error instanceof Gym2600Error ? error.code : error;
  }
}

/** What NumPy reads of files: for each array its type, its shape and the digest of its bytes. */
function read(files: Readonly<Record<string, Uint8Array>>): unknown {
  const folder = temporaryFolder();
  const paths = Object.entries(files).map(([name, bytes]) => {
    writeFileSync(join(folder, name), bytes);
    return join(folder, name);
  });
  const { status, output, errors } = python(join(ROOT, "tests/package/read_arrays.py"), paths);
  expect(status, errors).toBe(0);
  return JSON.parse(output);
}

function told({ shape, data }: NumpyArray, type: string): unknown {
  const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  return { type, shape, bytes: createHash("sha1").update(bytes).digest("hex") };
}

test("NumPy reads arrays of every type and shape", () => {
  const arrays: ReadonlyArray<readonly [NumpyArray, string]> = [
    [{ shape: [2, 3], data: Uint8Array.of(0, 1, 2, 253, 254, 255) }, "uint8"],
    [{ shape: [3], data: Int32Array.of(-(2 ** 31), 0, 2 ** 31 - 1) }, "int32"],
    [{ shape: [1, 1, 2], data: Float32Array.of(0.1, Number.NEGATIVE_INFINITY) }, "float32"],
    [{ shape: [], data: Float64Array.of(Math.PI) }, "float64"],
    [{ shape: [0, 4], data: new Uint8Array(0) }, "uint8"],
    // Its shape makes the header longer than the least one.
    [{ shape: new Array<number>(40).fill(1), data: Uint8Array.of(7) }, "uint8"],
    [{ shape: [2], data: Float32Array.of(9, 5, 6, 9).subarray(1, 3) }, "float32"],
  ];
  const files = Object.fromEntries(arrays.map(([array], index) => [`${index}.npy`, npy(array)]));
  expect(read(files)).toEqual(
    Object.fromEntries(arrays.map(([array, type], index) => [`${index}.npy`, told(array, type)])),
  );
});

test("NumPy reads the arrays of an episode", async () => {
  const game = await Game.create({ rom: wallop, preset: "gymnasium" });
  const recorder = new Recorder(game, { arrays: true });
  const observations = [recorder.reset({ seed: SEED }).observation];
  const actions = someActions(2000, 4, SEED);
  const results = [];
  for (const action of actions) {
    const result = recorder.step(action);
    results.push(result);
    observations.push(result.observation);
    if (result.terminated) break;
  }
  const steps = results.length;
  expect(results.at(-1)?.terminated).toBe(true);
  const bytes = Buffer.concat(observations as Uint8Array[]);
  const column = (type: string, data: NumpyArray["data"]) => told({ shape: [steps], data }, type);
  const arrays = recorder.arrays();
  expect(Buffer.compare(npz(arrays), npz(arrays))).toBe(0);
  expect(read({ "episode.npz": npz(arrays) })).toEqual({
    observations: told({ shape: [steps + 1, 4, 84, 84], data: bytes }, "uint8"),
    actions: column("int32", Int32Array.from(actions.slice(0, steps))),
    rewards: column(
      "float64",
      Float64Array.from(results, ({ reward }) => reward),
    ),
    terminated: column(
      "uint8",
      Uint8Array.from(results, ({ terminated }) => Number(terminated)),
    ),
    truncated: column("uint8", new Uint8Array(steps)),
  });
  recorder.reset();
  expect(recorder.arrays().actions.shape).toEqual([0]);
  expect(Buffer.compare(npz(recorder.arrays(0)), npz(arrays))).toBe(0);
  expect(codeOf(() => recorder.arrays(2))).toBe("bad-option");
  game.close();
});

test("arrays that do not fit their shape, or of other types, are refused", () => {
  const data = new Uint8Array(6);
  for (const array of [
    { shape: [5], data },
    { shape: [-2, -3], data },
    { shape: [1.5, 4], data },
    { shape: [6], data: [1, 2, 3, 4, 5, 6] },
    { shape: [6], data: null },
    { shape: "6", data },
    null,
  ]) {
    expect(codeOf(() => npy(array as unknown as NumpyArray))).toBe("bad-option");
  }
});

/** What Chromium reads of a GIF: the size, the times in microseconds, and for each picture the colours as hexadecimal digits. */
async function decoded(
  gif: Uint8Array,
): Promise<{ width: number; height: number; times: number[]; pictures: string[] }> {
  const browser = await launch();
  try {
    const page = await browser.newPage();
    // A secure context has the decoder.
    await page.goto("data:text/html,");
    await page.route("http://localhost/", (route) => route.fulfill({ contentType: "text/html", body: "" }));
    await page.goto("http://localhost/");
    return await page.evaluate(async (digits) => {
      const bytes = Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
      const decoder = new ImageDecoder({ data: bytes, type: "image/gif" });
      await decoder.tracks.ready;
      const [times, pictures]: [number[], string[]] = [[], []];
      let [width, height] = [0, 0];
      for (let frameIndex = 0; frameIndex < (decoder.tracks.selectedTrack?.frameCount ?? 0); frameIndex++) {
        const { image } = await decoder.decode({ frameIndex });
        [width, height] = [image.displayWidth, image.displayHeight];
        const canvas = new OffscreenCanvas(width, height).getContext("2d");
        canvas?.drawImage(image, 0, 0);
        const { data } = canvas?.getImageData(0, 0, width, height) ?? { data: [] };
        times.push(image.duration ?? 0);
        pictures.push(Array.from(data, (value) => value.toString(16).padStart(2, "0")).join(""));
      }
      return { width, height, times, pictures };
    }, Buffer.from(gif).toString("hex"));
  } finally {
    await browser.close();
  }
}

/** A picture as a GIF shows it: every pixel twice. */
function doubled({ data }: Pick<Picture, "data">): string {
  const pixels = Buffer.from(data).toString("hex").match(/.{8}/g) ?? [];
  return pixels.map((pixel) => pixel + pixel).join("");
}

test("Chromium shows the pictures of a GIF, at their speed", async () => {
  const game = await Game.create({ rom: wallop, preset: "gymnasium" });
  game.reset({ seed: SEED });
  const gif = new GifWriter({ framesPerSecond: 15 });
  const expected: string[] = [];
  for (const action of someActions(30, 4, SEED)) {
    game.step(action);
    const picture = game.render();
    gif.add(picture);
    expected.push(doubled(picture));
  }
  const { width, height, times, pictures } = await decoded(gif.finish());
  expect([width, height]).toEqual([320, 210]);
  expect(times.reduce((sum, time) => sum + time)).toBe(2_000_000);
  expect(pictures.findIndex((picture, index) => picture !== expected[index])).toBe(-1);
  expect(pictures.length).toBe(30);
  game.close();
});

test("noise of two to 256 colours comes out of a GIF as it went in, and more colours become similar ones", async () => {
  const [width, height] = [61, 97];
  const noise = (colours: number) => {
    const data = new Uint8ClampedArray(4 * width * height);
    for (const [pixel, value] of someActions(width * height, colours, SEED).entries()) {
      data.set([value & 255, value >> 8, (value * 7) & 255, 255], 4 * pixel);
    }
    return { width, height, data };
  };
  const counts = [1, 2, 3, 4, 5, 16, 17, 64, 128, 255, 256];
  const gif = new GifWriter();
  for (const count of counts) gif.add(noise(count));
  gif.add(noise(4000));
  const { pictures } = await decoded(gif.finish());
  expect(counts.filter((count, index) => pictures[index] !== doubled(noise(count)))).toEqual([]);
  const [found, wanted] = [pictures.at(-1) ?? "", doubled(noise(4000))].map((text) => Buffer.from(text, "hex"));
  const differences = Array.from(found ?? [], (value, at) => Math.abs(value - (wanted?.[at] ?? 0)));
  expect(Math.max(...differences)).toBeGreaterThan(0);
  expect(differences.reduce((sum, difference) => sum + difference) / differences.length).toBeLessThan(16);
});

test("pictures that do not fit a GIF are refused", () => {
  const gif = new GifWriter();
  const picture = { width: 2, height: 2, data: new Uint8Array(16) };
  expect(codeOf(() => gif.finish())).toBe("bad-state");
  const impossible = [
    {},
    { width: 0 },
    { height: 1.5, data: new Uint8Array(12) },
    { data: null },
    { width: 40_000, height: 1 },
  ];
  for (const wrong of impossible) {
    const given = { ...picture, data: new Uint8Array(0), ...wrong };
    expect(codeOf(() => gif.add(given as typeof picture))).toBe("bad-buffer");
  }
  gif.add(picture);
  expect(codeOf(() => gif.add({ width: 1, height: 4, data: picture.data }))).toBe("bad-buffer");
  for (const framesPerSecond of [0, -1, Number.NaN, "15"]) {
    expect(codeOf(() => new GifWriter({ framesPerSecond: framesPerSecond as number }))).toBe("bad-option");
  }
});

test("the program verifies a replay, and names what differs", async () => {
  const game = await Game.create({ rom: wallop, preset: "labml" });
  const recorder = new Recorder(game);
  recorder.reset({ seed: SEED });
  let reward = 0;
  for (const action of someActions(200, 4, SEED)) reward += recorder.step(action).reward;
  game.close();
  const folder = temporaryFolder();
  const write = (name: string, replay: unknown) => {
    writeFileSync(join(folder, name), JSON.stringify(replay));
    return join(folder, name);
  };
  const file = write("good.json", recorder.replay());
  for (const rest of [[], [romPath("wallop")]]) {
    const { status, output, errors } = packaged("replay", file, ...rest);
    expect(status, errors).toBe(0);
    expect(output).toBe(`{"run":0,"steps":200,"reward":${reward.toFixed(1)}}\n`);
  }
  const replay = JSON.parse(readFileSync(file, "utf8"));
  replay.runs[0].checksums[9] = "12345678";
  const bad = write("bad.json", replay);
  for (const [args, text] of [
    [[bad], `${bad}: runs[0]: step 9 has checksum`],
    [[file, romPath("pong")], `${file}: md5: the replay is of ROM`],
    [[write("none.json", {})], 'format has to be "gym2600-replay", not undefined'],
    [[join(folder, "missing.json")], "cannot read"],
  ] as const) {
    const { status, output, errors } = packaged("replay", ...args);
    expect({ status, output }).toEqual({ status: 1, output: "" });
    expect(errors).toContain(text);
  }
  expect(packaged("replay").status).toBe(2);
});
