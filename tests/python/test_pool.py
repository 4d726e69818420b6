"""`gym2600.make` gives the bytes, infos and spaces of EnvPool."""

from __future__ import annotations

import envpool
import gym2600
import numpy as np
import pytest
from results import check

LANES = 3

OPTIONS = {
    "defaults": {},
    "life by life": {"episodic_life": True, "reward_clip": True},
    "a limit": {"max_episode_steps": 60, "noop_max": 9},
    "small and sticky": {"img_height": 40, "img_width": 50, "repeat_action_probability": 0.25, "stack_num": 2},
    "all actions": {"full_action_space": True, "use_fire_reset": False, "frame_skip": 2},
}


@pytest.mark.parametrize("task", ["Breakout-v5", "Seaquest-v5", "Klax-v5"])
@pytest.mark.parametrize("name", OPTIONS)
def test_play_is_that_of_envpool(name, task):
    options = {"num_envs": LANES, "seed": 5, **OPTIONS[name]}
    theirs = envpool.make(task, env_type="gymnasium", **options)
    ours = gym2600.make(task, env_type="gymnasium", **options)
    assert ours.action_space == theirs.action_space
    assert ours.observation_space == theirs.observation_space
    expected, infos = theirs.reset()
    mine = ours.reset()
    order = np.argsort(infos["env_id"])
    check(mine, (expected, infos), "reset", order)
    for number in range(200):
        actions = (np.arange(LANES) * 3 + number * 7) % ours.action_space.n
        expected, mine = theirs.step(actions), ours.step(actions)
        # EnvPool gives lanes in the order in which they finish.
        order = np.argsort(expected[4]["env_id"])
        check(mine, expected, f"step {number}", order)


def test_wrong_arguments_are_refused():
    for task, options in (("Nonsense-v5", {}), ("Breakout-v5", {"env_type": "dm"}), ("Breakout-v5", {"num_envs": 2, "batch_size": 1})):
        with pytest.raises(ValueError, match="task|env_type|batch_size"):
            gym2600.make(task, **options)
