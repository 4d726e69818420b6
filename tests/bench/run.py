"""`scripts/bench`: how fast the console and the environments are, as ratios to the Python stacks on the same machine."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from . import machine, once, rates, table
from .competitors import ROOT, BenchError, Competitors
from .plan import GAMES, KEYS, Effort

OUTPUT = ROOT / "target" / "bench" / "performance.json"
CHECKED_IN = ROOT / "docs" / "performance.json"


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The options."""
    parser = argparse.ArgumentParser(prog="scripts/bench", description=__doc__)
    names = {"type": lambda text: text.split(","), "metavar": "NAME,.."}
    parser.add_argument("--games", default=list(GAMES), **names, help=f"of ale-py's ROMs; unless said {','.join(GAMES)}")
    parser.add_argument("--rows", default=list(KEYS), **names, help=f"what to measure: {', '.join(KEYS)}")
    parser.add_argument("--rounds", type=int, default=Effort.rounds, help="turns that the competitors take")
    parser.add_argument("--seconds", type=float, default=Effort.seconds, help="how long a turn is")
    parser.add_argument("--long", action="store_true", help="a million steps to see whether memory grows")
    parser.add_argument("--short", action="store_true", help="only to see that everything works: the figures mean nothing")
    parser.add_argument("--json", type=Path, default=OUTPUT, metavar="FILE", help="where the figures go to")
    parser.add_argument("--keep", action="store_true", help="write the figures to docs/performance.json too")
    parser.add_argument("--write-table", type=Path, metavar="FILE", help="write the table between the markers of a file")
    parser.add_argument("--from", type=Path, metavar="FILE", dest="source", help="measure nothing: show a file of figures")
    options = parser.parse_args(arguments)
    for row in options.rows:
        if row not in KEYS:
            parser.error(f"unknown row {row!r}: its rows are {', '.join(KEYS)}")
    if options.rounds < 1 or options.seconds <= 0:
        parser.error(f"--rounds {options.rounds} --seconds {options.seconds}: both have to be more than 0")
    return options


def effort_of(options: argparse.Namespace) -> Effort:
    """How much the options ask for."""
    effort = Effort(games=options.games, rows=options.rows, rounds=options.rounds, seconds=options.seconds)
    if options.long:
        effort = effort.long()
    return effort.short() if options.short else effort


def measure(effort: Effort, command: str) -> Iterator[dict[str, Any]]:
    """The figures, as they are written to JSON: with every row those so far."""
    begin = time.time()
    figures = {
        "command": command,
        "machine": machine.describe(),
        "games": list(effort.games),
        "rounds": effort.rounds,
        "seconds": effort.seconds,
        "minutes": 0.0,
        "lines": [],
    }
    with Competitors() as competitors:
        for lines in rows(competitors, effort):
            table.show(lines)
            figures["lines"] += lines
            figures["minutes"] = round((time.time() - begin) / 60, 1)
            yield figures


def rows(competitors: Competitors, effort: Effort) -> Iterator[list[dict[str, Any]]]:
    """The lines of every row that is wanted."""
    for row in effort.rates():
        yield rates.measure(competitors, row, effort)
    for key, measure_once in once.MEASURES.items():
        if key in effort.rows:
            yield measure_once(competitors, effort)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measures, prints and writes."""
    options = parse(arguments)
    given = sys.argv[1:] if arguments is None else list(arguments)
    kept = [word for word in given if not word.startswith("--keep")]
    try:
        if options.source:
            figures = json.loads(options.source.read_text())
        else:
            for figures in measure(effort_of(options), " ".join(["npm run bench", *(["--", *kept] if kept else [])])):
                options.json.parent.mkdir(parents=True, exist_ok=True)
                options.json.write_text(json.dumps(figures, indent=1) + "\n")
    except (BenchError, FileNotFoundError) as error:
        print(f"bench: {error}", file=sys.stderr)
        return 1
    if options.keep:
        CHECKED_IN.write_text(json.dumps(figures, indent=1) + "\n")
    print("\n" + table.markdown(figures))
    if options.write_table:
        table.write(options.write_table, figures)
    return 0


if __name__ == "__main__":
    sys.exit(main())
