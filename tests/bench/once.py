"""Single measurements: start-up, resets, memory. A ratio is the first competitor's time over that of another."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from statistics import median
from typing import Any

from conformance import roms

from .competitors import Competitors
from .plan import ONCE, Effort, Entry
from .rates import mean, request

OURS = ("native", "node", "chromium")
# The engines that can compile the whole module before the first call.
COMPILED = {"node": "node, compiled", "chromium": "chromium, compiled"}
# A game that is not measured. It warms the code.
WARM_UP_GAME = "freeway"

Lines = list[dict[str, Any]]
# Seconds by competitor and game.
Times = dict[str, dict[str, list[float]]]
# A row, a game, and the seconds to its first observation.
Start = tuple[str, str, float]


def _line(row: str, competitor: str, unit: str, value: float, **more: Any) -> dict[str, Any]:
    return {"row": row, "title": ONCE[row], "competitor": competitor, "unit": unit, "value": value, **more}


def _times(row: str, taken: Times) -> Lines:
    """The lines of a row of times: the median and the least of each game, and the geometric means over the games."""
    first = next(iter(taken.values()))
    lines = []
    for name, games in taken.items():
        ratios = {game: median(first[game]) / median(values) for game, values in games.items()}
        milliseconds = {game: median(values) * 1000 for game, values in games.items()}
        least = {game: min(values) * 1000 for game, values in games.items()}
        every = [value * 1000 for values in games.values() for value in values]
        detail = {game: {"ratio": ratios[game], "value": milliseconds[game], "least": least[game]} for game in games}
        more = {"ratio": mean(list(ratios.values())), "range": [min(every), max(every)], "games": detail}
        means = {"value": mean(list(milliseconds.values())), "least": mean(list(least.values()))}
        lines.append(_line(row, name, "ms", **means, **more))
    return lines


def startup(competitors: Competitors, effort: Effort) -> Lines:
    """Construction to first observation: of a ROM that the process knows, of a new ROM, and of a new process.

    The last two are also given in frames that ale-py plays in that time, which is comparable between machines.
    """
    names = ("AtariVectorEnv", *OURS)
    rows = ("startup", "startup-new", "startup-compiled", "startup-cold")
    taken: dict[str, Times] = {row: {name: {game: [] for game in effort.games} for name in names} for row in rows}
    frames: dict[str, Times] = {row: {name: {game: [] for game in effort.games} for name in names} for row in rows}
    for _ in range(effort.processes):
        for measure in (_new_and_known, _first_of_processes):
            for name in names:
                pace = {game: _pace(competitors, game, effort) for game in effort.games}
                for row, game, seconds in measure(competitors, effort, name):
                    taken[row][name][game].append(seconds)
                    frames[row][name][game].append(seconds * pace[game])
    lines = [line for row in rows for line in _times(row, taken[row])]
    for row in ("startup-new", "startup-compiled"):
        for name in OURS:
            detail = {game: {"value": median(values)} for game, values in frames[row][name].items()}
            value = mean([entry["value"] for entry in detail.values()])
            lines.append(_line(f"{row}-frames", name, "frames", value, games=detail))
    return lines


def _new_and_known(competitors: Competitors, effort: Effort, name: str) -> Iterator[Start]:
    """Start-ups of ROMs that are new to a process, and then of the same ROMs again."""
    # No other process works after the warm-up, because a process is slow after a pause.
    other_game = {"measure": "steps", "rom": str(roms.path_of(WARM_UP_GAME)), "count": effort.warm_up}
    competitors.renew(name)
    competitors.ask(name, other_game)
    for game in effort.games:
        new, *others = competitors.ask(name, _startup(game, 1 + effort.samples))["values"]
        yield "startup-new", game, new
        for known in others:
            yield "startup", game, known


def _first_of_processes(competitors: Competitors, effort: Effort, name: str) -> Iterator[Start]:
    """First start-ups of processes: with functions compiled when they are called, and with all of them compiled before."""
    for game in effort.games:
        [cold] = competitors.ask_fresh(name, _startup(game, 1))["values"]
        yield "startup-cold", game, cold
        if name not in COMPILED:
            yield "startup-compiled", game, cold
            continue
        [compiled] = competitors.ask_fresh(COMPILED[name], _startup(game, 1))["values"]
        competitors.renew(COMPILED[name])
        yield "startup-compiled", game, compiled
    competitors.renew(name)


def _pace(competitors: Competitors, game: str, effort: Effort) -> float:
    """Frames that ale-py plays in a second."""
    answer = competitors.ask("ale-py", request(Entry("ale-py", "frames"), game, seconds=effort.seconds))
    return answer["done"] / answer["seconds"]


def _startup(game: str, count: int) -> dict[str, Any]:
    return {"measure": "startup", "rom": str(roms.path_of(game)), "count": count}


def reset(competitors: Competitors, effort: Effort) -> Lines:
    """A reset after some play, and one more from the same state.

    There are no rounds: the reset cache would answer all resets of a second round.
    """
    first: Times = {}
    again: Times = {}
    for name in ("ale-py", *OURS):
        for game in effort.games:
            asked = {"measure": "reset", "rom": str(roms.path_of(game)), "count": effort.samples}
            answer = competitors.ask(name, asked)
            first.setdefault(name, {})[game] = answer["first"]
            again.setdefault(name, {})[game] = answer["again"]
    return [*_times("reset", first), *_times("reset-again", again)]


def memory(competitors: Competitors, effort: Effort) -> Lines:
    """Memory of a game, each measured in a new process."""
    lines = []
    for name in ("AtariVectorEnv", *OURS):
        games = {}
        for game in effort.games:
            asked = {"measure": "memory", "rom": str(roms.path_of(game)), "count": effort.games_in_memory}
            answer = competitors.ask_fresh(name, asked)["bytes"]
            if answer is not None:
                games[game] = {"value": answer / 1024}
        if games:
            largest = max(games.values(), key=lambda detail: detail["value"])["value"]
            lines.append(_line("memory", name, "KB", largest, games=games))
    return lines


def python_memory(competitors: Competitors, effort: Effort) -> Lines:
    """Memory of a game of the Python package beyond its observation, each measured in a new process."""
    games = {}
    for game in effort.games:
        asked = {"measure": "memory", "rom": str(roms.path_of(game)), "count": effort.games_in_memory}
        games[game] = {"value": competitors.ask_fresh("gym2600", asked)["bytes"] / 1024}
    largest = max(detail["value"] for detail in games.values())
    return [_line("python-memory", "gym2600", "KB", largest, games=games)]


def growth(competitors: Competitors, effort: Effort) -> Lines:
    """Growth of the WebAssembly module's memory over many steps."""
    game, lines = effort.games[0], []
    for name in ("node", "chromium"):
        asked = {"measure": "growth", "rom": str(roms.path_of(game)), "count": effort.growth_steps}
        answer = competitors.ask_fresh(name, asked)
        label = f"{name}, {answer['done']:,} steps of {game}"
        more = {"steps": answer["done"], "episodes": answer["episodes"], "before": answer["before"]}
        lines.append(_line("growth", label, "bytes", answer["bytes"], **more))
    return lines


MEASURES: dict[str, Callable[[Competitors, Effort], Lines]] = {
    "startup": startup,
    "reset": reset,
    "memory": memory,
    "growth": growth,
    "python": python_memory,
}
