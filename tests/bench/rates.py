"""Rates. Competitors take turns; each rate is divided by that of the row's first competitor in the same round."""

from __future__ import annotations

import math
import sys
import tomllib
from collections.abc import Sequence
from itertools import pairwise
from statistics import median
from typing import Any

import ale_py
from conformance import definitions, roms

from .competitors import BenchError, Competitors
from .plan import Effort, Entry, Row

FRAMES_A_STEP = 4


def minimal_actions(game: str) -> list[int]:
    """ALE's numbers of a game's minimal actions: those that its definition names, else all."""
    definition = tomllib.loads((definitions.GAMES / f"{game}.toml").read_text())
    named = definition.get("actions", {}).get("minimal", ale_py.Action.__members__)
    return [getattr(ale_py.Action, name).value for name in named]


def request(entry: Entry, game: str, **amount: Any) -> dict[str, Any]:
    """The request to an entry's competitor."""
    asked = {"measure": entry.measure, "rom": str(roms.path_of(game)), **entry.details, **amount}
    if entry.measure in ("frames", "hidden"):
        asked["actions"] = minimal_actions(game)
    return asked


def warm_up(competitors: Competitors, row: Row, game: str, effort: Effort) -> None:
    """Plays a game with each competitor. Entries marked as the same must get equal rewards and ends."""
    frames = row.unit == "frames/s"
    results = {}
    for entry in row.entries:
        envs = entry.details.get("envs", 1)
        count = effort.warm_up if frames else max(effort.warm_up // FRAMES_A_STEP, 4 * envs)
        answer = competitors.ask(entry.competitor, request(entry, game, count=count), entry.name())
        results[entry.name()] = tuple(answer.get(name) for name in row.compared)
    for first, name in pairwise(entry.name() for entry in row.entries if entry.same):
        if results[name] != results[first]:
            both = f"{name} has {results[name]} and {first} has {results[first]} ({', '.join(row.compared)})"
            raise BenchError(f"{row.title}, {game}: {both}, so they do not play the same")


def measure_game(competitors: Competitors, row: Row, game: str, effort: Effort) -> list[list[float]]:
    """The rates of every entry, by round."""
    warm_up(competitors, row, game, effort)
    taken: list[list[float]] = [[] for _ in row.entries]
    for _ in range(effort.rounds):
        for values, entry in zip(taken, row.entries, strict=True):
            answer = competitors.ask(entry.competitor, request(entry, game, seconds=effort.seconds), entry.name())
            values.append(answer["done"] / answer[row.clock])
    return taken


def mean(values: Sequence[float]) -> float:
    """The geometric mean."""
    return math.exp(sum(map(math.log, values)) / len(values))


def measure(competitors: Competitors, row: Row, effort: Effort) -> list[dict[str, Any]]:
    """The lines of a row."""
    games = effort.games_of(row)
    taken = {}
    for game in games:
        print(f"{row.title}: {game}   ", end="\r", file=sys.stderr)
        taken[game] = measure_game(competitors, row, game, effort)
    lines = []
    for number, entry in enumerate(row.entries):
        rounds = {
            game: [own / base for own, base in zip(values[number], values[0], strict=True)]
            for game, values in taken.items()
        }
        means = [mean([rounds[game][turn] for game in games]) for turn in range(effort.rounds)]
        lines.append(
            {
                "row": row.key,
                "title": row.title,
                "competitor": entry.name(),
                "unit": row.unit,
                "value": mean([median(values[number]) for values in taken.values()]),
                "ratio": mean([median(rounds[game]) for game in games]),
                "spread": [min(means), max(means)],
                "games": {
                    game: {"ratio": median(rounds[game]), "value": median(taken[game][number])} for game in games
                },
            }
        )
    return lines
