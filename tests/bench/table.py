"""The figures as tables: line by line on the terminal, and between the markers of Markdown files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import marked

MARKERS = marked.markers("bench", "scripts/bench")
MARKERS_OF_SUMMARY = marked.markers("bench summary", "scripts/bench")
MARKERS_OF_PYTHON = marked.markers("bench python", "scripts/bench")
# The rows of the summary.
SUMMARY = ("frames", "steps", "vector-worker", "startup", "reset")

Line = dict[str, Any]
# The columns for our builds.
OURS = {"native": "native", "node": "wasm in Node", "chromium": "wasm in Chromium"}


def show(lines: Sequence[Line]) -> None:
    """Prints lines."""
    title = ""
    for line in lines:
        shown = line["title"] if line["title"] != title else ""
        title = line["title"]
        print(f"{shown:<34} {line['competitor']:<28} {number_of(line):>16} {_ratio(line)}", flush=True)


def number_of(line: Line) -> str:
    """The value and its unit."""
    value, unit = line["value"], line["unit"]
    if unit == "ms":
        return _time(value)
    if unit == "bytes":
        return f"{value / 1000:.1f} kB" if value else "0 bytes"
    return f"{value:,.0f} {unit}"


def _time(milliseconds: float) -> str:
    return f"{milliseconds:.3g} ms" if milliseconds >= 0.1 else f"{milliseconds * 1000:.3g} us"


def _ratio(line: Line) -> str:
    """The ratio, its spread over the rounds, and the games with the least and the greatest ratio."""
    if "ratio" not in line:
        return ""
    text = f"{line['ratio']:6.2f} x"
    if "least" in line:
        text += f" (least {_time(line['least'])})"
    if "spread" in line:
        low, high = line["spread"]
        text += f" ({low:.2f}..{high:.2f})"
    if len(line.get("games", ())) > 1:
        worst, best = ends(line)
        text += f"  {worst[1]:.2f} {worst[0]} .. {best[1]:.2f} {best[0]}"
    return text


def ends(line: Line) -> tuple[tuple[str, float], tuple[str, float]]:
    """The games with the least and the greatest ratio."""
    ratios = sorted(((name, detail["ratio"]) for name, detail in line["games"].items()), key=lambda pair: pair[1])
    return ratios[0], ratios[-1]


def markdown(figures: dict[str, Any]) -> str:
    """All tables but that of the Python package, and how they were made."""
    rows = [lines for lines in _by_row(figures["lines"]) if not _is_python(lines)]
    growing = [lines for lines in rows if lines[0]["row"].startswith("scaling-")]
    others = [lines for lines in rows if "ratio" in lines[0] and lines not in growing]
    plain = [lines for lines in rows if "ratio" not in lines[0]]
    heads = ["", "measured against", *OURS.values(), "others"]
    parts = [
        _table(heads, [_markdown_row(lines) for lines in others]),
        _growing(growing),
        _plain(plain),
    ]
    return _joined(parts, figures)


def summary(figures: dict[str, Any]) -> str:
    """Five rows for the README."""
    rows = {lines[0]["row"]: lines for lines in _by_row(figures["lines"])}
    cells = [_markdown_row(rows[key])[:-1] for key in SUMMARY if key in rows]
    return _table(["", "measured against", *OURS.values()], cells)


def python(figures: dict[str, Any]) -> str:
    """The table of the Python package, and how it was made."""
    rows = [lines for lines in _by_row(figures["lines"]) if _is_python(lines)]
    cells = []
    for first, *others in (lines for lines in rows if "ratio" in lines[0]):
        ratios = "; ".join(f"{line['competitor']} {_cell(line)}" for line in others)
        cells.append([first["title"], f"{first['competitor']}, {number_of(first)}", ratios])
    plain = [lines for lines in rows if "ratio" not in lines[0]]
    return _joined([_table(["", "measured against", "ratio"], cells), _plain(plain)], figures)


def _is_python(lines: Sequence[Line]) -> bool:
    return lines[0]["row"].startswith("python-")


def _joined(parts: Sequence[str], figures: dict[str, Any]) -> str:
    """The parts that there are, and how they were made. Without any, nothing."""
    found = [part for part in parts if part]
    return "\n\n".join([*found, _made(figures)]) if found else ""


def _growing(rows: Sequence[Sequence[Line]]) -> str:
    """Steps a second for each number of games."""
    names = list(dict.fromkeys(line["competitor"] for lines in rows for line in lines))
    cells = []
    for lines in rows:
        values = {line["competitor"]: f"{line['value']:,.0f}" for line in lines}
        cells.append([lines[0]["title"], *(values.get(name, "") for name in names)])
    return _table(["steps/s", *names], cells)


def _by_row(lines: Sequence[Line]) -> list[list[Line]]:
    rows: dict[str, list[Line]] = {}
    for line in lines:
        rows.setdefault(line["row"], []).append(line)
    return list(rows.values())


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    if not rows:
        return ""
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def _markdown_row(lines: Sequence[Line]) -> list[str]:
    first, *rest = lines
    own = {line["competitor"]: _cell(line) for line in rest if line["competitor"] in OURS}
    others = [f"{line['competitor']} {_cell(line)}" for line in rest if line["competitor"] not in OURS]
    against = f"{first['competitor']}, {_cell(first) if first['unit'] == 'ms' else number_of(first)}"
    return [first["title"], against, *(own.get(name, "") for name in OURS), "; ".join(others)]


def _cell(line: Line) -> str:
    """The ratio and the least ratio of a game, or the median time and the least."""
    if line["unit"] == "ms":
        return f"{number_of(line)} ({_time(line['least'])})"
    text = f"{line['ratio']:.2f} x"
    is_ours = line["competitor"].partition(",")[0] in (*OURS, "gym2600")
    return f"**{text}** ({ends(line)[0][1]:.2f})" if is_ours and len(line["games"]) > 1 else text


def _plain(rows: Sequence[Sequence[Line]]) -> str:
    """Rows without a ratio, as sentences."""
    said = []
    for row in rows:
        values = ", ".join(f"{line['competitor']} {number_of(line)}" for line in row)
        said.append(f"{row[0]['title']}: {values}")
    text = "; ".join(said)
    return f"{text[:1].upper()}{text[1:]}." if text else ""


def _made(figures: dict[str, Any]) -> str:
    """The command, the machine and the versions."""
    machine = figures["machine"]
    versions = ", ".join(f"{name} {machine[name]}" for name in ("ale-py", "envpool", "gymnasium"))
    games = len(figures["games"])
    return (
        f"`{figures['command']}` at commit {machine['commit']} on {machine['processor']}; {versions}, Node {machine['node']}, {machine['chromium']}. "
        f"Random actions, a reset at the end of a game, {figures['rounds']} rounds of {figures['seconds']} s in turns. "
        f"Ratios: geometric mean over {games} games of the median, in brackets the game with the least. "
        f"Times: the median, in brackets the least, which other load on the machine affects least."
    )


def write(path: Path, figures: dict[str, Any]) -> None:
    """Replaces the tables between the markers of a file, those of which the figures have rows."""
    tables = {MARKERS: markdown(figures), MARKERS_OF_SUMMARY: summary(figures), MARKERS_OF_PYTHON: python(figures)}
    marked.write(path, {markers: table for markers, table in tables.items() if table})
