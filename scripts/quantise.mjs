// Writes weights of single floats with eight bits each. Each row of a matrix, its first axis, has a scale of its own in the tensor
// `NAME.scale`; vectors stay as they are. The third file has the weights that a reader of the second gets, as single floats. Neither has a
// checksum: that of the first is of its own bytes.
//
//   node scripts/quantise.mjs WEIGHTS.safetensors SMALL.safetensors [READ.safetensors]

import "./lib/help.mjs";
import { readFileSync, writeFileSync } from "node:fs";

const [, , from, to, read] = process.argv;
const { metadata, tensors } = parse(readFileSync(from));
const small = [];
const back = [];
for (const { name, shape, values } of tensors) {
  if (shape.length < 2) {
    small.push({ name, shape, dtype: "F32", values });
    back.push({ name, shape, dtype: "F32", values });
    continue;
  }
  const [rows] = shape;
  const width = values.length / rows;
  const scales = new Float32Array(rows);
  const bytes = new Int8Array(values.length);
  for (let row = 0; row < rows; row++) {
    const part = values.subarray(row * width, (row + 1) * width);
    const scale = part.reduce((most, value) => Math.max(most, Math.abs(value)), 0) / 127;
    scales[row] = scale;
    for (const [at, value] of part.entries())
      bytes[row * width + at] = scale === 0 ? 0 : Math.round(value / scales[row]);
  }
  small.push({ name, shape, dtype: "I8", values: bytes });
  small.push({ name: `${name}.scale`, shape: [rows], dtype: "F32", values: scales });
  const restored = Float32Array.from(bytes, (value, at) => value * scales[Math.floor(at / width)]);
  back.push({ name, shape, dtype: "F32", values: restored });
}
writeFileSync(to, written(metadata, small));
if (read !== undefined) writeFileSync(read, written(metadata, back));

function parse(file) {
  const length = Number(file.readBigUInt64LE(0));
  const { __metadata__: metadata, ...header } = JSON.parse(file.subarray(8, 8 + length).toString());
  const tensors = Object.entries(header).map(
    ([
      name,
      {
        shape,
        data_offsets: [start, end],
      },
    ]) => {
      const bytes = Uint8Array.from(file.subarray(8 + length + start, 8 + length + end));
      return { name, shape, values: new Float32Array(bytes.buffer) };
    },
  );
  const gym2600 = metadata.gym2600.replace(/,"crc32":"[0-9a-f]{8}"}$/, "}");
  return { metadata: { ...metadata, gym2600 }, tensors };
}

function written(metadata, tensors) {
  const header = { __metadata__: metadata };
  let end = 0;
  for (const { name, shape, dtype, values } of tensors) {
    header[name] = { dtype, shape, data_offsets: [end, end + values.byteLength] };
    end += values.byteLength;
  }
  const text = JSON.stringify(header);
  const padded = text.padEnd(Math.ceil(text.length / 8) * 8);
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(padded.length));
  const data = tensors.map(({ values }) => Buffer.from(values.buffer, values.byteOffset, values.byteLength));
  return Buffer.concat([length, Buffer.from(padded), ...data]);
}
