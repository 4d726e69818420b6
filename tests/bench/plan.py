"""The rows of the bench. The competitors of a row do the same work; ratios are to the first of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

GAMES = (
    "breakout",
    "pong",
    "space_invaders",
    "montezuma_revenge",
    "ms_pacman",
    "seaquest",
    "qbert",
    "pitfall2",
    "enduro",
    "private_eye",
    "surround",
    "video_chess",
)

BATCH = 8


@dataclass(frozen=True)
class Entry:
    """A competitor in a row, and its measurement."""

    competitor: str
    measure: str
    details: dict[str, Any] = field(default_factory=dict)
    label: str = ""
    # Whether its rewards and ends must equal those of the row's first competitor.
    same: bool = True

    def name(self) -> str:
        """Its name in the table."""
        return self.label or self.competitor


@dataclass(frozen=True)
class Row:
    """Entries that are measured in turns. Ratios are to the first of them."""

    key: str
    title: str
    unit: str
    entries: Sequence[Entry]
    # It is measured with those of these games that are selected, or with the first selected one if none is; None for all selected games.
    games: Sequence[str] | None = None
    # What a rate is divided by: "seconds" of time, or "cpu", seconds of all processors that the competitor's process takes.
    clock: str = "seconds"
    # The answers that must be equal in entries that play the same.
    compared: Sequence[str] = ("reward", "episodes")


def _frames(measure: str) -> list[Entry]:
    return [Entry(competitor, measure) for competitor in ("ale-py", "native", "node", "chromium")]


def _others(names: Sequence[str], measure: str, **details: Any) -> list[Entry]:
    return [Entry(name, measure, details, same=False) for name in names]


def _ours(measure: str, **details: Any) -> list[Entry]:
    return [Entry(competitor, measure, details) for competitor in ("native", "node", "chromium")]


def _web(measure: str, label: str = "", **details: Any) -> list[Entry]:
    return [
        Entry(competitor, measure, details, f"{competitor}, {label}" if label else "")
        for competitor in ("node", "chromium")
    ]


RATES = (
    Row("frames", "full frames", "frames/s", [*_frames("frames"), *_others(["6502.ts"], "frames")]),
    Row("hidden", "frames without pixels", "frames/s", _frames("hidden")),
    Row(
        "steps",
        "preprocessed steps of a Game",
        "steps/s",
        [Entry("AtariVectorEnv", "steps"), *_others(["EnvPool", "Gymnasium"], "steps"), *_ours("steps")],
    ),
    Row(
        "worker",
        "steps through a worker",
        "steps/s",
        [Entry("AtariVectorEnv", "steps"), *_others(["labml"], "worker", envs=1), *_web("worker")],
    ),
    Row(
        "workers2",
        "steps of 2 workers",
        "steps/s",
        [
            Entry("AtariVectorEnv", "vector", {"envs": 2, "threads": 2}),
            *_others(["labml"], "worker", envs=2),
            *_web("workers2"),
        ],
    ),
    Row(
        "vector",
        f"steps of {BATCH} games in one thread",
        "steps/s",
        [
            Entry("AtariVectorEnv", "vector", {"envs": BATCH, "threads": 1}),
            *_others(["EnvPool"], "vector", envs=BATCH, threads=1),
            *_ours("vector", envs=BATCH),
        ],
    ),
    Row(
        "vector-worker",
        f"steps of {BATCH} games in one worker",
        "steps/s",
        [
            Entry("AtariVectorEnv", "vector", {"envs": BATCH, "threads": 1}),
            *_web("vector", envs=BATCH, workers=1),
        ],
    ),
)


# AtariVectorEnv takes 0.15 s to make an environment, so larger batches are measured without it.
LARGEST_COMPARED = 16


def scaling(sizes: Sequence[int]) -> Iterator[Row]:
    """Rates by the number of games, in one worker and over two."""
    for size in sizes:
        entries = [Entry("native", "vector", {"envs": size}), *_web("vector", "one worker", envs=size, workers=1)]
        if size <= LARGEST_COMPARED:
            entries.insert(0, Entry("AtariVectorEnv", "vector", {"envs": size, "threads": 1}))
        if size > 1:
            entries += _web("vector", "two workers", envs=size, workers=2)
        title = "steps of 1 game" if size == 1 else f"steps of {size} games"
        yield Row(f"scaling-{size}", title, "steps/s", entries, games=())


# Algorithms and nets of the measured runs.
RUNS = (("ppo", "tiny"), ("ppo", "a3c"), ("a2c", "tiny"), ("a2c", "a3c"))


def training(runs: Sequence[tuple[str, str]]) -> Iterator[Row]:
    """Steps of runs that learn, in one thread and on two."""
    for algorithm, net in runs:
        run = {"algorithm": algorithm, "net": net}
        entries = [
            Entry("native", "train", run),
            *_web("train", **run),
            Entry("native", "train", {**run, "threads": 2}, "native, two threads"),
            *_web("train", "two workers", **run, workers=2),
        ]
        yield Row(f"train-{algorithm}-{net}", f"steps of {algorithm} with {net}", "steps/s", entries, games=())


# Environments of the rows in Python.
PYTHON_SIZES = (1, 8, 64)
# Environments of the row of threads, and its games.
THREADED = 64
THREADED_GAMES = ("breakout", "montezuma_revenge")
# Competitors in Python must have the same observations too.
ALL = ("reward", "episodes", "observations")


def _games(size: int) -> str:
    return "1 game" if size == 1 else f"{size:,} games"


def python(sizes: Sequence[int], curve: Sequence[int]) -> Iterator[Row]:
    """The Python package: against the reference, on two threads, and by the number of environments."""
    for size in sizes:
        batch = {"envs": size, "threads": 1}
        entries = [Entry("AtariVectorEnv", "vector", batch), Entry("gym2600", "vector", batch)]
        title = f"steps of {_games(size)}, per second of CPU"
        yield Row(f"python-{size}", title, "steps/s", entries, clock="cpu", compared=ALL)
    entries = [
        Entry("gym2600", "vector", {"envs": THREADED, "threads": threads}, f"gym2600, {words}")
        for threads, words in ((1, "one thread"), (2, "two threads"))
    ]
    yield Row("python-threads", f"steps of {THREADED} games", "steps/s", entries, games=THREADED_GAMES, compared=ALL)
    entries = [
        Entry("gym2600", "vector", {"envs": size, "threads": 1}, f"gym2600, {_games(size)}", same=False) for size in curve
    ]
    yield Row("python-curve", "steps of a batch, per second of CPU", "steps/s", entries, games=(), clock="cpu")


# The settings of tests/bench/sb3.py, for our learner.
SB3_RUN = {
    "algorithm": "ppo",
    "net": "nature",
    "envs": 8,
    "threads": 1,
    "settings": {
        "rollout": 128,
        "epochs": 4,
        "minibatches": 4,
        "learning_rate": 2.5e-4,
        "clip": 0.1,
        "gamma": 0.99,
    },
}
# A run that learns with Stable-Baselines3, whose packages only scripts/test-heavy installs, and the same work of our learner.
SB3 = Row(
    "python-sb3",
    "steps of PPO with nature and 8 games, one thread",
    "steps/s",
    [
        *(Entry(competitor, "ppo", {"envs": 8}) for competitor in ("SB3 with ale-py", "SB3 with gym2600")),
        Entry("native", "train", SB3_RUN, "gym2600 train, native", same=False),
        Entry("node", "train", SB3_RUN, "gym2600 train, Node", same=False),
        Entry("chromium", "train", SB3_RUN, "gym2600 train, Chromium", same=False),
    ],
    games=(),
    compared=ALL,
)

ONCE = {
    "startup": "construction to first observation",
    "startup-new": "the same, ROM new to the process",
    "startup-compiled": "the same, first of a process, module compiled before",
    "startup-cold": "the same, functions compiled when called",
    "startup-new-frames": "first observation of a new ROM, in frames of ale-py",
    "startup-compiled-frames": "first observation of a process, module compiled before, in frames of ale-py",
    "reset": "reset",
    "reset-again": "reset from a state seen before",
    "memory": "memory per game",
    "growth": "growth of memory over many steps",
    "python-memory": "memory per game beyond its observation",
}

KEYS = (*(row.key for row in RATES), "scaling", "train", "python", "startup", "reset", "memory", "growth")
# Those that are measured only if they are named.
NAMED_KEYS = (SB3.key,)


@dataclass(frozen=True)
class Effort:
    """The amount of work of each measurement."""

    games: Sequence[str] = GAMES
    rows: Sequence[str] = KEYS
    rounds: int = 5
    seconds: float = 0.2
    # Frames played before the first round, so that V8 has optimised the hot functions.
    warm_up: int = 2000
    sizes: Sequence[int] = (1, 2, 4, 8, 16, 64, 256)
    runs: Sequence[tuple[str, str]] = RUNS
    python_sizes: Sequence[int] = PYTHON_SIZES
    curve: Sequence[int] = (1, 4, 16, 64, 256, 1024)
    samples: int = 10
    # Processes for start-ups: each has one first game, and one first game of a ROM.
    processes: int = 3
    games_in_memory: int = 64
    growth_steps: int = 50_000

    def games_of(self, row: Row) -> Sequence[str]:
        """The games with which a row is measured."""
        if row.games is None:
            return self.games
        return [game for game in self.games if game in row.games] or self.games[:1]

    def rates(self) -> list[Row]:
        """The selected rows of rates."""
        wanted = [row for row in RATES if row.key in self.rows]
        groups = {
            "scaling": scaling(self.sizes),
            "train": training(self.runs),
            "python": python(self.python_sizes, self.curve),
            SB3.key: [SB3],
        }
        return [*wanted, *(row for key, rows in groups.items() if key in self.rows for row in rows)]

    def short(self) -> Effort:
        """The least that runs every measurement."""
        return replace(
            self,
            games=self.games[:1],
            rounds=1,
            seconds=0.01,
            warm_up=40,
            sizes=(1, 2),
            runs=(("a2c", "tiny"),),
            python_sizes=(1, 2),
            curve=(1, 2),
            samples=2,
            processes=1,
            games_in_memory=4,
            growth_steps=200,
        )

    def long(self) -> Effort:
        """With a million steps for the growth of memory."""
        return replace(self, growth_steps=1_000_000)
