"""`out`: where the caller wants observations. Games write them there, and wrong buffers are refused before a game plays."""

from __future__ import annotations

import mmap
import tracemalloc

import gym2600
import numpy as np
import pytest
from gymnasium.error import NoAsyncCallError
from results import check

LANES = 3

SCALED = [{"type": "SkipFrames", "n": 4}, {"type": "ImagePreprocessing", "width": 40, "height": 30}, "ScaledFloat"]

MAKERS = {
    "AtariVectorEnv": lambda: gym2600.AtariVectorEnv("breakout", LANES),
    "AtariVectorEnv in colour": lambda: gym2600.AtariVectorEnv("breakout", LANES, grayscale=False, num_threads=1),
    "AtariVectorEnv in one array": lambda: gym2600.AtariVectorEnv("breakout", LANES, copy=False),
    "VectorEnv": lambda: gym2600.VectorEnv("breakout", LANES, preset="baselines", autoreset="SameStep"),
    "VectorEnv in floats": lambda: gym2600.VectorEnv("breakout", LANES, wrappers=SCALED),
    "make": lambda: gym2600.make("Breakout-v5", num_envs=LANES),
    "make in colour": lambda: gym2600.make("Breakout-v5", num_envs=LANES, gray_scale=False),
}

#: Batches of which a call gives two of three environments.
PARTS = {
    "AtariVectorEnv": lambda: gym2600.AtariVectorEnv("breakout", LANES, batch_size=2),
    "make": lambda: gym2600.make("Breakout-v5", num_envs=LANES, batch_size=2),
}


class Tensor:
    """A tensor of another library, which shares its memory by DLPack alone."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


class Pinned(Tensor):
    """A tensor in memory of the CPU that is pinned for a graphics card."""

    def __dlpack_device__(self):
        return (3, 0)


class OnACard(Tensor):
    """A tensor in the memory of a graphics card."""

    def __dlpack_device__(self):
        return (2, 0)


def actions(number, count=LANES):
    return (np.arange(count) * 3 + number) % 4


@pytest.mark.parametrize("name", MAKERS)
def test_slots_of_a_rollout_are_filled_in_place(name):
    envs, other = MAKERS[name](), MAKERS[name]()
    expected = other.reset()[0] if "make" in name else other.reset(seed=1)[0]
    rollout = np.full((21, *expected.shape), 7, expected.dtype)
    first = envs.reset(out=rollout[0])[0] if "make" in name else envs.reset(seed=1, out=rollout[0])[0]
    assert np.shares_memory(first, rollout[0])
    check(rollout[0], expected, "reset")
    for number in range(20):
        slot = rollout[number + 1]
        if number % 2:
            envs.send(actions(number))
            result = envs.recv(out=slot)
        else:
            result = envs.step(actions(number), out=slot)
        assert np.shares_memory(result[0], slot)
        check((slot, *result[1:]), other.step(actions(number)), f"step {number}")


@pytest.mark.parametrize("name", PARTS)
def test_slots_for_parts_of_a_batch_are_filled_in_place(name):
    envs, other = PARTS[name](), PARTS[name]()
    seeds = {} if name == "make" else {"seed": 1}
    rollout = np.empty((13, 2, 4, 84, 84), np.uint8)
    infos = envs.reset(out=rollout[0], **seeds)[-1]
    check((rollout[0], infos), other.reset(**seeds), "reset")
    for number in range(12):
        ids = {} if name == "AtariVectorEnv" else {"env_id": infos["env_id"]}
        result = envs.step(actions(number, 2), out=rollout[number + 1], **ids)
        infos = result[-1]
        check((rollout[number + 1], *result[1:]), other.step(actions(number, 2), **ids), f"step {number}")


def test_memory_of_other_libraries_is_taken():
    envs, other = (gym2600.VectorEnv("wallop", LANES) for _ in range(2))
    shape = (LANES, 4, 84, 84)
    shared = mmap.mmap(-1, int(np.prod(shape)))
    array = np.empty(shape, np.uint8)
    for out, memory in (
        (Tensor(array), array),
        (Pinned(array), array),
        (memoryview(array), array),
        (memoryview(shared).cast("B", shape), np.frombuffer(shared, np.uint8).reshape(shape)),
    ):
        expected, _ = other.reset(seed=2)
        array[...] = 0
        envs.reset(seed=2, out=out)
        check(memory, expected)


def test_a_step_into_a_slot_allocates_no_observation():
    envs = gym2600.VectorEnv("wallop", 8, preset="ale-vector")
    slot = np.empty(envs.observation_space.shape, np.uint8)
    envs.reset(seed=1, out=slot)
    envs.step(np.zeros(8, int), out=slot)
    tracemalloc.start()
    try:
        for _ in range(3):
            envs.step(np.zeros(8, int), out=slot)
            envs.send(np.zeros(8, int))
            envs.recv(out=slot)
        assert tracemalloc.get_traced_memory()[1] < slot[0].nbytes
    finally:
        tracemalloc.stop()


def wrong(good):
    """Buffers that are refused: each with the error and a word of its message."""
    read_only = good.copy()
    read_only.flags.writeable = False
    yield good[..., :-1].copy(), ValueError, "shape"
    yield good[:-1].copy(), ValueError, "shape"
    yield np.zeros(good.shape, "i1" if good.dtype == np.uint8 else "f8"), TypeError, "dtype"
    yield np.zeros((*good.shape[:-1], good.shape[-1] * 2), good.dtype)[..., ::2], ValueError, "strides"
    yield np.asfortranarray(good), ValueError, "strides"
    yield read_only, ValueError, "cannot be written"
    yield bytes(good.nbytes), (TypeError, ValueError), "shape|dtype"
    yield good.tolist(), TypeError, "list"
    yield 5, TypeError, "int"
    yield OnACard(good.copy()), TypeError, "OnACard"
    # As arrays of JAX, which never change.
    yield Tensor(read_only), ValueError, "cannot be written"


@pytest.mark.parametrize("name", MAKERS)
def test_wrong_buffers_are_refused_before_a_game_plays(name):
    envs, other = MAKERS[name](), MAKERS[name]()
    for each in (envs, other):
        each.reset(**({} if "make" in name else {"seed": 1}))
    good = other.step(actions(0))[0]
    envs.step(actions(0))
    for out, error, message in wrong(good):
        for call in (envs.reset, lambda out: envs.step(actions(1), out=out)):
            with pytest.raises(error, match=f"out .*({message})"):
                call(out=out)
    expected = other.step(actions(1))
    check(envs.step(actions(1)), expected)
    envs.send(actions(2))
    for out, error, message in wrong(good):
        with pytest.raises(error, match=f"out .*({message})"):
            envs.recv(out=out)
    check(envs.recv(), other.step(actions(2)))
    with pytest.raises(NoAsyncCallError):
        envs.recv(out=np.empty_like(good))


@pytest.mark.parametrize("name", PARTS)
def test_a_buffer_for_the_whole_batch_is_refused_where_a_part_is_due(name):
    envs, other = PARTS[name](), PARTS[name]()
    whole = np.empty((LANES, 4, 84, 84), np.uint8)
    for each in (envs, other):
        ids = {"env_id": each.reset()[-1]["env_id"]} if name == "make" else {}
        if name == "AtariVectorEnv":
            each.reset(seed=4)
    for call in (envs.reset, lambda out: envs.step(actions(1, 2), out=out, **ids)):
        with pytest.raises(ValueError, match="out has the shape"):
            call(out=whole)
    check(envs.step(actions(1, 2), **ids), other.step(actions(1, 2), **ids))
