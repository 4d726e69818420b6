"""`scripts/bench`: the speed of the console and the environments, as ratios to the Python stacks on the same machine."""

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
from .plan import GAMES, KEYS, NAMED_KEYS, Effort

OUTPUT = ROOT / "target" / "bench" / "performance.json"
CHECKED_IN = ROOT / "docs" / "performance.json"


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The options."""
    parser = argparse.ArgumentParser(prog="scripts/bench", description=__doc__)
    names = {"type": lambda text: text.split(","), "metavar": "NAME,.."}
    parser.add_argument("--games", default=list(GAMES), **names, help=f"names of ale-py's ROMs ({','.join(GAMES)})")
    rows_help = f"what to measure: {', '.join(KEYS)}; with the packages of scripts/test-heavy: {', '.join(NAMED_KEYS)}"
    parser.add_argument("--rows", default=list(KEYS), **names, help=rows_help)
    parser.add_argument("--rounds", type=int, default=Effort.rounds, help="turns of each competitor (5)")
    parser.add_argument("--seconds", type=float, default=Effort.seconds, help="length of a turn (0.2)")
    parser.add_argument("--long", action="store_true", help="measure the growth of memory over a million steps")
    parser.add_argument("--short", action="store_true", help="the least work that runs everything; the figures mean nothing")
    parser.add_argument("--json", type=Path, default=OUTPUT, metavar="FILE", help="where the figures are written")
    parser.add_argument("--keep", action="store_true", help="write the figures to docs/performance.json too")
    parser.add_argument(
        "--write-table", type=Path, nargs="+", default=[], metavar="FILE", help="write the tables between the files' markers"
    )
    parser.add_argument(
        "--from", type=Path, nargs="+", metavar="FILE", dest="sources", help="show files of figures, joined, instead of measuring"
    )
    options = parser.parse_args(arguments)
    for row in options.rows:
        if row not in (*KEYS, *NAMED_KEYS):
            parser.error(f"unknown row {row!r}: its rows are {', '.join((*KEYS, *NAMED_KEYS))}")
    if options.rounds < 1 or options.seconds <= 0:
        parser.error(f"--rounds {options.rounds} --seconds {options.seconds}: both must be greater than 0")
    return options


def effort_of(options: argparse.Namespace) -> Effort:
    """The effort that the options select."""
    effort = Effort(games=options.games, rows=options.rows, rounds=options.rounds, seconds=options.seconds)
    if options.long:
        effort = effort.long()
    return effort.short() if options.short else effort


def measure(effort: Effort, command: str) -> Iterator[dict[str, Any]]:
    """The figures as written to JSON. Yields all figures so far after each row."""
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
    """The lines of every selected row."""
    for row in effort.rates():
        yield rates.measure(competitors, row, effort)
    for key, measure_once in once.MEASURES.items():
        if key in effort.rows:
            yield measure_once(competitors, effort)


def joined(parts: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The figures of several runs of one commit, each with rows of its own, as those of one run."""
    for part in parts[1:]:
        if part["machine"] != parts[0]["machine"]:
            raise BenchError(f"the files are of {parts[0]['machine']} and {part['machine']}")
    minutes = round(sum(part["minutes"] for part in parts), 1)
    return {**parts[0], "minutes": minutes, "lines": [line for part in parts for line in part["lines"]]}


def main(arguments: Sequence[str] | None = None) -> int:
    """Measures, prints and writes the figures."""
    options = parse(arguments)
    given = sys.argv[1:] if arguments is None else list(arguments)
    kept = [word for word in given if not word.startswith("--keep")]
    try:
        if options.sources:
            figures = joined([json.loads(source.read_text()) for source in options.sources])
        else:
            for figures in measure(effort_of(options), " ".join(["npm run bench", *(["--", *kept] if kept else [])])):
                options.json.parent.mkdir(parents=True, exist_ok=True)
                options.json.write_text(json.dumps(figures, indent=1) + "\n")
    except (BenchError, FileNotFoundError) as error:
        print(f"bench: {error}", file=sys.stderr)
        return 1
    if options.keep:
        CHECKED_IN.write_text(json.dumps(figures, indent=1) + "\n")
    print("\n" + "\n\n".join(filter(None, (table.markdown(figures), table.python(figures)))))
    for path in options.write_table:
        table.write(path, figures)
    return 0


if __name__ == "__main__":
    sys.exit(main())
