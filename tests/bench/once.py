"""What is measured by the piece: start-up, resets, memory, sizes. Ratios say how many times less than the first takes."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from statistics import median
from typing import Any

from conformance import roms

from .competitors import ROOT, Competitors
from .plan import ONCE, Effort, Entry
from .rates import mean, request

OURS = ("native", "node", "chromium")
# Those of them whose engines can compile the module before anything is called.
COMPILED = {"node": "node, compiled", "chromium": "chromium, compiled"}
# A game that is none of those measured.
STRANGER = "freeway"
PACKAGE = ROOT / "packages" / "gym2600"

Lines = list[dict[str, Any]]
# Seconds by competitor and game.
Times = dict[str, dict[str, list[float]]]


def _line(row: str, competitor: str, unit: str, value: float, **more: Any) -> dict[str, Any]:
    return {"row": row, "title": ONCE[row], "competitor": competitor, "unit": unit, "value": value, **more}


def _times(row: str, taken: Times) -> Lines:
    """Lines for the seconds that competitors took in games: in each game the median and the least, and of these the means."""
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
    """Construction to first observation; in rows of their own that of a ROM that is new to the process, and the first of a process.

    These two also in frames that ale-py plays in that time, which says how long it is on a machine that is faster or slower.
    """
    names = ("AtariVectorEnv", *OURS)
    keys = ("startup", "startup-new", "startup-compiled", "startup-cold")
    taken: dict[str, Times] = {key: {name: {game: [] for game in effort.games} for name in names} for key in keys}
    frames: dict[str, Times] = {key: {name: {game: [] for game in effort.games} for name in OURS} for key in keys[1:3]}

    def note(key: str, name: str, game: str, seconds: float) -> None:
        taken[key][name][game].append(seconds)
        if key in frames and name in OURS:
            frames[key][name][game].append(seconds * pace[game])

    for _ in range(effort.processes):
        for name in names:
            pace = {game: _pace(competitors, game, effort) for game in effort.games}
            # Another game warms the code; nobody else is asked after it, for a process that has waited is slow.
            stranger = {"measure": "steps", "rom": str(roms.path_of(STRANGER)), "count": effort.warm_up}
            competitors.renew(name)
            competitors.ask(name, stranger)
            for game in effort.games:
                new, *others = competitors.ask(name, _startup(game, 1 + effort.samples))["values"]
                note("startup-new", name, game, new)
                taken["startup"][name][game] += others
        for name in names:
            pace = {game: _pace(competitors, game, effort) for game in effort.games}
            for game in effort.games:
                [cold] = competitors.ask_fresh(name, _startup(game, 1))["values"]
                note("startup-cold", name, game, cold)
                if name in COMPILED:
                    [compiled] = competitors.ask_fresh(COMPILED[name], _startup(game, 1))["values"]
                    competitors.renew(COMPILED[name])
                    note("startup-compiled", name, game, compiled)
                else:
                    note("startup-compiled", name, game, cold)
            competitors.renew(name)
    lines = [line for key in keys for line in _times(key, taken[key])]
    for key, names_taken in frames.items():
        for name, games in names_taken.items():
            detail = {game: {"value": median(values)} for game, values in games.items()}
            value = mean([entry["value"] for entry in detail.values()])
            lines.append(_line(f"{key}-frames", name, "frames", value, games=detail))
    return lines


def _pace(competitors: Competitors, game: str, effort: Effort) -> float:
    """Frames that ale-py plays in a second."""
    answer = competitors.ask("ale-py", request(Entry("ale-py", "frames"), game, seconds=effort.seconds))
    return answer["done"] / answer["seconds"]


def _startup(game: str, count: int) -> dict[str, Any]:
    return {"measure": "startup", "rom": str(roms.path_of(game)), "count": count}


def reset(competitors: Competitors, effort: Effort) -> Lines:
    """A reset after some play, and one more from the same state.

    Once each and not in turns: a game that is played again comes to the same resets, which are remembered then.
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
