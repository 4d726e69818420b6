"""`send` and `recv` play the steps of `step`, in a thread of their own."""

from __future__ import annotations

import multiprocessing
import pickle
import sys
import threading
import time

import ale_py
import gym2600
import numpy as np
import pytest
from gym2600._gym2600 import presets
from gymnasium.error import AlreadyPendingCallError, ClosedEnvironmentError, NoAsyncCallError
from gymnasium.vector import AutoresetMode
from limits import HANG_SECONDS
from results import check, check_step

LANES = 3

OPTIONS = {
    "defaults": {},
    "same step": {"autoreset_mode": AutoresetMode.SAME_STEP, "max_num_frames_per_episode": 100},
    "life loss info": {"life_loss_info": True},
    "a stick": {"continuous": True},
    "one array": {"copy": False, "num_threads": 1},
}


@pytest.mark.parametrize("name", OPTIONS)
def test_send_and_recv_are_a_step(name, seed):
    envs, other = (gym2600.AtariVectorEnv("breakout", LANES, **OPTIONS[name]) for _ in range(2))
    check(envs.reset(seed=seed), other.reset(seed=seed))
    envs.action_space.seed(seed)
    for number in range(60):
        actions = envs.action_space.sample()
        envs.send(actions)
        check_step(envs.recv(), other.step(actions), number)
        # A step between them is one too.
        check_step(envs.step(actions), other.step(actions), number)


VECTOR_OPTIONS = {
    **{preset: {"preset": preset} for preset in presets()},
    "same step": {"preset": "labml", "autoreset": AutoresetMode.SAME_STEP},
    "one array": {"copy": False, "threads": 1},
    "newest pictures": {"stacked": False},
}


@pytest.mark.parametrize("name", VECTOR_OPTIONS)
def test_send_and_recv_of_a_vector_env_are_a_step(name, seed):
    envs, other = (gym2600.VectorEnv("wallop", LANES, **{"autoreset": "NextStep", **VECTOR_OPTIONS[name]}) for _ in range(2))
    check(envs.reset(seed=seed), other.reset(seed=seed))
    envs.action_space.seed(seed)
    ended = 0
    # In most presets an episode ends within these steps; with some seeds one does later.
    for number in range(1000):
        if ended and number >= 150:
            break
        actions = envs.action_space.sample()
        envs.send(actions)
        mine, expected = envs.recv(), other.step(actions)
        ended += "real_done" in expected[4]
        finals = [results[4].pop("final_obs", np.zeros(0, object)) for results in (mine, expected)]
        check(mine, expected, f"step {number}")
        for final, wanted in zip(*finals, strict=True):
            assert np.array_equal(final, wanted)
        actions = envs.action_space.sample()
        check(envs.step(actions)[:4], other.step(actions)[:4], f"step after {number}")
    assert ended


def test_calls_of_a_vector_env_between_send_and_recv_name_the_state():
    envs, other = (gym2600.VectorEnv("wallop", LANES) for _ in range(2))
    actions = np.ones(LANES, np.int64)
    for each in (envs, other):
        each.reset(seed=1)
    with pytest.raises(NoAsyncCallError, match="call send"):
        envs.recv()
    envs.send(actions)
    for call in (lambda: envs.send(actions), lambda: envs.step(actions), envs.save, lambda: envs.clone_state(0), lambda: envs.copy_lane(0, 1)):
        with pytest.raises(AlreadyPendingCallError, match="call recv"):
            call()
    check(envs.recv(), other.step(actions))
    for wrong in ([0, 9, 0], [0, 0]):
        with pytest.raises(ValueError, match="action"):
            envs.send(np.array(wrong))
            envs.recv()
    # A reset drops the results that are due.
    envs.send(actions)
    check(envs.reset(seed=2), other.reset(seed=2))
    with pytest.raises(NoAsyncCallError):
        envs.recv()
    envs.send(actions)
    envs.close()
    with pytest.raises(ClosedEnvironmentError):
        envs.recv()


def test_two_batches_play_in_two_threads_of_python():
    batches = [gym2600.VectorEnv("breakout", LANES, preset="ale-vector", threads=2) for _ in range(2)]
    alone = [gym2600.VectorEnv("breakout", LANES, preset="ale-vector", threads=1) for _ in range(2)]
    rollouts = [np.empty((30, *envs.observation_space.shape), np.uint8) for envs in batches]

    def play(envs, rollout, seed):
        envs.reset(seed=seed)
        for number, slot in enumerate(rollout):
            envs.step((np.arange(LANES) + number) % 4, out=slot)

    threads = [threading.Thread(target=play, args=(envs, rollout, seed)) for seed, (envs, rollout) in enumerate(zip(batches, rollouts, strict=True))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(HANG_SECONDS)
    for seed, (envs, rollout) in enumerate(zip(alone, rollouts, strict=True)):
        expected = np.empty_like(rollout)
        play(envs, expected, seed)
        check(rollout, expected)


def test_parts_of_a_batch_get_their_results_in_turn():
    envs = gym2600.AtariVectorEnv("breakout", 4, batch_size=2)
    alone = gym2600.AtariVectorEnv("breakout", 4)
    expected, _ = alone.reset(seed=1)
    first, infos = envs.reset(seed=1)
    assert envs.observation_space.contains(first)
    assert infos["env_id"].tolist() == [0, 1]
    check(first, expected[:2])
    # The reset of the others is a result too.
    envs.send(np.array([1, 2]))
    second, rewards, *_, infos = envs.recv()
    assert infos["env_id"].tolist() == [2, 3]
    assert not rewards.any()
    check(second, expected[2:])
    envs.send(np.array([3, 1]))
    expected = alone.step(np.array([1, 2, 3, 1]))
    for lanes in ([0, 1], [2, 3]):
        observations, *_, infos = envs.recv()
        assert infos["env_id"].tolist() == lanes
        check(observations, expected[0][lanes])
        envs.send(np.array([1, 1]))


def test_parts_that_do_not_divide_a_batch_play_every_environment():
    envs, alone = gym2600.AtariVectorEnv("breakout", 5, batch_size=3), gym2600.AtariVectorEnv("breakout", 5)
    pictures = [list(alone.reset(seed=1)[0])]
    for _ in range(10):
        pictures.append(list(alone.step(np.full(5, 3))[0]))
    observations, infos = envs.reset(seed=1)
    played = np.zeros(5, int)
    for _ in range(10):
        for lane, observation in zip(infos["env_id"], observations, strict=True):
            check(observation, pictures[played[lane]][lane], f"environment {lane}, step {played[lane]}")
            played[lane] += 1
        envs.send(np.full(3, 3))
        observations, _, _, _, infos = envs.recv()
    assert played.sum() == 30 and played.min() >= 5


def played(package, lanes, size, turns):
    """The observations and infos of each environment, in turns of `size` of them."""
    envs = package.AtariVectorEnv("breakout", lanes, batch_size=size, num_threads=1)
    results, seen = envs.reset(seed=1), [[] for _ in range(lanes)]
    for _ in range(turns):
        infos = results[-1]
        for place, lane in enumerate(infos["env_id"]):
            numbers = [infos[key][place].item() for key in ("lives", "frame_number", "episode_frame_number")]
            seen[lane].append((results[0][place].tobytes(), numbers))
        envs.send(np.array([(len(seen[lane]) * 7 + lane) % 4 for lane in infos["env_id"]]))
        results = envs.recv()
    return seen


@pytest.mark.parametrize(("lanes", "size"), [(3, 2), (5, 3), (6, 5), (7, 4)])
def test_parts_that_do_not_divide_a_batch_play_it_evenly(lanes, size):
    ours, theirs = (played(package, lanes, size, 12 * lanes) for package in (gym2600, ale_py))
    counts = [len(lane) for lane in ours]
    assert max(counts) - min(counts) <= 1, counts
    for lane, (mine, expected) in enumerate(zip(ours, theirs, strict=True)):
        count = min(len(mine), len(expected))
        assert count > 6 * size
        assert mine[:count] == expected[:count], lane


@pytest.mark.parametrize(("lanes", "size"), [(3, 2), (5, 3)])
def test_parts_of_a_batch_of_envpool_play_evenly(lanes, size):
    envs, counts = gym2600.make("Breakout-v5", num_envs=lanes, batch_size=size), np.zeros(lanes, int)
    envs.async_reset()
    for _ in range(12 * lanes):
        infos = envs.recv()[-1]
        counts[infos["env_id"]] += 1
        envs.send(np.zeros(size, int), infos["env_id"])
    assert np.ptp(counts) <= 1, counts


def test_threads_that_share_a_batch_are_told_so():
    envs = gym2600.AtariVectorEnv("breakout", 32, frameskip=2000, copy=False)
    envs.reset(seed=1)
    actions = np.zeros(32, np.int64)
    together, errors = threading.Barrier(2), []

    def step():
        together.wait()
        try:
            envs.step(actions)
        except RuntimeError as error:
            errors.append(str(error))

    threads = [threading.Thread(target=step) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == ["a batch is used by one thread at a time, and another thread is in a call of it"]
    # The first call was not disturbed.
    assert envs.step(actions)[4]["frame_number"].min() > 2000


def test_python_runs_while_a_step_goes_on():
    envs = gym2600.AtariVectorEnv("breakout", 32, frameskip=2000)
    envs.reset(seed=1)
    interval, counted = sys.getswitchinterval(), 0
    # A thread now runs only while the others wait without the interpreter.
    sys.setswitchinterval(1000)
    try:
        envs.send(np.zeros(32, np.int64))
        waiting = threading.Thread(target=envs.recv)
        waiting.start()
        while waiting.is_alive():
            counted += 1
            time.sleep(0)
    finally:
        sys.setswitchinterval(interval)
    assert counted


def test_calls_in_a_wrong_order_name_the_state():
    envs = gym2600.AtariVectorEnv("wallop", LANES)
    envs.reset(seed=1)
    actions = np.zeros(LANES, np.int64)
    with pytest.raises(NoAsyncCallError, match="call send") as caught:
        envs.recv()
    assert caught.value.name == "recv"
    envs.send(actions)
    for call in (envs.send, envs.step):
        with pytest.raises(AlreadyPendingCallError, match="call recv") as pending:
            call(actions)
        assert pending.value.name == call.__name__
    with pytest.raises(TypeError, match="pickle"):
        pickle.dumps(envs)
    other = gym2600.AtariVectorEnv("wallop", LANES)
    other.reset(seed=1)
    check_step(envs.recv(), other.step(actions), 0)


def test_wrong_actions_are_refused_by_send_and_nothing_moves():
    for options, actions in (
        ({}, [0, 4, 0]),
        ({}, [0, -1, 0]),
        ({}, [0, 0]),
        ({"continuous": True}, [[1.5, 0, 0]] * LANES),
        ({"continuous": True}, [[np.nan, 0, 0]] * LANES),
    ):
        envs = gym2600.AtariVectorEnv("wallop", LANES, **options)
        other = gym2600.AtariVectorEnv("wallop", LANES, **options)
        envs.reset(seed=1)
        other.reset(seed=1)
        with pytest.raises(ValueError, match="actions"):
            envs.send(np.array(actions))
        good = np.zeros_like(envs.action_space.sample())
        envs.send(good)
        check_step(envs.recv(), other.step(good), 0)


def test_a_reset_drops_the_results_that_are_due():
    envs, other = (gym2600.AtariVectorEnv("breakout", LANES) for _ in range(2))
    envs.reset(seed=1)
    envs.send(np.ones(LANES, np.int64))
    check(envs.reset(seed=2), other.reset(seed=2))
    with pytest.raises(NoAsyncCallError):
        envs.recv()
    check_step(envs.step(np.ones(LANES, np.int64)), other.step(np.ones(LANES, np.int64)), 0)


@pytest.mark.parametrize("seed", [2**31, 2**64, -2])
def test_a_reset_that_is_refused_leaves_the_results_that_are_due(seed):
    envs, other = (gym2600.AtariVectorEnv("wallop", LANES) for _ in range(2))
    for batch in (envs, other):
        batch.reset(seed=1)
        batch.send(np.ones(LANES, np.int64))
    with pytest.raises(ValueError, match="seeds"):
        envs.reset(seed=seed)
    check_step(envs.recv(), other.recv(), 0)


def test_the_cause_of_a_failed_step_is_named_by_every_later_recv(monkeypatch):
    """A panic of the native code is tested in crates/py/tests; here the batch raises what it raises then."""

    def fail(_):
        raise gym2600.EnvironmentLostError("recv: the batch failed: the cause")

    actions = np.zeros(LANES, np.int64)
    for envs in (gym2600.AtariVectorEnv("wallop", LANES), gym2600.make("Breakout-v5", num_envs=LANES)):
        envs.reset()
        envs.send(actions)
        monkeypatch.setattr(envs._batch, "recv", fail)
        for _ in range(2):
            with pytest.raises(gym2600.EnvironmentLostError, match="the cause"):
                envs.recv()
        envs.close()
        with pytest.raises(ClosedEnvironmentError):
            envs.step(actions)


def test_a_lost_environment_is_a_runtime_error():
    """crates/py/tests panics; here is the type of the error."""
    assert issubclass(gym2600.EnvironmentLostError, RuntimeError)
    assert gym2600.EnvironmentLostError.__module__ == "gym2600"


def test_a_closed_batch_says_so():
    envs = gym2600.AtariVectorEnv("breakout", LANES)
    envs.reset(seed=1)
    actions = np.ones(LANES, np.int64)
    envs.send(actions)
    envs.close()
    for call in (envs.recv, lambda: envs.step(actions), envs.reset, lambda: envs.send(actions)):
        with pytest.raises(ClosedEnvironmentError):
            call()


def child(envs, pipe):
    """Tries every call in a process that was forked while a step was under way."""
    actions = np.ones(LANES, np.int64)
    said = []
    for call in (envs.recv, envs.reset, lambda: envs.step(actions), lambda: envs.send(actions)):
        try:
            call()
        except NoAsyncCallError as error:
            said.append("forked" in str(error))
    envs.close()
    pipe.send(said)


def play_on(envs, pipe):
    """Plays in a process that was forked between two steps."""
    envs.send(np.ones(LANES, np.int64))
    pipe.send(envs.recv()[0].sum())


def in_child(target, envs):
    """What a forked process sends."""
    receiver, sender = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.get_context("fork").Process(target=target, args=(envs, sender))
    process.start()
    assert receiver.poll(HANG_SECONDS), "the child hangs"
    answer = receiver.recv()
    process.join()
    return answer


@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_a_step_that_is_under_way_stays_with_its_process():
    envs, other = (gym2600.AtariVectorEnv("breakout", LANES, num_threads=2) for _ in range(2))
    actions = np.ones(LANES, np.int64)
    for batch in (envs, other):
        batch.reset(seed=1)
    envs.send(actions)
    assert in_child(child, envs) == [True] * 4
    check_step(envs.recv(), other.step(actions), 0)
    expected = in_child(play_on, envs)
    assert expected == other.step(actions)[0].sum() == envs.step(actions)[0].sum()
