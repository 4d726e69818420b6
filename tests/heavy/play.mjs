/**
 * Plays greedily with weights: play.mjs WEIGHTS ROM OPTIONS STEPS [ONNX], with the options of a game as JSON. Writes the policy to the
 * file ONNX, if it is given.
 *
 * Writes the number of actions as a 32-bit integer. Then for each step: the observation, the action as a 32-bit integer, the logits and
 * the value as 32-bit floats.
 */

import { readFileSync, writeFileSync, writeSync } from "node:fs";
import { Game } from "gym2600";
import { Policy } from "gym2600/learn";

const [weights, rom, options, steps, onnx] = process.argv.slice(2);

/** Writes everything; a pipe may take less at once, or nothing. */
function write(bytes) {
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(1, bytes, at);
    } catch (error) {
      if (error.code !== "EAGAIN") throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    }
  }
}

const policy = await Policy.load(readFileSync(weights));
if (onnx !== undefined) writeFileSync(onnx, policy.onnx());
const game = await Game.create({ rom: readFileSync(rom), ...JSON.parse(options) });
write(new Uint8Array(Uint32Array.of(game.actionSpace.n).buffer));
const { shape } = game.observationSpace;
let { observation } = game.reset();
for (let step = 0; step < Number(steps); step++) {
  const { action, logits, value } = policy.act(observation, { shape });
  const numbers = [Uint32Array.of(action), logits, Float32Array.of(value)];
  write(
    Buffer.concat([
      observation,
      ...numbers.map((array) => new Uint8Array(array.buffer, array.byteOffset, array.byteLength)),
    ]),
  );
  const result = game.step(action);
  const ended = result.terminated || result.truncated;
  observation = ended && !game.description.resetsItself ? game.reset().observation : result.observation;
}
game.close();
