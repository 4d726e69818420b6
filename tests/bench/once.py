"""What is measured by the piece: start-up, resets, memory, sizes. Ratios say how many times less than the first takes."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterator
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
# A row, a game, and the seconds that it took to its first observation.
Start = tuple[str, str, float]


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
    """Games of ROMs that are new to a process, and more of them."""
    # Another game warms the code; nobody else is asked after it, for a process that has waited is slow.
    stranger = {"measure": "steps", "rom": str(roms.path_of(STRANGER)), "count": effort.warm_up}
    competitors.renew(name)
    competitors.ask(name, stranger)
    for game in effort.games:
        new, *others = competitors.ask(name, _startup(game, 1 + effort.samples))["values"]
        yield "startup-new", game, new
        for known in others:
            yield "startup", game, known


def _first_of_processes(competitors: Competitors, effort: Effort, name: str) -> Iterator[Start]:
    """The first games of processes, as the engine compiles them and with all compiled beforehand."""
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
