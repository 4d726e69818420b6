"""What is measured: rows of competitors that do the same, each held against the row's first."""

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
    """A competitor in a row, and what it is asked for there."""

    competitor: str
    measure: str
    details: dict[str, Any] = field(default_factory=dict)
    label: str = ""
    # Plays the very game that the row's first plays: the same rewards and ends.
    same: bool = True

    def name(self) -> str:
        """What the table calls it."""
        return self.label or self.competitor


@dataclass(frozen=True)
class Row:
    """Entries that are measured in turns; the ratios are to the first of them."""

    key: str
    title: str
    unit: str
    entries: Sequence[Entry]
    # Only with the first of the games.
    one_game: bool = False


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


# AtariVectorEnv takes 0.15 s to make an environment, so the largest batches are ours alone.
LARGEST_COMPARED = 16


def scaling(sizes: Sequence[int]) -> Iterator[Row]:
    """How cost grows with the number of games, in one worker and over two."""
    for size in sizes:
        entries = [Entry("native", "vector", {"envs": size}), *_web("vector", "one worker", envs=size, workers=1)]
        if size <= LARGEST_COMPARED:
            entries.insert(0, Entry("AtariVectorEnv", "vector", {"envs": size, "threads": 1}))
        if size > 1:
            entries += _web("vector", "two workers", envs=size, workers=2)
        title = "steps of 1 game" if size == 1 else f"steps of {size} games"
        yield Row(f"scaling-{size}", title, "steps/s", entries, one_game=True)


ONCE = {
    "startup": "construction to first observation",
    "startup-new": "the same, first of its ROM",
    "startup-compiled": "the first of a process, compiled",
    "startup-cold": "the same, compiled when called",
    "startup-new-frames": "first observation of a new ROM, in frames that ale-py plays in that time",
    "startup-compiled-frames": "that of the first game of a process, compiled, in such frames",
    "reset": "reset",
    "reset-again": "reset from a state seen before",
    "memory": "memory per game",
    "growth": "growth of memory over many steps",
    "size": "size, gzip",
}

KEYS = (*(row.key for row in RATES), "scaling", "startup", "reset", "memory", "growth", "size")


@dataclass(frozen=True)
class Effort:
    """How long everything is measured."""

    games: Sequence[str] = GAMES
    rows: Sequence[str] = KEYS
    rounds: int = 5
    seconds: float = 0.2
    # Frames played before the first round: V8 compiles what is hot only after it has run for a while.
    warm_up: int = 2000
    sizes: Sequence[int] = (1, 2, 4, 8, 16, 64, 256)
    samples: int = 10
    # Processes in which start-up is measured, for a process has only one first game, and one first of a ROM.
    processes: int = 3
    games_in_memory: int = 64
    growth_steps: int = 50_000

    def rates(self) -> list[Row]:
        """The rows of rates that are wanted."""
        wanted = [row for row in RATES if row.key in self.rows]
        return [*wanted, *(scaling(self.sizes) if "scaling" in self.rows else ())]

    def short(self) -> Effort:
        """As little as shows that everything works."""
        return replace(
            self,
            games=self.games[:1],
            rounds=1,
            seconds=0.01,
            warm_up=40,
            sizes=(1, 2),
            samples=2,
            processes=1,
            games_in_memory=4,
            growth_steps=200,
        )

    def long(self) -> Effort:
        """With a million steps."""
        return replace(self, growth_steps=1_000_000)
