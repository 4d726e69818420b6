"""Wrong arguments of batches are errors that name them, before anything changes."""

from __future__ import annotations

import pickle

import ale_py
import gym2600
import gymnasium
import numpy as np
import pytest
from gymnasium.error import ClosedEnvironmentError


@pytest.mark.parametrize("probability", [2, -0.5, float("nan")])
def test_a_probability_out_of_range_is_named(probability):
    makers = (
        lambda: gym2600.AtariEnv("wallop", repeat_action_probability=probability),
        lambda: gymnasium.make("gym2600/Wallop-v0", repeat_action_probability=probability),
        lambda: gym2600.AtariVectorEnv("wallop", repeat_action_probability=probability),
        lambda: gym2600.VectorEnv("wallop", repeat_action_probability=probability),
        lambda: gym2600.make("Breakout-v5", repeat_action_probability=probability),
    )
    for make in makers:
        with pytest.raises(ValueError, match=f"repeat_action_probability is {probability}"):
            make()


@pytest.mark.parametrize(
    "action", [3, None, "x", [1.0, 0.0], [[1.0, 0.0, 0.0]], [2.0, 0, 0], [-1.0, 0, 0], [np.nan, 0, 0], [1, np.inf, 0]]
)
def test_a_stick_is_three_numbers(action):
    env = gym2600.AtariEnv("breakout", continuous=True)
    env.reset(seed=1)
    envs = gym2600.AtariVectorEnv("breakout", 1, continuous=True)
    envs.reset(seed=1)
    for step, given in ((env.step, action), (envs.step, [action]), (envs.send, [action])):
        with pytest.raises((TypeError, ValueError), match="actions"):
            step(given)
    assert env.ale.getFrameNumber() == 0


@pytest.mark.parametrize(
    "actions",
    [
        *([0], [0, 1, 2], [[0, 1]], [[0], [1]], 3),
        *([0, 4], [0, -1], [2**40, 0], [0.0, 1.0], ["a", "b"], None, [True, False], np.array([0, 2**64 - 1], np.uint64)),
    ],
)
def test_actions_of_a_batch_are_named(actions):
    batches = (gym2600.AtariVectorEnv, gym2600.VectorEnv, lambda _, count: gym2600.make("Breakout-v5", num_envs=count))
    for envs in (make("breakout", 2) for make in batches):
        envs.reset()
        for call in (envs.step, *((envs.send,) if hasattr(envs, "send") else ())):
            with pytest.raises((TypeError, ValueError), match="action") as caught:
                call(actions)
            assert "4294967295" not in str(caught.value)


WRONG = {
    "num_envs": (1.5, "x", None, True, 2**31 - 1),
    "mode": (1.5, "x", -2),
    "difficulty": (1.5, -2),
    "full_action_space": ("x", 3),
    "repeat_action_probability": ("x", None),
    "render_mode": ("nonsense", "human", 3),
    "seeding": ("x", 3),
    "observation": ("x", 3),
    "max_frames_per_episode": (-1, 1.5),
    "truncate_on_loss_of_life": ("x",),
    "frameskip": ("x", 2.5, (2, 5), -1, 0, True),
    "frame_skip": ("x", 2.5, -1, 0, True, 2**31 - 1),
    "max_num_players": (0, 1.5),
    "img_height": (-1, 0, 1.5, "x", 2**31 - 1),
    "img_width": (0, True, 2**31 - 1),
    "stack_num": (1.5, 0, 2**31 - 1),
    "wrappers": ("ClipReward", 5, [3]),
    "preset": (3,),
    "definition": ("x", 3),
    "thread_affinity_offset": ("x", 1.5),
    "zero_discount_on_life_loss": ("x", {}),
    "gym_reset_return_info": ("x", [1]),
    "base_path": (5,),
    "num_threads": (-1, 1.5, True),
    "threads": (-1, 1.5, "x"),
    "noop_max": (-1, 1.5, 2**31 - 1),
    "max_num_frames_per_episode": (1.5,),
    "max_episode_steps": (-1, 0, "x"),
    "grayscale": ("x", 2),
    "gray_scale": ("x",),
    "episodic_life": ("x",),
    "maxpool": (3,),
    "use_fire_reset": ("x",),
    "continuous_action_threshold": ("x", float("nan")),
    "batch_size": (1.5, 3, -1),
    "seed": ("x", 1.5, -1, 2**31),
    "env_seed": (["a", 1], [1.5, 2], [1, 2, 3], 5, None),
}


@pytest.mark.parametrize("name", WRONG)
def test_an_argument_of_a_batch_is_named(name):
    makers = (gym2600.AtariVectorEnv, gym2600.VectorEnv, lambda _, **options: gym2600.make("Breakout-v5", **options))
    named = 0
    for make in makers:
        for value in WRONG[name]:
            if make is gym2600.VectorEnv and name == "repeat_action_probability" and value is None:
                continue
            with pytest.raises((TypeError, ValueError, gymnasium.error.Error), match=name) as caught:
                make("wallop", **{"num_envs": 2, name: value})
            assert "line 1 column" not in str(caught.value)
            named += "unexpected" not in str(caught.value)
    assert named


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"wrappers": ["ClipReward", {"type": "SkipFrames", "n": "x"}]}, r"^option wrappers\[1\]\.n: .*\"x\""),
        ({"wrappers": [{"n": 2}]}, r"^option wrappers\[0\]: missing field `type`"),
        ({"definition": {"rom": 3}}, r"^option definition\.rom: .*3"),
    ],
)
def test_an_option_in_json_is_named(options, message):
    with pytest.raises(ValueError, match=message) as caught:
        gym2600.VectorEnv("wallop", **options)
    assert "line 1 column" not in str(caught.value)


@pytest.mark.parametrize(
    ("make", "values", "message"),
    [
        (
            lambda: gym2600.VectorEnv("wallop", definition={"rom": "mine", "rules": {"frame": "a = 1\nb = x"}}),
            {"code": "bad-game", "option": "definition", "path": "definition.rules.frame", "line": 2, "column": 5},
            'option definition.rules.frame, line 2, column 5: unknown variable "x"',
        ),
        (
            lambda: gym2600.VectorEnv("wallop", wrappers=["ClipReward", {"type": "SkipFrames", "n": 0}]),
            {"code": "bad-option", "option": "wrappers", "path": "wrappers[1]", "wrapper": "SkipFrames", "line": None},
            "wrapper 2, SkipFrames: ",
        ),
        (
            lambda: gym2600.AtariVectorEnv("wallop", 2, img_width=10**6),
            {"code": "bad-option", "wrapper": "ImagePreprocessing"},
            "img_width and img_height: ",
        ),
        (
            lambda: gym2600.AtariEnv(bytes(4096)),
            {"code": "unknown-rom", "option": None, "reason": None},
            "unknown ROM of 4096 bytes",
        ),
    ],
)
def test_a_refusal_has_its_place_and_reason_as_attributes(make, values, message):
    with pytest.raises(gym2600.RefusedError) as caught:
        make()
    for error in (caught.value, pickle.loads(pickle.dumps(caught.value))):
        assert {name: getattr(error, name) for name in values} == values
        assert str(error).startswith(message)
        assert error.reason is None or error.reason in str(error)


@pytest.mark.parametrize("seed", [1.5, "x", [1.5, 2], ["a", "b"]])
def test_a_seed_of_a_batch_is_a_whole_number(seed):
    for envs in (gym2600.AtariVectorEnv("wallop", 2), gym2600.VectorEnv("wallop", 2)):
        with pytest.raises(TypeError, match="seed is"):
            envs.reset(seed=seed)


def test_options_of_a_reset_are_a_dictionary():
    makers = (gym2600.AtariEnv, gym2600.AtariVectorEnv, gym2600.VectorEnv, lambda _: gym2600.make("Breakout-v5"))
    for make in makers:
        with pytest.raises(TypeError, match="options is"):
            make("wallop").reset(options=[1])


def test_a_step_needs_a_reset_as_in_ale_py():
    with pytest.raises(RuntimeError, match="reset"):
        ale_py.AtariVectorEnv("breakout", 2).step(np.array([0, 0]))
    batches = (gym2600.AtariVectorEnv("breakout", 2), gym2600.VectorEnv("breakout", 2), gym2600.make("Breakout-v5", num_envs=2))
    for envs in (*batches, gym2600.AtariVectorEnv("breakout", 2, batch_size=1)):
        with pytest.raises(RuntimeError, match="reset"):
            envs.step(np.array([0, 0]))
    with pytest.raises(RuntimeError, match="reset"):
        batches[0].send(np.array([0, 0]))


def test_a_closed_batch_says_so_before_a_step():
    for envs in (gym2600.AtariVectorEnv("breakout", 2), gym2600.make("Breakout-v5", num_envs=2)):
        envs.reset()
        envs.close()
        with pytest.raises(ClosedEnvironmentError, match="closed"):
            envs.recv()


def test_a_path_that_is_missing_is_named_as_it_is(tmp_path):
    for name in ("breakout.bin", str(tmp_path / "breakout.bin"), "folder/breakout"):
        with pytest.raises(FileNotFoundError, match="no such file") as caught:
            gym2600.roms.load(name)
        assert ".bin.bin" not in str(caught.value)
    with pytest.raises(FileNotFoundError, match="it is a folder"):
        gym2600.AtariEnv(tmp_path)
    with pytest.raises(FileNotFoundError, match="a name such as 'breakout'"):
        gym2600.AtariEnv("ALE/Breakout-v5")
    with pytest.raises(FileNotFoundError, match="base_path is .*atari/roms/breakout.bin"):
        gym2600.make("Breakout-v5", base_path=tmp_path)


@pytest.mark.parametrize(
    "make",
    [gym2600.VectorEnv, gym2600.AtariVectorEnv, lambda rom, num_envs: gym2600.make(f"{rom.title()}-v5", num_envs=num_envs)],
)
def test_options_of_a_reset_are_a_dictionary(make):
    envs = make("wallop", 2)
    with pytest.raises(TypeError, match="options is 5; it is a dictionary or None"):
        envs.reset(options=5)
    envs.reset(options={})
    envs.close()


@pytest.mark.parametrize("make", [gym2600.AtariVectorEnv, gym2600.VectorEnv, lambda _: gym2600.make("Breakout-v5")])
def test_a_batch_that_is_pickled_says_what_to_use_instead(make):
    with pytest.raises(TypeError, match="save.*restore"):
        pickle.dumps(make("wallop"))
