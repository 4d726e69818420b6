"""The competitors in Python: `python -m bench.stacks NAME`. Requests and answers are those of tests/bench/native.

    ale         ale-py's bare ALEInterface
    ale-vector  ale-py's AtariVectorEnv, and Stable-Baselines3's PPO with ale-py
    gym2600     the same with our Python package
    envpool     EnvPool
    gymnasium   Gymnasium's AtariPreprocessing and FrameStackObservation, without sticky actions
    labml       labml's worker: the game in a process of its own, behind a pipe
"""

from __future__ import annotations

import importlib
import json
import multiprocessing
import sys
import time
import zlib
from collections.abc import Callable, Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, Protocol

import ale_py
import numpy as np

ale_py.ALEInterface.setLoggerMode(ale_py.LoggerMode.Error)

DRAWS = 1 << 16
STEPS_BETWEEN = 30
PLAYED_BETWEEN = 4 * STEPS_BETWEEN
# Steps of each environment before the memory of others is measured, steps of those, and their groups.
COMPILED_AFTER = 100
STEPS_OF_MEMORY = 100
GROUPS = 3


class Sum:
    """The totals of a measurement."""

    def __init__(self) -> None:
        self.done = 0
        self.reward = 0.0
        self.episodes = 0
        # The checksum of all observations, if they are watched.
        self.observations: int | None = None

    def watch(self, observations: np.ndarray) -> None:
        """Adds observations to the checksum."""
        if self.observations is not None:
            self.observations = zlib.crc32(observations, self.observations)


class Subject(Protocol):
    """A measured environment."""

    def play(self, total: Sum) -> None:
        """Plays a frame, or a step of each environment."""


@cache
def numbers() -> np.ndarray:
    """The same numbers for every competitor."""
    state, drawn = 1, np.empty(DRAWS, np.int64)
    for index in range(DRAWS):
        state = (state * 1664525 + 1013904223) & 0xFFFFFFFF
        drawn[index] = state >> 16
    return drawn


@cache
def numbers_below(count: int) -> np.ndarray:
    """These numbers below `count`, once for all, so that they are no part of the memory of a batch."""
    return numbers() % count


def draws(count: int) -> Iterator[int]:
    """Numbers below `count`."""
    drawn = numbers_below(count).tolist()
    while True:
        yield from drawn


def batches(count: int, envs: int) -> Iterator[np.ndarray]:
    """Numbers below `count`, one for each environment."""
    drawn = numbers_below(count).reshape(-1, envs)
    while True:
        yield from drawn


def bare_ale(rom: str) -> ale_py.ALEInterface:
    """A console with the ROM, before its first `reset_game`."""
    ale = ale_py.ALEInterface()
    ale.setInt("random_seed", 0)
    ale.setFloat("repeat_action_probability", 0.0)
    ale.loadROM(rom)
    return ale


class BareConsole:
    """ale-py's console, which draws every frame. `seen` selects whether the screen is read."""

    def __init__(self, rom: str, actions: list[int], *, seen: bool) -> None:
        self.ale = bare_ale(rom)
        self.ale.reset_game()
        self.actions = (actions[number] for number in draws(len(actions)))
        self.screen = np.zeros(self.ale.getScreenDims(), np.uint8)
        self.seen = seen

    def play(self, total: Sum) -> None:
        total.reward += self.ale.act(next(self.actions))
        total.done += 1
        if self.seen:
            self.ale.getScreen(self.screen)
        if self.ale.game_over():
            total.episodes += 1
            self.ale.reset_game()


class Batch:
    """A vector environment with one step for all lanes: AtariVectorEnv, that of ale-py or ours, or EnvPool."""

    def __init__(self, env: Any, actions: int, envs: int) -> None:
        self.env = env
        self.actions = batches(actions, envs)

    def play(self, total: Sum) -> None:
        observations, rewards, terminated, truncated, _ = self.env.step(next(self.actions))
        total.watch(observations)
        total.done += len(rewards)
        total.reward += float(rewards.sum())
        total.episodes += int((terminated | truncated).sum())


def name_of(rom: str) -> str:
    """ale-py's name of the game in a ROM file."""
    return Path(rom).stem


def package(stack: str) -> Any:
    """The module with AtariVectorEnv."""
    return importlib.import_module({"ale-vector": "ale_py", "gym2600": "gym2600"}[stack])


def fresh_vector(stack: str, rom: str, envs: int, threads: int) -> Any:
    """An AtariVectorEnv after its first reset."""
    env = package(stack).AtariVectorEnv(name_of(rom), num_envs=envs, num_threads=threads)
    env.reset(seed=0)
    return env


def vector(stack: str, rom: str, envs: int, threads: int) -> Batch:
    env = fresh_vector(stack, rom, envs, threads)
    return Batch(env, env.single_action_space.n, envs)


def envpool(rom: str, envs: int, threads: int) -> Batch:
    import envpool as pool
    from parity.references import env_name

    env = pool.make(
        f"{env_name(name_of(rom))}-v5", env_type="gymnasium", num_envs=envs, num_threads=threads, batch_size=envs, seed=0
    )
    env.reset()
    return Batch(env, env.action_space.n, envs)


class Gymnasium:
    """Gymnasium's wrappers around ale-py's environment."""

    def __init__(self, rom: str) -> None:
        import gymnasium as gym
        from gymnasium.wrappers import AtariPreprocessing, FrameStackObservation
        from parity.references import no_frameskip

        self.env: gym.Env = FrameStackObservation(AtariPreprocessing(no_frameskip(name_of(rom))), 4)
        self.env.reset(seed=0)
        self.actions = draws(self.env.action_space.n)

    def play(self, total: Sum) -> None:
        _, reward, terminated, truncated, _ = self.env.step(next(self.actions))
        total.done += 1
        total.reward += float(reward)
        if terminated or truncated:
            total.episodes += 1
            self.env.reset()


def labml_process(pipe: Any, rom: str, seed: int) -> None:
    """A worker process. It receives `step` with an action, `reset` and `close` over the pipe."""
    from parity.references import Labml

    game = Labml(name_of(rom), seed)
    pipe.send(game.actions)
    while True:
        command, action = pipe.recv()
        if command == "close":
            return
        event = game.reset() if command == "reset" else game.step(action)
        pipe.send((event.observation, event.reward, event.terminated))


class LabmlWorkers:
    """Games in processes of their own. A step sends to all of them, then receives from all."""

    def __init__(self, rom: str, envs: int) -> None:
        self.pipes = []
        for seed in range(envs):
            here, there = multiprocessing.Pipe()
            multiprocessing.Process(target=labml_process, args=(there, rom, seed), daemon=True).start()
            self.pipes.append(here)
        self.actions = draws([pipe.recv() for pipe in self.pipes][0])
        for pipe in self.pipes:
            pipe.send(("reset", None))
        for pipe in self.pipes:
            pipe.recv()

    def play(self, total: Sum) -> None:
        for pipe in self.pipes:
            pipe.send(("step", next(self.actions)))
        for pipe in self.pipes:
            _, reward, ended = pipe.recv()
            total.done += 1
            total.reward += reward
            total.episodes += ended

    def close(self) -> None:
        for pipe in self.pipes:
            pipe.send(("close", None))


def subject(stack: str, request: dict[str, Any]) -> Subject:
    """The environment that a request measures."""
    measure, rom = request["measure"], request["rom"]
    envs, threads = request.get("envs", 1), request.get("threads", 1)
    match stack, measure:
        case "ale", "frames" | "hidden":
            return BareConsole(rom, request["actions"], seen=measure == "frames")
        case "ale-vector" | "gym2600", "steps" | "vector":
            return vector(stack, rom, envs, threads)
        case "ale-vector" | "gym2600", "ppo":
            from bench.sb3 import Loop

            return Loop({"ale-vector": "ALE", "gym2600": "gym2600"}[stack], package(stack), name_of(rom), envs)
        case "envpool", "steps" | "vector":
            return envpool(rom, envs, threads)
        case "gymnasium", "steps":
            return Gymnasium(rom)
        case "labml", "worker":
            return LabmlWorkers(rom, envs)
        case _:
            raise ValueError(f"{stack} has no measurement {measure!r}")


def played(what: Subject, count: int | None, seconds: float) -> dict[str, Any]:
    """Plays for `count`, and watches the observations, or for `seconds`."""
    total, begin, begin_cpu = Sum(), time.perf_counter(), time.process_time()
    if count is not None:
        total.observations = 0
    while total.done < count if count is not None else time.perf_counter() - begin < seconds:
        what.play(total)
    taken = {"seconds": time.perf_counter() - begin, "cpu": time.process_time() - begin_cpu}
    return {**vars(total), **taken}


def timed(call: Callable[[], Any]) -> float:
    """Seconds that a call takes, without the release of its result."""
    begin = time.perf_counter()
    kept = call()
    seconds = time.perf_counter() - begin
    del kept
    return seconds


def startup(stack: str, rom: str, count: int) -> dict[str, Any]:
    """Seconds from construction to the first observation."""
    # Keeps the import out of the measurement.
    assert package(stack).AtariVectorEnv
    return {"values": [timed(lambda: fresh_vector(stack, rom, 1, 1)) for _ in range(count)]}


def reset(rom: str, count: int) -> dict[str, Any]:
    """Seconds of ALE's reset after some play, and of another from the same state."""
    ale = bare_ale(rom)
    ale.reset_game()
    actions = ale.getMinimalActionSet()
    draw = draws(len(actions))
    screen = np.zeros(ale.getScreenDims(), np.uint8)
    first, again = [], []

    def once() -> None:
        ale.reset_game()
        ale.getScreen(screen)

    for _ in range(count):
        for _ in range(PLAYED_BETWEEN):
            ale.act(actions[next(draw)])
        state = ale.cloneSystemState()
        for values in (first, again):
            ale.restoreSystemState(state)
            values.append(timed(once))
    return {"first": first, "again": again}


def resident_bytes() -> float:
    """The process's memory."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return float(line.split()[1]) * 1024
    raise ValueError("the system does not report a process's memory")


def memory(rom: str, count: int) -> dict[str, Any]:
    """Growth of the process for each of `count` environments in a vector of ale-py."""
    first = fresh_vector("ale-vector", rom, 1, 1)
    before = resident_bytes()
    others = fresh_vector("ale-vector", rom, count, 1)
    grown = resident_bytes() - before
    del first, others
    return {"bytes": grown / count}


def our_memory(rom: str, count: int) -> dict[str, Any]:
    """Growth of the process for each of `count` environments in a vector of ours, without the array of the observations.

    The median of groups counts, because a process sometimes grows for other reasons. What all environments share does not count, so a
    group is played before.
    """
    batches, sizes = [], []
    for steps in (COMPILED_AFTER, *[STEPS_OF_MEMORY] * GROUPS):
        env = package("gym2600").AtariVectorEnv(name_of(rom), num_envs=count, num_threads=1, copy=False)
        observations, _ = env.reset(seed=0)
        batch = Batch(env, env.single_action_space.n, count)
        played(batch, steps * count, 0)
        batches.append((batch, observations))
        sizes.append(resident_bytes())
    grown = sorted(after - before for before, after in pairwise(sizes))[GROUPS // 2]
    return {"bytes": (grown - observations.nbytes) / count}


class Measurer:
    """Keeps the last environment, so that a measurement of time can be taken in slices."""

    def __init__(self, stack: str) -> None:
        self.stack = stack
        self.target: dict[str, Any] | None = None
        self.ready: Subject | None = None

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """Answers a request."""
        count, seconds = request.pop("count", None), request.pop("seconds", 0.0)
        rom = request["rom"]
        match request["measure"]:
            case "startup":
                return startup(self.stack, rom, count)
            case "reset":
                return reset(rom, count)
            case "memory":
                return (our_memory if self.stack == "gym2600" else memory)(rom, count)
        # What is compared with others begins anew, also if the last row had the same environment.
        if count is not None or request != self.target:
            self.close()
            self.ready, self.target = subject(self.stack, request), request
        return played(self.ready, count, seconds)

    def close(self) -> None:
        """Ends the last environment."""
        if isinstance(self.ready, LabmlWorkers):
            self.ready.close()
        self.ready = self.target = None


def main() -> None:
    """Answers every line of the standard input."""
    measurer = Measurer(sys.argv[1])
    for line in sys.stdin:
        try:
            answer = measurer.answer(json.loads(line))
        except Exception as error:  # noqa: BLE001, the caller reports it
            answer = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), flush=True)
    measurer.close()


if __name__ == "__main__":
    main()
