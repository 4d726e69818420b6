"""Draws the scores of logged runs and prints a table: curves.py GAME FOLDER"""

import json
import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot

game, folder = sys.argv[1], Path(sys.argv[2])
figure, axes = pyplot.subplots(figsize=(8, 4.5))
print("| seed | steps | CPU seconds | score at the end | best |\n|---|---|---|---|---|")
for path in sorted(folder.glob("*.jsonl")):
    updates = [json.loads(line) for line in path.read_text().splitlines()]
    updates = [update for update in updates if update["reward"] is not None]
    scores = [update["reward"] for update in updates]
    axes.plot([update["steps"] for update in updates], scores, label=f"seed {path.stem}")
    seconds = path.with_suffix(".seconds").read_text().strip()
    print(f"| {path.stem} | {updates[-1]['steps']:,} | {seconds} | {scores[-1]:.1f} | {max(scores):.1f} |")
axes.set(xlabel="steps", ylabel="mean score of the last 100 games", title=game)
axes.legend()
figure.tight_layout()
figure.savefig(folder / f"{game}.svg")
print(f"{folder / game}.svg")
