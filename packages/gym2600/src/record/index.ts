/**
 * `gym2600/record`: replay files, episodes as arrays for NumPy, and animated GIFs.
 *
 * An entry of its own, so that programs which record nothing load none of it. It loads no WebAssembly: it works on games that the
 * caller made.
 *
 * @module gym2600/record
 */

export { type GifOptions, type GifPicture, GifWriter } from "./gif.js";
export { type NumpyArray, npy, npz } from "./numpy.js";
export {
  type EpisodeArrays,
  type RecordableBatch,
  type RecordableGame,
  Recorder,
  type RecorderOptions,
} from "./recorder.js";
export {
  MAX_REPLAY_TEXT,
  type MovedSwitches,
  parseReplay,
  type Replay,
  type ReplayableGame,
  type ReplayOptions,
  type ReplayRun,
  type VerifiedRun,
  verifyReplay,
} from "./replay.js";
