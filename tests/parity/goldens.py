"""Writes the expected numbers and checksums of NumPy and OpenCV for the tests of crates/gym.

    python tests/parity/goldens.py
"""

import json
import pathlib
import zlib

import cv2
import numpy as np

OUT = pathlib.Path(__file__).resolve().parents[2] / "crates" / "gym" / "tests"
SEEDS = [0, 1, 42, 123, 2**31, 2**32 - 1, 2**32 + 5, 2**53 - 1]
SIZES = [(84, 84), (64, 64), (96, 72), (80, 105), (80, 70), (40, 70), (160, 105), (53, 105), (159, 209), (1, 1)]
# OpenCV does not take these factors for whole, because the reciprocal of their reciprocal is another float.
UNEVEN = [(160, 1), (80, 1), (40, 1), (160, 2), (80, 2)]
LARGER = [(300, 300), (320, 420), (160, 211), (200, 84), (84, 300)]


def draws(seed):
    """NumPy's draws for a seed."""
    sequence = np.random.SeedSequence(seed)
    generator = np.random.default_rng(seed)
    entry = {
        "seed": seed,
        "pair": sequence.generate_state(2).tolist(),
        "u64": sequence.generate_state(4, np.uint64).tolist(),
        "integers30": [int(generator.integers(1, 31)) for _ in range(40)],
        "integersBig": [int(generator.integers(0, 3_000_000_000)) for _ in range(10)],
        "integersOne": [int(generator.integers(5, 6)) for _ in range(3)]
        + [int(generator.integers(0, 18)) for _ in range(20)],
    }
    if seed < 2**32:
        np.random.seed(seed)
        entry["randint31"] = [int(np.random.randint(31)) for _ in range(40)]
        entry["randint1"] = int(np.random.randint(1))
        entry["tail"] = [int(np.random.randint(1000)) for _ in range(700)][-5:]
    return entry


def picture(width, height, channels, kind):
    """A test picture, noise or bars with repeated rows. The Rust test computes the same."""
    index = np.arange(width * height * channels, dtype=np.uint64)
    if kind == "bars":
        row = index // (width * channels) // 7
        index = row * 1000 + index % (width * channels) // 5
    return ((index * 2654435761 % 2**32) >> 24).astype(np.uint8).reshape(height, width, channels)


def resizes():
    """Checksums of OpenCV's resizes."""
    cases = []
    for height in (210, 214, 220, 230, 250):
        for channels in (1, 3):
            for kind in ("noise", "bars"):
                source = picture(160, height, channels, kind)
                for name, flag in (("area", cv2.INTER_AREA), ("linear", cv2.INTER_LINEAR)):
                    for size in SIZES + UNEVEN + LARGER:
                        result = cv2.resize(source, size, interpolation=flag)
                        cases.append([height, channels, kind, name, *size, zlib.crc32(result.tobytes())])
    return cases


def greys():
    """Checksum of OpenCV's grey of 2^18 colours in a grid."""
    steps = np.arange(0, 256, 4, dtype=np.uint8)
    colours = np.stack(np.meshgrid(steps, steps, steps, indexing="ij"), axis=-1).reshape(1, -1, 3)
    return zlib.crc32(cv2.cvtColor(colours, cv2.COLOR_RGB2GRAY).tobytes())


def write(name, value):
    """Writes a compact JSON file."""
    (OUT / name).write_text(json.dumps(value, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    write("numpy_random.json", {"seeds": [draws(seed) for seed in SEEDS]})
    write("opencv.json", {"grey": greys(), "resizes": resizes()})
