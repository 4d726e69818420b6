"""Draws the scores of runs and prints a table.

curves.py FOLDER        reduces the logs of scripts/learn in a folder to FOLDER/GAME.json and draws FOLDER/GAME.svg
curves.py GAME.json     draws GAME.svg again from the reduced logs
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot

# Steps between two points of a curve.
SPACING = 20_000
# Steps at which the table has scores.
MARKS = (250_000, 600_000, 1_000_000, 1_500_000, 2_000_000, 3_000_000, 4_000_000)


def reduced(path: Path) -> dict[str, Any]:
    """A run's log with a point every 20,000 steps: steps and the mean score of the last 100 games.

    Logs are named after the seed. CleanRL's says itself how long it took.
    """
    points: list[list[float]] = []
    for line in path.read_text().splitlines():
        update = json.loads(line)
        due = not points or update["steps"] // SPACING > points[-1][0] // SPACING
        if update["reward"] is not None and due:
            points.append([update["steps"], round(update["reward"], 2)])
    if not path.stem.isdigit():
        return {"run": path.stem, "cpu_seconds": round(update["seconds"]), "points": points}
    # A run that was resumed has a file of seconds for each part.
    seconds = sum(float(file.read_text()) for file in path.parent.glob(f"{path.stem}.*seconds"))
    return {"run": f"seed {path.stem}", "cpu_seconds": round(seconds), "points": points}


def at(points: list[list[float]], steps: int) -> str:
    """The score after about that many steps."""
    done, score = min(points, key=lambda point: abs(point[0] - steps))
    return f"{score:.1f}" if abs(done - steps) < SPACING else ""


def show(curves: dict[str, Any], picture: Path) -> None:
    """Prints the table and draws the picture."""
    runs = curves["runs"]
    last = max(run["points"][-1][0] for run in runs)
    marks = [mark for mark in MARKS if mark <= last]
    heads = ["run", "steps", "CPU minutes", *(f"{mark / 1e6:g} M" for mark in marks), "best"]
    print(f"| {' | '.join(heads)} |\n|{'---|' * len(heads)}")
    for run in runs:
        points = run["points"]
        best = max(score for _, score in points)
        cells = [f"{points[-1][0] / 1e6:.2f} M", f"{run['cpu_seconds'] / 60:.1f}", *(at(points, mark) for mark in marks)]
        print(f"| {run['run']} | {' | '.join(cells)} | {best:.1f} |")
    figure, axes = pyplot.subplots(1, 2, figsize=(9, 3.6), sharey=True)
    for run in runs:
        steps, scores = zip(*run["points"], strict=True)
        minutes = run["cpu_seconds"] / 60 / steps[-1]
        axes[0].plot([step / 1e6 for step in steps], scores, linewidth=1.2, label=run["run"])
        axes[1].plot([step * minutes for step in steps], scores, linewidth=1.2)
    axes[0].set(xlabel="million steps", ylabel="mean score of 100 games", xlim=(0, None))
    axes[1].set(xlabel="minutes of one core", xlim=(0, None))
    axes[0].legend()
    for panel in axes:
        panel.grid(alpha=0.3)
    figure.tight_layout()
    figure.savefig(picture, metadata={"Date": None})
    print(picture)


def main() -> None:
    """Reads logs or reduced logs."""
    source = Path(sys.argv[1])
    if source.is_dir():
        logs = sorted(source.glob("*.jsonl"))
        command = (source / "command").read_text().strip()
        curves = {"command": command, "runs": [reduced(path) for path in logs]}
        source = source / f"{source.name}.json"
        source.write_text(json.dumps(curves).replace('{"run"', '\n{"run"') + "\n")
    pyplot.rcParams["svg.hashsalt"] = "gym2600"
    pyplot.rcParams["svg.fonttype"] = "none"
    show(json.loads(source.read_text()), source.with_suffix(".svg"))


main()
