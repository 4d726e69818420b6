"""Labels, the variables of the game's rules by name: in infos, and as observations."""

from __future__ import annotations

import gym2600
import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env


def test_an_environment_has_labels_in_its_infos_if_they_are_wanted():
    assert "labels" not in gym2600.AtariEnv("wallop").reset(seed=1)[1]
    env = gymnasium.make("gym2600/Wallop-v0", labels=True)
    _, info = env.reset(seed=1)
    assert (info["labels"]["score"], info["labels"]["lives"]) == (0, 5)
    points = 0.0
    for step in range(300):
        _, reward, _, _, info = env.step(1 + step % 3)
        points += reward
        assert info["labels"] == env.unwrapped.ale.getVariables()
        assert info["labels"]["lives"] == info["lives"]
    assert info["labels"]["score"] == points > 0
    with pytest.raises(TypeError, match="labels is 'yes'"):
        gym2600.AtariEnv("wallop", labels="yes")


def test_a_batch_of_gymnasium_has_them_in_its_own_form():
    envs = gymnasium.make_vec("gym2600/Wallop-v0", num_envs=2, vectorization_mode="sync", labels=True)
    _, infos = envs.reset(seed=1)
    assert infos["labels"]["lives"].tolist() == [5, 5] and infos["_labels"].all()
    envs.close()


@pytest.mark.parametrize("autoreset", ["NextStep", "SameStep"])
def test_a_batch_has_an_array_for_each_label(autoreset):
    envs = gym2600.VectorEnv("wallop", 3, labels=True, autoreset=autoreset)
    _, infos = envs.reset(seed=0)
    assert {name: values.tolist() for name, values in infos["labels"].items() if name in ("score", "lives")} == {
        "score": [0] * 3,
        "lives": [5] * 3,
    }
    for _ in range(3000):
        *_, infos = envs.step(np.ones(3, np.int64))
        assert infos["labels"]["score"].dtype == np.int64
        ended = infos.get("_episode", np.zeros(3, np.bool_))
        if ended.any():
            break
    labels = infos["labels"] if autoreset == "NextStep" else infos["final_info"]["labels"]
    assert labels["score"][ended].tolist() == infos["episode"]["r"][ended].tolist()
    assert not labels["lives"][ended].any()
    if autoreset == "SameStep":
        assert infos["labels"]["lives"][ended].tolist() == [5] * ended.sum()
    envs.close()
    assert "labels" not in gym2600.VectorEnv("wallop", 1).reset(seed=0)[1]


#: A definition that names the place of the bat and a number that 32 bits do not have.
CELLS = {
    "rom": "mine",
    "rules": {
        "start": "score = 0; lives = 5",
        "frame": "score = bcd(0x85, 0x84, 0x83); lives = ram[0x82]; bat = ram[0x8A]; huge = -(2 ** 40)",
    },
}
LEAST = -(2**31)


@pytest.mark.parametrize("game", ["wallop", "breakout"])
def test_an_environment_observes_its_labels_within_bounds_from_the_rules(game):
    env = gymnasium.make(f"gym2600/{game.title()}-v{0 if game == 'wallop' else 5}", obs_type="labels", labels=True)
    space = env.observation_space
    names = list(env.unwrapped.ale.getVariables())
    assert space.dtype == np.int32 and space.shape == (len(names),)
    assert (space.low[names.index("lives")], space.high[names.index("lives")]) == (0, 255)
    observation, info = env.reset(seed=1)
    seen = set()
    for step in range(200):
        assert observation.dtype == np.int32 and observation in space
        assert dict(zip(names, observation.tolist(), strict=True)) == info["labels"]
        seen.add(observation[names.index("score")])
        observation, _, ended, _, info = env.step(1 + step % 3)
        if ended:
            observation, info = env.reset()
    assert len(seen) > 1
    check_env(gym2600.AtariEnv(game, obs_type="labels"), skip_render_check=True)


def test_a_batch_observes_labels_of_a_definition():
    envs = gym2600.VectorEnv("wallop", 3, definition=CELLS, observation="labels", labels=True, autoreset="SameStep", preset="gymnasium")
    assert envs.description["labels"] == ["score", "lives", "bat", "huge"]
    space = envs.single_observation_space
    assert (space.dtype, space.shape) == (np.int32, (4, 4))
    assert space.low.tolist() == [[0, 0, 0, LEAST]] * 4
    assert space.high.tolist() == [[1_666_665, 255, 255, 0]] * 4
    observations, infos = envs.reset(seed=1)
    bats = set()
    for step in range(200):
        assert observations in envs.observation_space
        newest = {name: observations[:, 3, place].tolist() for place, name in enumerate(envs.description["labels"])}
        assert newest.pop("huge") == [LEAST] * 3
        assert all(infos["labels"][name].tolist() == values for name, values in newest.items())
        bats.update(newest["bat"])
        observations, *_, infos = envs.step(np.full(3, 1 + step % 3))
    assert len(bats) > 5
    state = envs.save()
    after = envs.step(np.ones(3, np.int64))[0]
    envs.restore(state)
    assert np.array_equal(envs.step(np.ones(3, np.int64))[0], after)
    envs.close()


def test_labels_of_a_stack_along_the_last_axis_have_their_bounds_with_them():
    wrappers = [{"type": "QueueFrames", "n": 2, "axis": "last"}]
    envs = gym2600.VectorEnv("wallop", 1, definition=CELLS, observation="labels", wrappers=wrappers)
    assert envs.single_observation_space.high.tolist() == [[1_666_665] * 2, [255] * 2, [255] * 2, [0] * 2]
    assert envs.reset(seed=1)[0] in envs.observation_space
    newest = gym2600.VectorEnv("wallop", 1, definition=CELLS, observation="labels", wrappers=["QueueFrames"], stacked=False)
    assert newest.reset(seed=1)[0]["picture"].shape == (1, 4)


def test_an_end_in_the_step_of_the_next_episode_has_its_own_labels():
    envs = gym2600.VectorEnv("breakout", 2, observation="labels", wrappers=["SkipFrames"], autoreset="SameStep", labels=True)
    names = envs.description["labels"]
    envs.reset(seed=0)
    for _ in range(3000):
        *_, infos = envs.step(np.ones(2, np.int64))
        if "final_obs" in infos:
            break
    for lane in np.flatnonzero(infos["_final_obs"]):
        last = dict(zip(names, infos["final_obs"][lane].tolist(), strict=True))
        assert last == {name: values[lane] for name, values in infos["final_info"]["labels"].items()}
        assert last["score"] == infos["episode"]["r"][lane] and last["lives"] == 0


def test_what_has_no_labels_and_wrappers_of_pictures_refuse_them():
    with pytest.raises(gymnasium.error.Error, match="the rules of combat have no variables"):
        gym2600.AtariEnv("combat", obs_type="labels")
    with pytest.raises(ValueError, match="the rules of mine have no variables"):
        gym2600.VectorEnv("wallop", definition={"rom": "mine"}, observation="labels")
    with pytest.raises(ValueError, match="whole numbers of 32 bits"):
        gym2600.VectorEnv("wallop", observation="labels", wrappers=["ImagePreprocessing"])
