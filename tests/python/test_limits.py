"""What Python has to be able to do at any time: stop a long call, use an array in two threads, and run out of memory."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading

import gym2600
import numpy as np
import pytest
from limits import HANG_SECONDS


@pytest.fixture
def _interrupts():
    """A job in the background of a shell ignores SIGINT, and Python then leaves it ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("_interrupts")
@pytest.mark.parametrize("send", [False, True])
def test_a_signal_ends_a_long_step_of_a_batch_between_frames(send):
    envs = gym2600.AtariVectorEnv("breakout", 8, frameskip=10_000, max_num_frames_per_episode=0, num_threads=2)
    envs.reset(seed=0)
    threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        while True:
            if send:
                envs.send(np.zeros(8, np.int64))
                envs.recv()
            else:
                envs.step(np.zeros(8, np.int64))
    # The step under way is lost. After a reset the batch plays on.
    observations, _ = envs.reset(seed=1)
    expected, _ = gym2600.AtariVectorEnv("breakout", 8, frameskip=10_000, max_num_frames_per_episode=0).reset(seed=1)
    assert np.array_equal(observations, expected)
    envs.close()


@pytest.mark.usefixtures("_interrupts")
def test_a_signal_ends_a_long_step_of_a_single_environment():
    env = gym2600.AtariEnv("breakout", frameskip=2**31 - 1)
    env.reset(seed=0)
    threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        env.step(0)
    assert env.ale.getFrameNumber() < 2**31 - 1
    env.reset(seed=0)


def test_an_array_that_another_thread_fills_is_refused():
    envs = gym2600.VectorEnv("wallop", 1, wrappers=[{"type": "SkipFrames", "n": 200}], observation="rgb", copy=False)
    console = gym2600.ALEInterface()
    console.loadROM("wallop")
    picture, _ = envs.reset(seed=0)
    stop, errors = threading.Event(), []

    def steps():
        while not stop.is_set():
            envs.step(np.zeros(1, np.int64))

    thread = threading.Thread(target=steps)
    thread.start()
    try:
        for _ in range(300):
            try:
                console.getScreenRGB(picture[0])
            except BaseException as error:
                errors.append(error)
    finally:
        stop.set()
        thread.join()
    assert errors
    assert {type(error) for error in errors} == {RuntimeError}
    console.getScreenRGB(picture[0])


#: Asks for more than a process may have, and plays on.
LITTLE_MEMORY = """
import resource
import gym2600

def leave(bytes):
    pages = int(open("/proc/self/statm").read().split()[0])
    resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + bytes, resource.RLIM_INFINITY))

env = gym2600.AtariEnv("wallop")
env.reset(seed=0)
leave(300 << 20)
for make in (gym2600.AtariVectorEnv, gym2600.VectorEnv):
    try:
        make("wallop", 4_000)
        raise SystemExit("a batch of 1.5 GB was made")
    except MemoryError:
        pass
env.step(0)
envs = [env]
try:
    while True:
        envs.append(gym2600.AtariEnv("wallop"))
        envs[-1].reset(seed=0)
        envs[-1].step(0)
except MemoryError:
    print("plays", len(envs) > 10)
for env in envs:
    env.step(0)
batches = []
leave(300 << 20)
try:
    while True:
        batches.append(gym2600.AtariVectorEnv("wallop", 8, num_threads=1))
        batches[-1].reset(seed=0)
except MemoryError:
    print("plays", len(batches) > 1)
for batch in batches:
    batch.step([0] * 8)
"""


def test_memory_that_cannot_be_had_is_a_memory_error():
    done = subprocess.run([sys.executable, "-c", LITTLE_MEMORY], capture_output=True, text=True, timeout=HANG_SECONDS)
    assert (done.returncode, done.stdout) == (0, "plays True\n" * 2), done.stderr
