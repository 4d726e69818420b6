"""`xla` gives functions of JAX with the results of `reset`, `step`, `send` and `recv`. These tests are not among those of tests/python, whose
processes fork: JAX warns of that."""

from __future__ import annotations

import gc
import sys
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import ale_py
import gym2600
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from examples import example, run
from gymnasium.error import DependencyNotInstalled

LANES = 3

#: The arguments of observations, and others that change what a step gives or takes.
OPTIONS = {
    "defaults": {},
    "six pictures": {"stack_num": 6, "frameskip": 1},
    "the console's size": {"img_height": 210, "img_width": 160},
    "colour": {"grayscale": False},
    "six in colour": {"grayscale": False, "stack_num": 6, "img_height": 210, "img_width": 160, "frameskip": 1},
    "a stick": {"continuous": True},
    "a short limit": {"max_num_frames_per_episode": 60},
    "one array": {"copy": False},
    "parts": {"batch_size": 2},
}


def same(results, expected, what=""):
    """Compares results of JAX with those of a call, to the last bit and with their types."""
    assert jax.tree.structure(results) == jax.tree.structure(expected), what
    for mine, wanted in zip(jax.tree.leaves(results), jax.tree.leaves(expected), strict=True):
        assert (mine.dtype, mine.shape) == (wanted.dtype, wanted.shape), what
        assert np.array_equal(mine, wanted), what


def at(results, number):
    """A step of the results of a scan."""
    return jax.tree.map(lambda array: array[number], results)


@pytest.mark.parametrize("name", OPTIONS)
def test_play_is_that_of_step(name, seed):
    envs, other = (gym2600.AtariVectorEnv("pong", LANES, **OPTIONS[name]) for _ in range(2))
    assert not envs.is_xla_registered
    handle, reset, step = envs.xla()
    assert envs.is_xla_registered
    handle, start = reset(handle, seed=np.arange(LANES) + 5)
    same(start, other.reset(seed=np.arange(LANES) + 5), "reset")
    other.action_space.seed(seed)
    for number in range(30):
        actions = other.action_space.sample()
        handle, results = step(handle, actions)
        same(results, other.step(actions), f"step {number}")


@pytest.mark.parametrize("lanes", [1, 10])
@pytest.mark.parametrize("seed", [None, 3, "each"])
def test_seeds_are_those_of_reset(lanes, seed):
    envs, other = (gym2600.AtariVectorEnv("pong", lanes) for _ in range(2))
    seeds = np.arange(lanes) * 7 if seed == "each" else seed
    handle, reset, _ = envs.xla()
    for each in (envs, other):
        each.reset(seed=1)
    handle, start = reset(handle, seed=seeds)
    same(start, other.reset(seed=seeds))
    mask = np.arange(lanes) % 3 == 0
    handle, start = reset(handle, 4, mask)
    same(start, other.reset(seed=4, options={"reset_mask": mask}))


@pytest.mark.parametrize("options", [{}, {"continuous": True}, {"grayscale": False}], ids=str)
def test_play_is_that_of_ale_pys_functions(options, monkeypatch):
    # ale-py asks for a package of checks, which say nothing about results.
    monkeypatch.setitem(sys.modules, "chex", SimpleNamespace(assert_shape=lambda *_: None, assert_type=lambda *_: None))
    both = [package.AtariVectorEnv("pong", LANES, **options) for package in (ale_py, gym2600)]
    (theirs, their_reset, their_step), (ours, our_reset, our_step) = (envs.xla() for envs in both)
    assert (ours.dtype, ours.shape) == (theirs.dtype, theirs.shape)
    (theirs, expected), (ours, start) = their_reset(theirs, np.arange(LANES)), our_reset(ours, np.arange(LANES))
    same(start, expected, "reset")
    both[0].action_space.seed(1)
    for number in range(30):
        actions = both[0].action_space.sample().astype(np.float32 if "continuous" in options else np.int32)
        (theirs, expected), (ours, results) = their_step(theirs, actions), our_step(ours, actions)
        same(results, expected, f"step {number}")


@pytest.mark.parametrize("name", ["defaults", "a stick", "one array", "parts"])
def test_a_compiled_scan_plays_every_step_once(name):
    options, traces = OPTIONS[name], []
    envs, other = (gym2600.AtariVectorEnv("pong", LANES, **options) for _ in range(2))
    handle, reset, step = envs.xla()
    handle, start = jax.jit(lambda handle: reset(handle, seed=jnp.arange(LANES)))(handle)
    same(start, other.reset(seed=np.arange(LANES)), "reset")
    other.action_space.seed(1)
    actions = np.stack([other.action_space.sample() for _ in range(40)])

    @jax.jit
    def rollout(handle, actions):
        traces.append(1)
        return jax.lax.scan(step, handle, actions)

    for _ in range(2):
        handle, results = rollout(handle, actions)
        for number, action in enumerate(actions):
            same(at(results, number), other.step(action), f"step {number}")
    assert len(traces) == 1


def test_an_agent_learns_in_one_compiled_function():
    """The shape of CleanRL's programs for JAX: the policy, the game and its statistics in one scan."""
    envs = gym2600.AtariVectorEnv("breakout", LANES, max_num_frames_per_episode=80)
    handle, reset, step = envs.xla()
    handle, (observation, _) = reset(handle, seed=jnp.arange(LANES))

    def act(carry, key):
        handle, observation, weights, played = carry
        logits = observation.reshape(LANES, -1)[:, ::500].astype(jnp.float32) @ weights
        actions = jax.random.categorical(key, logits)
        handle, (following, rewards, terminations, truncations, _) = step(handle, actions)
        played = jnp.where(terminations | truncations, 0, played + 1)
        return (handle, following, weights, played), (observation, actions, rewards, played)

    @jax.jit
    def update(handle, observation, weights, key):
        carry = (handle, observation, weights, jnp.zeros(LANES, jnp.int32))
        (handle, observation, *_), rollout = jax.lax.scan(act, carry, jax.random.split(key, 32))
        return handle, observation, rollout

    weights = jnp.zeros((57, 4))
    for number in range(2):
        handle, observation, (seen, actions, rewards, played) = update(handle, observation, weights, jax.random.key(number))
        assert seen.shape == (32, LANES, 4, 84, 84) and rewards.shape == (32, LANES)
        assert len(np.unique(np.asarray(actions))) == 4
        assert int(played.max()) < 32
    assert np.array_equal(np.asarray(seen[1, :, :3]), np.asarray(seen[0, :, 1:]))


@pytest.mark.parametrize("options", [{}, {"gray_scale": False, "stack_num": 2}, {"batch_size": 2}], ids=str)
def test_functions_of_make_are_its_calls(options):
    envs, other = (gym2600.make("Breakout-v5", num_envs=LANES, **options) for _ in range(2))
    for each in (envs, other):
        each.reset() if not options.get("batch_size") else each.async_reset()
    handle, recv, send, step = envs.xla()
    ids = np.arange(LANES, dtype=np.int32)
    if other.is_async:
        handle, results = recv(handle)
        expected = other.recv()
        same(results, expected)
        ids = expected[-1]["env_id"]
    given = (ids,) if other.is_async else ()

    @jax.jit
    def play(handle, actions):
        return jax.lax.scan(lambda handle, action: step(handle, action, *given), handle, actions)

    if other.is_async:
        # The environments of a turn are known when it ends.
        for number in range(12):
            action = (ids + number) % 4
            handle, results = jax.jit(step)(handle, action, ids)
            expected = other.step(action, ids)
            same(results, expected, f"step {number}")
            ids = expected[-1]["env_id"]
        return
    actions = (np.arange(20)[:, None] + np.arange(LANES)) % 4
    handle, results = play(handle, actions)
    for number, action in enumerate(actions):
        same(at(results, number), other.step(action), f"step {number}")
    handle = jax.jit(send)(handle, actions[0])
    handle, results = jax.jit(recv)(handle)
    same(results, other.step(actions[0]), "send and recv")


def test_a_compiled_rollout_counts_whole_games_by_the_infos_of_make():
    """As CleanRL's programs for EnvPool do: episodes end with lives and rewards are clipped, but the infos have the games and their points."""
    options = {"num_envs": LANES, "episodic_life": True, "reward_clip": True, "seed": 1}
    envs, other = (gym2600.make("Breakout-v5", **options) for _ in range(2))
    for each in (envs, other):
        each.reset()
    handle, _, _, step = envs.xla()

    def play(carry, action):
        handle, score, length, ended = carry
        handle, (_, reward, terminated, truncated, info) = step(handle, action)
        score, length, over = score + info["reward"], length + 1, info["terminated"] | truncated
        ended = {key: jnp.where(over, value, ended[key]) for key, value in (("score", score), ("length", length))}
        return (handle, score * (1 - over), length * (1 - over), ended), (reward, terminated, truncated)

    start = jnp.zeros(LANES), jnp.zeros(LANES, jnp.int32), {"score": jnp.zeros(LANES), "length": jnp.zeros(LANES, jnp.int32)}
    actions = np.random.default_rng(1).integers(0, 4, (600, LANES), np.int32)
    (handle, score, length, ended), results = jax.jit(lambda *carry: jax.lax.scan(play, carry, actions))(handle, *start)

    scores, lengths, wanted = np.zeros(LANES), np.zeros(LANES, int), {"score": np.zeros(LANES), "length": np.zeros(LANES, int)}
    games = lives = 0
    for number, action in enumerate(actions):
        _, reward, terminated, truncated, info = other.step(action)
        same(at(results, number), (reward, terminated, truncated), f"step {number}")
        scores, lengths, over = scores + info["reward"], lengths + 1, info["terminated"].astype(bool) | truncated
        wanted["score"][over], wanted["length"][over] = scores[over], lengths[over]
        scores[over] = lengths[over] = 0
        games, lives = games + over.sum(), lives + (terminated & ~over).sum()
    assert games >= LANES and lives > games and wanted["score"].any()
    for mine, expected in ((score, scores), (length, lengths), (ended["score"], wanted["score"]), (ended["length"], wanted["length"])):
        assert np.array_equal(mine, expected)


def test_what_makes_no_sense_is_refused():
    with pytest.raises(ValueError, match="autoreset_mode"):
        gym2600.AtariVectorEnv("pong", LANES, autoreset_mode="SameStep").xla()
    envs = gym2600.AtariVectorEnv("pong", LANES)
    handle, reset, step = envs.xla()
    handle, _ = reset(handle)
    with pytest.raises(ValueError, match="actions have the shape"):
        step(handle, np.zeros(2, np.int32))
    with pytest.raises(TypeError, match="actions have the dtype"):
        step(handle, np.zeros(LANES, np.float32))
    with pytest.raises(ValueError, match="seed has the shape"):
        reset(handle, np.arange(2))
    for mask in (np.zeros(LANES, np.int32), np.zeros(2, bool)):
        with pytest.raises(ValueError, match="reset_mask"):
            reset(handle, 1, mask)
    with pytest.raises(jax.errors.JaxRuntimeError, match="actions|action 9"):
        jax.block_until_ready(step(handle, np.full(LANES, 9)))


def test_an_array_of_jax_is_no_place_for_observations():
    envs = gym2600.AtariVectorEnv("pong", LANES)
    with pytest.raises(ValueError, match="out cannot be written"):
        envs.reset(out=jnp.zeros((LANES, 4, 84, 84), jnp.uint8))


def test_every_call_of_a_program_plays_whatever_becomes_of_its_results():
    envs, other = (gym2600.AtariVectorEnv("pong", LANES) for _ in range(2))
    handle, reset, step = envs.xla()
    actions = np.full(LANES, 2, np.int32)

    @jax.jit
    def play(handle):
        handle, _ = reset(handle, seed=1)
        for _ in range(3):
            handle, _ = step(handle, actions)
        step(handle, actions)
        return step(handle, actions)[0]

    jax.block_until_ready(play(handle))
    other.reset(seed=1)
    for _ in range(5):
        other.step(actions)
    same(step(handle, actions)[1], other.step(actions))


def test_programs_without_order_wait_for_each_other():
    envs = gym2600.AtariVectorEnv("pong", LANES)
    handle, reset, step = envs.xla()
    handle, (_, start) = reset(handle, seed=1)
    actions = np.zeros(LANES, np.int32)

    @jax.jit
    def play(handle):
        return jax.lax.scan(lambda handle, _: step(handle, actions), handle, length=20)[1][-1]["frame_number"]

    with ThreadPoolExecutor(2) as threads:
        frames = [np.asarray(frames) for frames in threads.map(play, [handle] * 4)]
    # Each of the 80 steps is in one of the programs.
    played = np.sort(np.concatenate(frames)[:, 0])
    assert np.array_equal(played, np.asarray(start["frame_number"])[0] + 4 * np.arange(1, 81))


def test_a_program_whose_environments_are_gone_says_so():
    handle, _, step = gym2600.AtariVectorEnv("pong", LANES).xla()
    program = jax.jit(step).lower(handle, np.zeros(LANES, np.int32)).compile()
    del step, _
    jax.clear_caches()
    gc.collect()
    with pytest.raises(jax.errors.JaxRuntimeError, match="environments that are gone"):
        jax.block_until_ready(program(handle, np.zeros(LANES, np.int32)))


@pytest.mark.parametrize("where", ["eager", "jit", "scan"])
def test_an_error_in_a_program_names_the_value(where):
    envs, other = (gym2600.AtariVectorEnv("pong", LANES) for _ in range(2))
    handle, reset, step = envs.xla()
    handle, _ = reset(handle, seed=1)
    play = {
        "eager": lambda action: step(handle, action)[1],
        "jit": lambda action: jax.jit(step)(handle, action)[1],
        "scan": lambda action: jax.lax.scan(step, handle, action[None])[1],
    }[where]
    with pytest.raises(jax.errors.JaxRuntimeError, match="INVALID_ARGUMENT.*action 9"):
        jax.block_until_ready(play(np.array([0, 9, 0], np.int32)))
    # No game has played.
    other.reset(seed=1)
    actions = np.ones(LANES, np.int32)
    same(step(handle, actions)[1], other.step(actions))
    envs.close()
    with pytest.raises(jax.errors.JaxRuntimeError, match="INTERNAL.*closed"):
        jax.block_until_ready(play(actions))


def test_without_jax_the_error_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "jax.ffi", None)
    gym2600.xla._jax.cache_clear()
    for envs in (gym2600.AtariVectorEnv("pong", 1), gym2600.make("Pong-v5")):
        with pytest.raises(DependencyNotInstalled, match="pip install jax"):
            envs.xla()


@pytest.mark.parametrize("word", ["rollout(handle", "step_env"])
def test_the_examples_of_the_documents_run(word):
    run(example("docs/train-on-one-card.md", word))
