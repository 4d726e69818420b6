"""A process can fork at any time: the child plays every game, as fast as its parent and with the same bytes."""

from __future__ import annotations

import multiprocessing
import subprocess
import sys
import threading
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import gym2600
import numpy as np
import pytest
from limits import HANG_SECONDS

# Python warns of a fork beside other threads, which is what these tests do.
pytestmark = pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")

#: A console plays so many frames until its program is compiled, in a thread of its own.
UNTIL_COMPILED = 500

GAMES = ["breakout", "seaquest", "qbert", "pong", "klax", "freeway"]


def answer(target, *arguments):
    """What `target(*arguments)` gives in a forked process."""
    receiver, sender = multiprocessing.Pipe(duplex=False)
    child = multiprocessing.get_context("fork").Process(target=lambda: sender.send(target(*arguments)))
    child.start()
    try:
        assert receiver.poll(HANG_SECONDS), "the child hangs"
        return receiver.recv()
    finally:
        child.kill()
        child.join()


def console_of(game):
    """A new console."""
    console = gym2600.ALEInterface()
    console.setInt("random_seed", 1)
    console.loadROM(game)
    return console


def play(console, frames):
    """Plays a console, and gives the sum of its last picture."""
    for number in range(frames):
        console.act(number * 7 % 18)
        if console.game_over():
            console.reset_game()
    return int(console.getScreen().sum())


def play_new(games, frames):
    """Plays a new console of each game."""
    return [play(console_of(game), frames) for game in games]


def compiled_programs():
    """The pieces of memory that hold compiled code: executable, and of no file."""
    lines = Path("/proc/self/maps").read_text(encoding="utf-8").splitlines()
    return sum("x" in fields[1] and len(fields) == 5 for fields in map(str.split, lines))


def play_and_count(game):
    """The pieces of compiled code after a new console of a game has played."""
    play(console_of(game), UNTIL_COMPILED)
    return compiled_programs()


def fork_at_once(game):
    """The pieces of compiled code before a game is played, and in a child that was forked as its program was compiled."""
    before = compiled_programs()
    play(console_of(game), UNTIL_COMPILED)
    return before, answer(play_and_count, game)


@pytest.mark.parametrize("game", ["seaquest", "qbert"])
def test_a_fork_while_a_program_is_compiled_leaves_it_compiled(game):
    # A new process, which has compiled no program yet.
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        before, child = pool.submit(fork_at_once, game).result(HANG_SECONDS)
    assert before < child


def steady(envs, stop):
    """Plays a batch and makes consoles of many games until `stop`. More games than have a place in the cache of resets."""
    while not stop.is_set():
        envs.step(np.ones(envs.num_envs, np.int64))
        for game in GAMES:
            console_of(game).reset_game()


def test_a_fork_while_other_threads_play_never_hangs():
    threads, stop = [], threading.Event()
    for number in range(3):
        envs = gym2600.AtariVectorEnv("breakout", 4, num_threads=1 + number % 2)
        envs.reset(seed=number)
        threads.append(threading.Thread(target=steady, args=(envs, stop)))
    sending = gym2600.AtariVectorEnv("breakout", 4)
    sending.reset(seed=1)
    expected = play_new(GAMES, 50)
    for thread in threads:
        thread.start()
    try:
        for _ in range(15):
            sending.send(np.ones(4, np.int64))
            assert answer(play_new, GAMES, 50) == expected
            sending.recv()
    finally:
        stop.set()
        for thread in threads:
            thread.join()


def close(envs):
    """Frees a batch whose threads stayed in another process."""
    envs.close()
    return True


def test_a_batch_that_was_forked_can_be_closed_at_once():
    envs = gym2600.AtariVectorEnv("breakout", 16, num_threads=16)
    envs.reset(seed=1)
    # A fork seldom meets a thread that falls asleep after the step, with a lock that the child would wait for.
    for _ in range(300):
        envs.step(np.ones(16, np.int64))
        assert answer(close, envs)


def test_a_fork_of_a_fork_plays():
    assert answer(answer, play_new, ["breakout"], 100) == play_new(["breakout"], 100)


#: Two threads fork while a hook, which runs with gym2600's gate closed, lets the other thread run.
TWO_FORKS = """
import os, threading, time, warnings
warnings.simplefilter("ignore")
os.register_at_fork(before=lambda: time.sleep(0.2))
import gym2600

def fork():
    child = os.fork()
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)

threads = [threading.Thread(target=fork) for _ in range(2)]
for thread in threads:
    thread.start()
    time.sleep(0.05)
for thread in threads:
    thread.join()
"""


def test_two_threads_can_fork_at_once():
    subprocess.run([sys.executable, "-c", TWO_FORKS], check=True, timeout=HANG_SECONDS)


def first_error(call):
    """The error of a call, as text."""
    try:
        call()
    except RuntimeError as error:
        return f"{type(error).__name__}: {error}"
    return "none"


def test_a_fork_during_the_step_of_another_thread_is_said_in_the_child():
    envs, stop = gym2600.VectorEnv("wallop", 4), threading.Event()
    envs.reset(seed=0)

    def steps():
        while not stop.is_set():
            envs.step(np.zeros(4, np.int64))

    thread = threading.Thread(target=steps)
    thread.start()
    try:
        answers = {answer(first_error, lambda: envs.step(np.zeros(4, np.int64))) for _ in range(40)}
    finally:
        stop.set()
        thread.join()
    assert not any("another thread is in a call of it" in error for error in answers)
    assert all(error == "none" or "EnvironmentLostError" in error and "make another" in error for error in answers)
