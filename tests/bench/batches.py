"""Compares ways to play a batch of Python with its plain step, in pairs on one machine that does nothing else.

    scripts/build python && PYTHONPATH=target/python ~/.cache/gym2600/venv/bin/python tests/bench/batches.py [--games pong,breakout] [--envs 256]

Each round plays every way for the same time, one after the other, so a change of the machine's speed meets all of them. A line is a way: the median
of its steps per second, and of its ratio to the way that it is measured against. Ways that a checkout lacks are left out, so the program also runs
with an older `target/python`.

With `--before FOLDER`, the `target/python` of another checkout, it makes the table of docs/python/batches.md: processes with that package and with
this one take turns.

`--clock processor` counts the seconds of processor time of all threads instead, on a machine that does other work too. Waits are not in them.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from itertools import cycle
from statistics import median

import gym2600
import numpy as np

Way = Callable[[], object]


def stepping(envs, actions, **options) -> Way:
    """Plays by `step`."""
    turns = cycle(actions)
    return lambda: envs.step(next(turns), **options)


def sending(envs, actions, **options) -> Way:
    """Plays by `send` and `recv`."""
    turns = cycle(actions)

    def play() -> None:
        envs.send(next(turns))
        envs.recv(**options)

    return play


def compiled(envs, actions) -> Way:
    """Plays by the function of JAX."""
    import jax

    handle, reset, step = envs.xla()
    handle, _ = reset(handle, seed=0)
    step, turns = jax.jit(step), cycle(actions)
    return lambda: jax.block_until_ready(step(handle, next(turns).astype(np.int32)))


def ways(game: str, count: int, threads: int) -> dict[str, tuple[str, Callable[[], Way]]]:
    """Each way's name, the name of that which it is compared with, and what makes it."""
    task = "".join(word.capitalize() for word in game.split("_")) + "-v5"

    def made(make: Callable, play: Callable, to_slot: bool = False, **options) -> Callable[[], Way]:
        def start() -> Way:
            envs = make(**options)
            observations, _ = envs.reset()
            actions = np.random.default_rng(0).integers(0, int(envs.single_action_space.n), (64, count))
            return play(envs, actions, **({"out": np.empty_like(observations)} if to_slot else {}))

        return start

    vector = lambda **options: gym2600.VectorEnv(game, count, threads=threads, **{"preset": "ale-vector", **options})  # noqa: E731
    atari = lambda **options: gym2600.AtariVectorEnv(game, count, num_threads=threads, **options)  # noqa: E731
    pool = lambda **options: gym2600.make(task, num_envs=count, num_threads=threads, **options)  # noqa: E731
    return {
        "VectorEnv.step": ("VectorEnv.step", made(vector, stepping)),
        "VectorEnv.step(out)": ("VectorEnv.step", made(vector, stepping, to_slot=True)),
        "VectorEnv.send, recv": ("VectorEnv.step", made(vector, sending)),
        "VectorEnv.send, recv(out)": ("VectorEnv.step(out)", made(vector, sending, to_slot=True)),
        "VectorEnv.step without stacks": ("VectorEnv.step", made(vector, stepping, stacked=False)),
        "AtariVectorEnv.step": ("VectorEnv.step", made(atari, stepping)),
        "AtariVectorEnv.send, recv": ("AtariVectorEnv.step", made(atari, sending)),
        "AtariVectorEnv.step, same step": ("AtariVectorEnv.step", made(atari, stepping, autoreset_mode="SameStep")),
        "AtariVectorEnv.step, sparse": ("AtariVectorEnv.step", made(atari, stepping, autoreset_mode="SameStep", sparse_final_obs=True)),
        "AtariVectorEnv.xla": ("AtariVectorEnv.step", made(atari, compiled)),
        "VectorEnv.step as EnvPool": ("VectorEnv.step as EnvPool", made(vector, stepping, preset="envpool")),
        "make.step": ("VectorEnv.step as EnvPool", made(pool, stepping)),
    }


#: Clocks by name: seconds of the wall, and of the processors.
CLOCKS = {"wall": time.perf_counter, "processor": time.process_time}


def rate(play: Way, count: int, seconds: float, clock: Callable[[], float]) -> float:
    """Steps per second."""
    calls, start = 0, clock()
    while (now := clock()) < start + seconds:
        play()
        calls += 1
    return calls * count / (now - start)


def measured(args: argparse.Namespace) -> None:
    """Prints a line for each game and way, with `--json` as JSON."""
    for game in args.games.split(","):
        table = ways(game, args.envs, args.threads)
        plays: dict[str, Way] = {}
        for name, (_, start) in table.items():
            try:
                play = start()
                play()
            except (AttributeError, ImportError, NotImplementedError, TypeError) as error:
                print(f"{game}: {name}: left out, {error}", file=sys.stderr)
            else:
                plays[name] = play
        rates: dict[str, list[float]] = {name: [] for name in plays}
        # The first round warms up.
        for number in range(args.rounds + 1):
            for name, play in plays.items():
                found = rate(play, args.envs, args.seconds, CLOCKS[args.clock])
                if number:
                    rates[name].append(found)
        for name, found in rates.items():
            against = table[name][0]
            ratio = median(mine / other for mine, other in zip(found, rates.get(against, found), strict=True))
            if args.json:
                print(json.dumps([game, name, against, median(found), ratio]), flush=True)
            else:
                print(f"{game:12} {name:32} {median(found):9,.0f} steps/s  {ratio:5.2f} x {against}", flush=True)


def compared(args: argparse.Namespace) -> None:
    """Prints the table of two packages, which take turns."""
    options = [f"--{name}={getattr(args, name)}" for name in ("games", "envs", "threads", "rounds", "seconds", "clock")]
    folders = {"before": args.before, "now": os.environ.get("PYTHONPATH", "")}
    found: dict[tuple[str, str, str], dict[str, list[tuple[float, float]]]] = {}
    for _ in range(args.processes):
        for when, folder in folders.items():
            command = [sys.executable, __file__, "--json", *options]
            done = subprocess.run(command, env={**os.environ, "PYTHONPATH": folder}, stdout=subprocess.PIPE, text=True, check=True)
            for line in done.stdout.splitlines():
                game, name, against, steps, ratio = json.loads(line)
                found.setdefault((game, name, against), {"before": [], "now": []})[when].append((steps, ratio))
    print("| game | way | now | before | measured against | now, steps/s | before, steps/s |")
    print("|---|---|---|---|---|---|---|")
    for (game, name, against), values in found.items():
        steps, ratios = ([cell(values[when], place) for when in folders] for place in (0, 1))
        print(f"| {game} | `{name}` | {ratios[1]} | {ratios[0]} | `{against}` | {steps[1]} | {steps[0]} |")


def cell(values: list[tuple[float, float]], place: int) -> str:
    """The median of the rates or ratios of some processes, as text."""
    if not values:
        return "-"
    value = median(each[place] for each in values)
    return f"{value:.2f} x" if place else f"{value:,.0f}"


def main() -> None:
    """Prints the lines, or the table of two packages."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, value in {"games": "pong,breakout", "envs": 256, "threads": 0, "rounds": 7, "seconds": 0.5, "processes": 3}.items():
        parser.add_argument(f"--{name}", type=type(value), default=value)
    parser.add_argument("--clock", choices=CLOCKS, default="wall")
    parser.add_argument("--before", metavar="FOLDER")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    if args.before is None:
        measured(args)
    else:
        compared(args)


if __name__ == "__main__":
    main()
