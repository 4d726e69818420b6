"""What is measured by the piece: start-up, resets, memory, sizes. Ratios say how many times less than the first takes."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from statistics import median
from typing import Any

from conformance import roms

from .competitors import ROOT, Competitors
from .plan import ONCE, Effort
from .rates import mean

OURS = ("native", "node", "chromium")
# Those of them whose engines can compile the module before anything is called.
COMPILED = {"node": "node, compiled", "chromium": "chromium, compiled"}
# A game that is none of those measured.
STRANGER = "freeway"
PACKAGE = ROOT / "packages" / "gym2600"

Lines = list[dict[str, Any]]


def _line(row: str, competitor: str, unit: str, value: float, **more: Any) -> dict[str, Any]:
    return {"row": row, "title": ONCE[row], "competitor": competitor, "unit": unit, "value": value, **more}


def _times(row: str, taken: dict[str, dict[str, list[float]]]) -> Lines:
    """Lines for the seconds that competitors took in games: in each game the median, and of these the mean."""
    first = next(iter(taken.values()))
    lines = []
    for name, games in taken.items():
        ratios = {game: median(first[game]) / median(values) for game, values in games.items()}
        milliseconds = {game: median(values) * 1000 for game, values in games.items()}
        every = [value * 1000 for values in games.values() for value in values]
        detail = {game: {"ratio": ratios[game], "value": milliseconds[game]} for game in games}
        more = {"ratio": mean(list(ratios.values())), "range": [min(every), max(every)], "games": detail}
        lines.append(_line(row, name, "ms", mean(list(milliseconds.values())), **more))
    return lines


def startup(competitors: Competitors, effort: Effort) -> Lines:
    """Construction to first observation; in rows of their own that of a ROM that is new to the process, and the first of a process."""
    taken: dict[str, dict[str, list[float]]] = {}
    new: dict[str, dict[str, list[float]]] = {}
    for name in ("AtariVectorEnv", *OURS):
        taken[name], new[name] = {}, {}
        # Another game warms the code.
        stranger = {"measure": "steps", "rom": str(roms.path_of(STRANGER)), "count": effort.warm_up}
        competitors.renew(name)
        competitors.ask(name, stranger)
        for game in effort.games:
            values = competitors.ask(name, _startup(game, 1 + effort.samples))["values"]
            new[name][game], taken[name][game] = values[:1], values[1:]
    cold = {name: _first(competitors, effort, name) for name in ("AtariVectorEnv", *OURS)}
    compiled = {name: _first(competitors, effort, COMPILED[name]) if name in COMPILED else cold[name] for name in cold}
    lines = [*_times("startup", taken), *_times("startup-new", new)]
    return [*lines, *_times("startup-compiled", compiled), *_times("startup-cold", cold)]


def _startup(game: str, count: int) -> dict[str, Any]:
    return {"measure": "startup", "rom": str(roms.path_of(game)), "count": count}


def _first(competitors: Competitors, effort: Effort, name: str) -> dict[str, list[float]]:
    """The seconds that each game takes which is the first of a process."""
    times = {game: competitors.ask_fresh(name, _startup(game, 1))["values"] for game in effort.games}
    competitors.renew(name)
    return times


def reset(competitors: Competitors, effort: Effort) -> Lines:
    """A reset after some play, and one more from the same state."""
    first: dict[str, dict[str, list[float]]] = {}
    again: dict[str, dict[str, list[float]]] = {}
    for name in ("ale-py", *OURS):
        for game in effort.games:
            asked = {"measure": "reset", "rom": str(roms.path_of(game)), "count": effort.samples}
            answer = competitors.ask(name, asked)
            first.setdefault(name, {})[game] = answer["first"]
            again.setdefault(name, {})[game] = answer["again"]
    return [*_times("reset", first), *_times("reset-again", again)]


def memory(competitors: Competitors, effort: Effort) -> Lines:
    """In processes that have not done anything else."""
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


def growth(competitors: Competitors, effort: Effort) -> Lines:
    """Memory of the WebAssembly module before and after many steps."""
    game, lines = effort.games[0], []
    for name in ("node", "chromium"):
        asked = {"measure": "growth", "rom": str(roms.path_of(game)), "count": effort.growth_steps}
        answer = competitors.ask_fresh(name, asked)
        label = f"{name}, {answer['done']:,} steps of {game}"
        more = {"steps": answer["done"], "episodes": answer["episodes"], "before": answer["before"]}
        lines.append(_line("growth", label, "bytes", answer["bytes"], **more))
    return lines


def size(_competitors: Competitors, _effort: Effort) -> Lines:
    """What a page loads: the module, and the package's scripts without its program."""
    scripts = [path for path in (PACKAGE / "dist").glob("*.js") if path.name != "cli.js"]
    files = {
        "WebAssembly": [PACKAGE / "wasm" / "gym2600_wasm_bg.wasm"],
        "JavaScript": [*scripts, PACKAGE / "wasm" / "gym2600_wasm.js"],
    }
    return [
        _line("size", name, "bytes", sum(len(gzip.compress(path.read_bytes(), 9)) for path in paths))
        for name, paths in files.items()
    ]


MEASURES: dict[str, Callable[[Competitors, Effort], Lines]] = {
    "startup": startup,
    "reset": reset,
    "memory": memory,
    "growth": growth,
    "size": size,
}
