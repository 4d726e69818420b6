"""Infos with labels: the variables of the game's rules by name."""

from __future__ import annotations

import gym2600
import gymnasium
import numpy as np
import pytest


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
