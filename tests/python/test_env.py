"""`AtariEnv` gives the bytes, infos and spaces of ale-py's class, and follows Gymnasium's rules."""

from __future__ import annotations

import copy
import pickle
import warnings

import ale_py
import gym2600
import gymnasium as gym
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.wrappers import AtariPreprocessing, FrameStackObservation, RecordEpisodeStatistics
from results import check

ale_py.ALEInterface.setLoggerMode(ale_py.LoggerMode.Error)
gym.register_envs(ale_py)

OPTIONS = {
    "defaults": {},
    "frame skip of 1": {"frameskip": 1, "repeat_action_probability": 0.0},
    "a range of frame skips": {"frameskip": (2, 5)},
    "grey": {"obs_type": "grayscale"},
    "RAM": {"obs_type": "ram"},
    "all actions": {"full_action_space": True},
    "sound": {"sound_obs": True},
    "sound and RAM": {"sound_obs": True, "obs_type": "ram"},
    "a stick": {"continuous": True},
    "a stiff stick": {"continuous": True, "continuous_action_threshold": 0.9},
    "a limit": {"max_num_frames_per_episode": 200},
    "a mode": {"mode": 4, "difficulty": 1},
    "pictures": {"render_mode": "rgb_array"},
}


@pytest.mark.parametrize("game", ["breakout", "seaquest", "skiing", "klax"])
@pytest.mark.parametrize("name", OPTIONS)
def test_play_is_that_of_ale_py(name, game, seed):
    options = OPTIONS[name]
    if "mode" in options:
        console = ale_py.ALEInterface()
        console.loadROM(ale_py.roms.get_rom_path(game))
        options = {"mode": console.getAvailableModes()[-1], "difficulty": console.getAvailableDifficulties()[-1]}
    theirs, ours = ale_py.AtariEnv(game, **options), gym2600.AtariEnv(game, **options)
    assert ours.action_space == theirs.action_space
    assert ours.observation_space == theirs.observation_space
    assert ours.get_action_meanings() == theirs.get_action_meanings()
    check(ours.reset(seed=seed), theirs.reset(seed=seed))
    theirs.action_space.seed(seed)
    for number in range(150):
        action = theirs.action_space.sample()
        expected = theirs.step(action)
        check(ours.step(action), expected, f"step {number}")
        if expected[2] or expected[3]:
            check(ours.reset(), theirs.reset())
    if "render_mode" in options:
        check(ours.render(), theirs.render())


def test_metadata_and_keys_are_those_of_ale_py():
    assert gym2600.AtariEnv.metadata == ale_py.AtariEnv.metadata
    for game in ("breakout", "seaquest"):
        assert gym2600.AtariEnv(game).get_keys_to_action() == ale_py.AtariEnv(game).get_keys_to_action()


def test_ids_are_those_of_ale_py_in_another_namespace():
    ids = {name.partition("/")[2] for name in gym.registry if name.startswith("ALE/")}
    assert len(ids) == 104
    ours = {name.partition("/")[2] for name in gym.registry if name.startswith("gym2600/")}
    assert ours == ids | {"Wallop-v0"}
    for name in ("Breakout-v5", "TicTacToe3D-v5"):
        theirs = gym.spec(f"ALE/{name}").kwargs
        assert {key: gym.spec(f"gym2600/{name}").kwargs[key] for key in theirs} == theirs


def test_ale_ids_can_be_taken_over():
    before = dict(gym.registry)
    theirs = {name: spec for name, spec in before.items() if str(spec.entry_point).startswith("ale_py")}
    try:
        gym2600.register_ale_ids()
        for name, their in theirs.items():
            spec = gym.registry[name]
            assert str(spec.entry_point).startswith("gym2600"), name
            assert {key: spec.kwargs.get(key) for key in their.kwargs} == their.kwargs, name
            assert (spec.vector_entry_point is None) == (their.vector_entry_point is None), name
        assert isinstance(gym.make("BreakoutNoFrameskip-v4").unwrapped, gym2600.AtariEnv)
    finally:
        gym.registry.clear()
        gym.registry.update(before)


@pytest.mark.parametrize("game", ["gym2600/Wallop-v0", "gym2600/Breakout-v5"])
def test_gymnasiums_check_passes(game):
    for options in ({}, {"obs_type": "ram"}, {"obs_type": "grayscale", "sound_obs": True}):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            check_env(gym.make(game, render_mode="rgb_array", **options).unwrapped)


@pytest.mark.parametrize("game", ["Pong", "Seaquest"])
def test_gymnasiums_wrappers_give_the_same_bytes(game, seed):
    def make(namespace):
        env = gym.make(f"{namespace}/{game}-v5", frameskip=1)
        return RecordEpisodeStatistics(FrameStackObservation(AtariPreprocessing(env, terminal_on_life_loss=True), 4))

    theirs, ours = make("ALE"), make("gym2600")
    check(ours.reset(seed=seed), theirs.reset(seed=seed))
    theirs.action_space.seed(seed)
    for _ in range(300):
        action = theirs.action_space.sample()
        expected, mine = theirs.step(action), ours.step(action)
        for result in (expected, mine):
            result[4].get("episode", {}).pop("t", None)
        check(mine, expected)
        if expected[2] or expected[3]:
            check(ours.reset(), theirs.reset())


def test_environments_are_copied_and_pickled_with_their_state():
    env = gym2600.AtariEnv("breakout", frameskip=(2, 5))
    env.reset(seed=3)
    for _ in range(30):
        env.step(1)
    others = [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
    for number in range(60):
        result = env.step(number % 4)
        for other in others:
            check(other.step(number % 4), result)


def test_a_state_can_be_gone_back_to():
    env = gym2600.AtariEnv("seaquest")
    env.reset(seed=3)
    state = env.clone_state(include_rng=True)
    first = [env.step(number % 18) for number in range(50)]
    env.restore_state(state)
    check(tuple(env.step(number % 18) for number in range(50)), tuple(first))


@pytest.mark.parametrize("mode", ["sync", "async", "vector_entry_point"])
def test_make_vec_makes_batches(mode):
    options = {} if mode == "vector_entry_point" else {"vector_kwargs": {}}
    if mode == "async":
        options = {"vector_kwargs": {"context": "spawn"}}
    envs = gym.make_vec("gym2600/Wallop-v0", num_envs=2, vectorization_mode=mode, **options)
    observations, _ = envs.reset(seed=1)
    assert observations.shape == envs.observation_space.shape
    envs.step(envs.action_space.sample())
    envs.close()


@pytest.mark.parametrize(
    "options",
    [{"obs_type": "rbg"}, {"render_mode": "ansi"}, {"frameskip": 0}, {"frameskip": (5, 2)}, {"frameskip": (2, 3, 4)}],
)
def test_wrong_arguments_are_refused(options):
    with pytest.raises(gym.error.Error):
        gym2600.AtariEnv("wallop", **options)
