"""The bench in its shortest form. Only exact figures are checked, not speeds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from . import run, table
from .competitors import BenchError, Competitors
from .plan import KEYS, NAMED_KEYS, RATES, THREADED_GAMES, Effort, Entry, Row
from .rates import warm_up

# One process runs all of these tests, because they share the figures.
pytestmark = pytest.mark.xdist_group("bench")

STARTUP_ROWS = {"startup", "startup-new", "startup-compiled", "startup-cold", "startup-new-frames", "startup-compiled-frames"}
ONCE_ROWS = STARTUP_ROWS | {"reset", "reset-again", "memory", "growth", "python-memory"}


@pytest.fixture(scope="module")
def figures(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The figures of `scripts/bench --short`."""
    path = tmp_path_factory.mktemp("bench") / "performance.json"
    assert run.main(["--short", "--games", "pong", "--json", str(path)]) == 0
    return json.loads(path.read_text())


@pytest.mark.long
def test_every_row_has_a_line_for_each_of_its_competitors(figures: dict[str, Any]) -> None:
    """The rows are those of the plan."""
    rates = [*RATES, *Effort().short().rates()]
    expected = {row.key: [entry.name() for entry in row.entries] for row in rates}
    found: dict[str, list[str]] = {}
    for line in figures["lines"]:
        found.setdefault(line["row"], []).append(line["competitor"])
    assert set(found) == set(expected) | ONCE_ROWS
    assert {key: found[key] for key in expected} == expected
    for key in (*STARTUP_ROWS, "reset", "reset-again", "memory"):
        assert {"native", "node", "chromium"} <= set(found[key])


@pytest.mark.long
def test_every_line_has_a_value_and_rates_have_ratios(figures: dict[str, Any]) -> None:
    """Values are positive, and the first ratio of a row is 1."""
    for line in figures["lines"]:
        assert line["value"] > 0 or line["row"] == "growth", line
        if line["unit"].endswith("/s"):
            low, high = line["spread"]
            assert low <= line["ratio"] <= high
            assert list(line["games"]) == ["pong"]
        if line["unit"] == "ms":
            low, high = line["range"]
            game = line["games"]["pong"]
            assert low <= game["least"] <= game["value"] <= high
            # The means of one game.
            assert (line["least"], line["value"]) == pytest.approx((game["least"], game["value"]))
    firsts = {line["row"]: line for line in reversed(figures["lines"]) if "ratio" in line}
    assert {line["ratio"] for line in firsts.values()} == {1.0}


@pytest.mark.long
def test_the_memory_of_the_module_does_not_grow_in_play(figures: dict[str, Any]) -> None:
    """In Node and in Chromium."""
    grown = [line["value"] for line in figures["lines"] if line["row"] == "growth"]
    assert grown == [0, 0]


@pytest.mark.long
def test_the_figures_name_their_command_and_machine(figures: dict[str, Any]) -> None:
    """With the versions of everything that is compared."""
    assert figures["command"].startswith("npm run bench -- --short --games pong")
    for name in ("processor", "commit", "node", "chromium", "rustc", "ale-py", "envpool", "gymnasium"):
        assert figures["machine"][name]


@pytest.mark.long
@pytest.mark.parametrize(
    ("markers", "row"),
    [
        (table.MARKERS, "| full frames | ale-py, "),
        (table.MARKERS_OF_SUMMARY, "| full frames | ale-py, "),
        (table.MARKERS_OF_PYTHON, "| steps of 1 game, per second of CPU | AtariVectorEnv, "),
    ],
)
def test_the_table_replaces_the_text_between_the_markers(
    figures: dict[str, Any], tmp_path: Path, markers: tuple[str, str], row: str
) -> None:
    """The rest of the file stays, and a file without markers is refused."""
    path = tmp_path / "README.md"
    begin, end = markers
    path.write_text(f"before\n{begin}\nold\n{end}\nafter\n")
    table.write(path, figures)
    text = path.read_text()
    assert text.startswith(f"before\n{begin}\n|") and text.endswith(f"{end}\nafter\n")
    assert "old" not in text and row in text
    path.write_text("no markers")
    with pytest.raises(ValueError, match="bench: begin"):
        table.write(path, figures)


@pytest.mark.long
def test_a_table_without_figures_stays(figures: dict[str, Any], tmp_path: Path) -> None:
    """So the rows of the Python package can be measured alone."""
    path = tmp_path / "both.md"
    path.write_text("\n".join(f"{begin}\nold\n{end}" for begin, end in (table.MARKERS, table.MARKERS_OF_PYTHON)))
    lines = [line for line in figures["lines"] if line["row"].startswith("python-")]
    table.write(path, {**figures, "lines": lines})
    kept, written = path.read_text().split(table.MARKERS[1])
    assert kept.endswith("old\n") and "old" not in written


@pytest.mark.long
def test_the_table_of_the_python_package_has_every_row_of_it(figures: dict[str, Any]) -> None:
    """And the other table has none."""
    text = table.python(figures)
    rows = [row for row in Effort().short().rates() if row.key.startswith("python-")]
    assert len(rows) == 4
    for row in rows:
        assert f"\n| {row.title} | {row.entries[0].name()}, " in text
    assert "Memory per game beyond its observation: gym2600 " in text
    assert "gym2600" not in table.markdown(figures)


def test_some_rows_have_games_of_their_own() -> None:
    """Those that are selected, or else the first."""
    (threads,) = (row for row in Effort().rates() if row.key == "python-threads")
    assert Effort().games_of(threads) == list(THREADED_GAMES)
    assert Effort(games=["pong", "qbert"]).games_of(threads) == ["pong"]


def test_rows_that_need_more_packages_are_measured_only_if_they_are_named() -> None:
    """Those of scripts/test-heavy."""
    assert not set(NAMED_KEYS) & {row.key for row in Effort().rates()}
    assert [row.key for row in Effort(rows=NAMED_KEYS).rates()] == list(NAMED_KEYS)


@pytest.mark.long
def test_the_summary_has_five_rows_and_the_columns_of_our_builds(figures: dict[str, Any]) -> None:
    """A header, a rule and the rows."""
    lines = table.summary(figures).splitlines()
    assert lines[0] == "|  | measured against | native | wasm in Node | wasm in Chromium |"
    assert len(lines) == 2 + len(table.SUMMARY)


def test_a_bench_of_competitors_that_play_different_games_fails() -> None:
    """Rates are comparable only for equal play."""
    steps = Entry("native", "steps")
    batch = Entry("native", "vector", {"envs": 8}, "eight games")
    row = Row("odd", "odd", "steps/s", [steps, batch])
    with Competitors() as competitors, pytest.raises(BenchError, match="do not play the same"):
        warm_up(competitors, row, "pong", Effort(warm_up=8000))


def test_a_refused_measurement_is_named() -> None:
    """With the competitor's message."""
    with Competitors() as competitors, pytest.raises(BenchError, match="native refused .* no measurement"):
        competitors.ask("native", {"measure": "luck", "rom": ""})


@pytest.mark.parametrize("arguments", [["--rows", "luck"], ["--rounds", "0"], ["--seconds", "0"]])
def test_options_that_make_no_sense_are_refused(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """Before anything is measured."""
    with pytest.raises(SystemExit):
        run.main(arguments)
    assert arguments[1] in capsys.readouterr().err
    assert "scaling" in KEYS


def test_files_of_one_machine_are_joined_and_others_are_refused():
    parts = [{"machine": {"commit": commit}, "minutes": 1.5, "lines": [{"row": commit}]} for commit in ("a", "a", "b")]
    assert run.joined(parts[:2]) == {"machine": {"commit": "a"}, "minutes": 3.0, "lines": [{"row": "a"}, {"row": "a"}]}
    with pytest.raises(BenchError, match="'b'"):
        run.joined(parts)
