"""Tables between two markers of a Markdown file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path


def markers(name: str, script: str) -> tuple[str, str]:
    """The lines before and after a table that a script writes."""
    return f"<!-- {name}: begin (written by {script} --write-table) -->", f"<!-- {name}: end -->"


def write(path: Path, tables: Mapping[tuple[str, str], str]) -> None:
    """Replaces the text between each pair of markers that a file has. A file without any of them is an error."""
    text = path.read_text()
    found = False
    for (begin, end), table in tables.items():
        before, first, rest = text.partition(begin)
        _, last, after = rest.partition(end)
        if first and last:
            text, found = f"{before}{begin}\n{table}\n{end}{after}", True
    if not found:
        raise ValueError(f"{path} lacks the lines {' or '.join(f'{begin} and {end}' for begin, end in tables)}")
    path.write_text(text)
