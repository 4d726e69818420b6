"""`gym2600.make` gives the bytes, infos and spaces of EnvPool."""

from __future__ import annotations

import envpool
import gym2600
import gymnasium
import numpy as np
import pytest
from conformance.roms import path_of
from gymnasium.error import AlreadyPendingCallError, NoAsyncCallError
from results import check

LANES = 3

OPTIONS = {
    "defaults": {},
    "life by life": {"episodic_life": True, "reward_clip": True},
    "a limit": {"max_episode_steps": 60, "noop_max": 9},
    "small and sticky": {"img_height": 40, "img_width": 50, "repeat_action_probability": 0.25, "stack_num": 2},
    "all actions": {"full_action_space": True, "use_fire_reset": False, "frame_skip": 2},
    "colour": {"gray_scale": False},
    "larger pictures": {"img_height": 100, "img_width": 200, "stack_num": 1},
    "small and in colour": {"gray_scale": False, "img_height": 40, "img_width": 50, "stack_num": 2, "episodic_life": True},
}

#: Arguments of EnvPool that change no byte of it.
WITHOUT_EFFECT = {
    "thread_affinity_offset": 0,
    "max_num_players": 2,
    "gym_reset_return_info": True,
    "zero_discount_on_life_loss": True,
    "render_mode": "rgb_array",
    "num_threads": 1,
    "batch_size": LANES,
}


def pair(task="Breakout-v5", **options):
    """EnvPool's batch and ours."""
    options = {"env_type": "gymnasium", "num_envs": LANES, "seed": 5, **options}
    return envpool.make(task, **options), gym2600.make(task, **options)


def compare(theirs, ours, steps=200):
    """Compares two batches, whose results EnvPool gives in the order in which they are finished."""
    expected = theirs.reset()
    check(ours.reset(), expected, "reset", np.argsort(expected[1]["env_id"]))
    for number in range(steps):
        actions = (np.arange(LANES) * 3 + number * 7) % ours.action_space.n
        expected = theirs.step(actions)
        check(ours.step(actions), expected, f"step {number}", np.argsort(expected[4]["env_id"]))


@pytest.mark.parametrize("task", ["Breakout-v5", "Seaquest-v5", "Klax-v5"])
@pytest.mark.parametrize("name", OPTIONS)
def test_play_is_that_of_envpool(name, task):
    if task == "Klax-v5" and "colour" in name:
        task = "Pong-v5"
    theirs, ours = pair(task, **OPTIONS[name])
    assert ours.action_space == theirs.action_space
    assert ours.observation_space == theirs.observation_space
    compare(theirs, ours)


def test_the_types_gym_and_gymnasium_are_the_same():
    compare(*pair(env_type="gym"), steps=50)


@pytest.mark.parametrize("name", WITHOUT_EFFECT)
def test_arguments_without_an_effect_are_accepted(name):
    theirs, ours = pair(**{name: WITHOUT_EFFECT[name]})
    without = {"base_path"}
    assert {key: value for key, value in ours.config.items() if key not in without} == {
        key: value for key, value in theirs.config.items() if key not in without
    }
    compare(theirs, ours, steps=30)


@pytest.mark.parametrize("options", [{"env_seed": [9, 2, 9]}, {"seed": [9, 2, 9]}, {"env_seed": [4, 5, 6], "seed": 1}])
def test_every_environment_can_have_its_seed(options):
    theirs, ours = pair(**options)
    assert (ours.config["seed"], ours.config["env_seed"]) == (theirs.config["seed"], theirs.config["env_seed"])
    compare(theirs, ours, steps=30)


def test_roms_can_have_another_folder(tmp_path):
    (tmp_path / "atari" / "roms").mkdir(parents=True)
    with pytest.raises(FileNotFoundError):
        gym2600.make("Breakout-v5", base_path=tmp_path)
    (tmp_path / "atari" / "roms" / "breakout.bin").write_bytes(path_of("breakout").read_bytes())
    theirs, ours = pair(base_path=str(tmp_path))
    assert ours.config["base_path"] == theirs.config["base_path"]
    compare(theirs, ours, steps=3)


def test_members_are_those_of_envpool():
    for options in ({}, {"batch_size": 2}):
        theirs, ours = pair(**options)
        assert (len(ours), ours.is_async) == (len(theirs), theirs.is_async)
        check(ours.all_env_ids, theirs.all_env_ids)


@pytest.mark.parametrize("episodic_life", [False, True])
def test_some_environments_are_reset_and_played(episodic_life):
    theirs, ours = pair(episodic_life=episodic_life, max_episode_steps=25)
    theirs.reset()
    ours.reset()
    for number in range(40):
        for call in (
            lambda envs: envs.step(np.array([1, 3]), np.array([0, 2])),
            lambda envs: envs.step(np.array([2]), env_id=np.array([1])),
            *([] if number % 10 else [lambda envs: envs.reset(np.array([1, 2])), lambda envs: envs.reset(options={"reset_mask": np.array([1, 0, 1])})]),
        ):
            expected, mine = call(theirs), call(ours)
            check(mine, expected, f"step {number}", np.argsort(expected[-1]["env_id"]))


@pytest.mark.parametrize("size", [1, 2, 3])
def test_parts_of_a_batch_play_as_in_envpool(size):
    """Environments are independent, so each one's results are compared in its own order."""
    seen = []
    for envs in pair(num_envs=5, batch_size=size):
        envs.async_reset()
        played = [[] for _ in range(5)]
        while min(map(len, played)) < 40:
            observations, rewards, terminations, truncations, infos = envs.recv()
            assert len(observations) == size
            for place, lane in enumerate(infos["env_id"]):
                numbers = [infos[key][place] for key in ("lives", "reward", "terminated", "elapsed_step")]
                ends = (rewards[place], terminations[place], truncations[place])
                played[lane].append((observations[place].tobytes(), infos["ram"][place].tobytes(), ends, numbers))
            envs.send(np.array([(len(played[lane]) * 7 + lane) % 4 for lane in infos["env_id"]]), infos["env_id"])
        seen.append([lane[:40] for lane in played])
    assert seen[0] == seen[1]


def test_an_environment_is_reset_while_another_plays():
    seen = []
    for envs in pair(num_envs=2, batch_size=1):
        envs.async_reset()
        first = int(envs.recv()[-1]["env_id"][0])
        envs.send(np.array([1]), np.array([first]))
        other = int(envs.recv()[-1]["env_id"][0])
        results = [envs.reset(np.array([other])), envs.recv()]
        seen.append([(int(each[-1]["env_id"][0] == first), each[0].tobytes(), int(each[-1]["elapsed_step"][0])) for each in results])
    assert seen[0] == seen[1]
    assert [place for place, _, _ in seen[1]] == [1, 0]


@pytest.mark.parametrize("episodic_life", [False, True])
def test_a_game_that_ends_at_the_limit_is_over_as_in_envpool(episodic_life):
    def play(envs, steps):
        envs.reset()
        actions = (np.array([1 - number % 2]) for number in range(steps))
        return [envs.step(action) for action in actions]

    options = {"num_envs": 1, "seed": 7, "frame_skip": 25, "episodic_life": episodic_life}
    over = next(step[-1] for step in play(pair(**options)[0], 80) if step[-1]["terminated"][0])
    limit = int(over["elapsed_step"][0])
    theirs, ours = (play(envs, 80) for envs in pair(**options, max_episode_steps=limit))
    assert any(step[-1]["terminated"][0] and step[3][0] for step in theirs)
    for number, (mine, expected) in enumerate(zip(ours, theirs, strict=True)):
        check(mine, expected, f"step {number}")


def test_a_game_can_be_over_at_once_as_in_envpool():
    theirs, ours = pair("DemonAttack-v5", mode=3)
    compare(theirs, ours, 20)
    assert ours.reset()[1]["terminated"].all()


def test_a_reset_of_a_part_gives_the_first_environments():
    ours = gym2600.make("Breakout-v5", num_envs=4, batch_size=2)
    observations, infos = ours.reset()
    assert (len(observations), infos["env_id"].tolist()) == (2, [0, 1])
    *_, infos = ours.step(np.array([1, 1]), infos["env_id"])
    assert (infos["env_id"].tolist(), infos["elapsed_step"].tolist()) == ([2, 3], [0, 0])


def test_pictures_are_those_of_envpool():
    theirs, ours = pair(render_mode="rgb_array")
    for envs in (theirs, ours):
        envs.reset()
        envs.step(np.array([1, 2, 3]))
    for ids in (None, 2, [0, 2], np.array([1])):
        check(ours.render(ids), theirs.render(ids))
    for envs in pair():
        with pytest.raises(RuntimeError, match="render_mode"):
            envs.render()


def test_calls_in_a_wrong_order_name_the_state():
    envs = gym2600.make("Breakout-v5", num_envs=LANES)
    envs.reset()
    with pytest.raises(NoAsyncCallError, match="call send"):
        envs.recv()
    envs.send(np.zeros(LANES, int))
    with pytest.raises(AlreadyPendingCallError, match="call recv"):
        envs.send(np.zeros(1, int), np.array([1]))
    with pytest.raises(AlreadyPendingCallError, match="twice"):
        gym2600.make("Breakout-v5", num_envs=LANES).send(np.zeros(2, int), np.array([1, 1]))
    envs.async_reset()
    assert envs.recv()[4]["elapsed_step"].tolist() == [0] * LANES


def test_a_reset_of_environments_that_have_their_actions_changes_nothing():
    envs, other = (gym2600.make("Breakout-v5", num_envs=4, batch_size=3) for _ in range(2))
    for each in (envs, other):
        each.reset()
        # Two environments wait until a third one has its action.
        each.send(np.array([1]), np.array([0]))
    with pytest.raises(AlreadyPendingCallError, match="reset of") as caught:
        envs.reset(np.array([0]))
    assert caught.value.name == "reset"
    for each in (envs, other):
        each.send(np.array([1, 1]), np.array([1, 2]))
    check(envs.recv(), other.recv())


@pytest.mark.parametrize(
    ("task", "options", "message"),
    [
        ("Nonsense-v5", {}, "task"),
        ("Breakout-v5", {"env_type": "dm"}, "env_type"),
        ("Breakout-v5", {"batch_size": 3}, "batch_size"),
        ("Breakout-v5", {"render_mode": "human"}, "render_mode"),
        ("Breakout-v5", {"gym_reset_return_info": False}, "gym_reset_return_info"),
        ("Breakout-v5", {"max_num_players": 0}, "max_num_players"),
        ("Breakout-v5", {"env_seed": [1]}, "1 seeds"),
        ("Breakout-v5", {"num_envs": 0}, "num_envs is 0"),
        ("Breakout-v5", {"num_envs": -1}, "num_envs is -1"),
        ("Breakout-v5", {"mode": -2}, "-2"),
        # EnvPool shows 210 of its 250 rows.
        ("Klax-v5", {"gray_scale": False}, "gray_scale"),
    ],
)
def test_wrong_arguments_are_refused(task, options, message):
    with pytest.raises(ValueError, match=message):
        gym2600.make(task, **{"num_envs": 2, **options})


def test_wrong_calls_are_refused():
    envs = gym2600.make("Breakout-v5", num_envs=2)
    with pytest.warns(UserWarning, match="seeds are given to make"):
        envs.reset(seed=1)
    for call in (
        lambda: envs.step(np.array([0, 4])),
        lambda: envs.step(np.array([0])),
        lambda: envs.step(np.array([0]), np.array([2])),
        lambda: envs.reset(options={"reset_mask": np.array([True])}),
    ):
        with pytest.raises(ValueError, match="action|env_id|reset_mask"):
            call()
    with pytest.raises(TypeError, match="float64"):
        envs.step(np.array([0.5, 1.0]))
    with pytest.raises(TypeError, match="nonsense"):
        gym2600.make("Breakout-v5", nonsense=1)


def test_wrappers_of_single_environments_take_a_batch():
    envs = gymnasium.Wrapper(gym2600.make("Breakout-v5", num_envs=2))
    observations, _ = envs.reset()
    assert observations.shape == (2, 4, 84, 84)
    assert envs.step(np.zeros(2, np.int64))[1].shape == (2,)
    envs.close()
