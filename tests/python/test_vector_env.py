"""`AtariVectorEnv` gives the bytes, infos and spaces of ale-py's class; threads and forks change nothing."""

from __future__ import annotations

import copy
import inspect
import multiprocessing
import pickle
import tracemalloc

import ale_py
import gym2600
import gymnasium
import numpy as np
import pytest
from gym2600.batch import batched
from gymnasium.spaces import Box
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space
from gymnasium.wrappers.vector import RecordEpisodeStatistics
from limits import HANG_SECONDS, LONG
from results import check, check_step

LANES = 3

OPTIONS = {
    "defaults": {},
    "same step": {"autoreset_mode": AutoresetMode.SAME_STEP},
    "same step by name": {"autoreset_mode": "SameStep", "episodic_life": True},
    "a short limit": {"max_num_frames_per_episode": 102},
    "without maxpool": {"maxpool": False, "max_num_frames_per_episode": 300},
    "episodic life": {"episodic_life": True},
    "life loss info": {"life_loss_info": True},
    "both": {"life_loss_info": True, "episodic_life": True},
    "few options": {"use_fire_reset": False, "noop_max": 0, "reward_clipping": False},
    "sticky actions": {"repeat_action_probability": 0.25, "frameskip": 5},
    "all actions": {"full_action_space": True},
    "a stick": {"continuous": True, "continuous_action_threshold": 0.3},
    "colour": {"grayscale": False, "img_height": 64, "img_width": 96},
    "larger pictures": {"img_height": 300, "img_width": 100, "stack_num": 2},
    "NumPy's numbers": {"img_height": np.int64(50), "noop_max": np.int64(9), "repeat_action_probability": np.float64(0.5)},
    "one picture": {"stack_num": 1, "frameskip": 1},
}

GAMES = ["breakout", "seaquest", "klax"]
#: In the short form options play one of the games.
PLAYS = [(name, game) for number, name in enumerate(OPTIONS) for place, game in enumerate(GAMES) if LONG or place == number % 3]


@pytest.mark.parametrize(("name", "game"), PLAYS)
def test_play_is_that_of_ale_py(name, game, seed):
    options = OPTIONS[name]
    theirs = ale_py.AtariVectorEnv(game, num_envs=LANES, **options)
    ours = gym2600.AtariVectorEnv(game, num_envs=LANES, num_threads=2, **options)
    for space in ("single_action_space", "action_space", "single_observation_space", "observation_space"):
        assert getattr(ours, space) == getattr(theirs, space), space
    assert ours.metadata["autoreset_mode"] == theirs.metadata["autoreset_mode"]
    check(ours.reset(seed=seed)[0], theirs.reset(seed=seed)[0], "reset")
    check(ours.reset(seed=5)[1], theirs.reset(seed=5)[1], "reset infos")
    theirs.action_space.seed(seed)
    ended = 0
    for number in range(250):
        actions = theirs.action_space.sample()
        expected = theirs.step(actions)
        check_step(ours.step(actions), expected, number)
        ended += int((expected[2] | expected[3]).sum())
    assert ended or "limit" not in name
    check(ours.reset(seed=list(range(LANES)))[0], theirs.reset(seed=np.arange(LANES))[0], "reset")


def test_some_environments_are_reset():
    mask = np.array([True, False, True])
    theirs, ours = ale_py.AtariVectorEnv("breakout", LANES), gym2600.AtariVectorEnv("breakout", LANES)
    for envs in (theirs, ours):
        envs.reset(seed=1)
        for _ in range(20):
            envs.step(np.array([1, 2, 3]))
    mine, expected = (envs.reset(seed=9, options={"reset_mask": mask}) for envs in (ours, theirs))
    check(mine[0], expected[0], "observations")
    check(mine[1], expected[1], "infos")
    check_step(ours.step(np.array([1, 2, 3])), theirs.step(np.array([1, 2, 3])), 0)
    with pytest.raises(ValueError, match="reset_mask"):
        ours.reset(options={"reset_mask": np.zeros(2, np.bool_)})


@pytest.mark.parametrize("batch_size", [0, 2])
def test_a_reset_of_some_environments_is_refused_as_by_ale_py(batch_size):
    some = {"reset_mask": np.array([True, False, True])}
    for package in (ale_py, gym2600):
        envs = package.AtariVectorEnv("breakout", LANES, batch_size=batch_size)
        with pytest.raises(RuntimeError, match="first reset"):
            envs.reset(options=some)
        envs.reset(seed=1, options={"reset_mask": np.ones(LANES, np.bool_)})
        if batch_size:
            with pytest.raises(ValueError, match="batch_size"):
                envs.reset(options=some)
        *_, infos = envs.step(np.ones(len(envs.action_space.nvec), int))
        assert len(infos["lives"]) == (batch_size or LANES)


def batches():
    """ale-py's batch and ours, played on from the seeds 1, 2 and 3."""
    both = ale_py.AtariVectorEnv("breakout", LANES), gym2600.AtariVectorEnv("breakout", LANES)
    for envs in both:
        envs.reset(seed=1)
        for _ in range(20):
            envs.step(np.array([1, 2, 3]))
    return both


@pytest.mark.parametrize(
    ("seed", "mask"),
    [
        (np.array([20, 22]), [True, False, True]),
        (np.array([-1, 7]), [False, True, True]),
        (20, [True, False, True]),
        (-1, [True, False, True]),
        (None, [False, False, False]),
        (np.array([-1, 7, -1]), None),
        (np.array([-1, -1, -1]), None),
        (-1, None),
        (None, None),
    ],
)
def test_seeds_belong_to_the_environments_that_are_reset(seed, mask):
    theirs, ours = batches()
    options = None if mask is None else {"reset_mask": np.array(mask)}
    # The second reset tells whether the generators of the others are as they were.
    for arguments in ({"seed": seed, "options": options}, {}):
        mine, expected = (envs.reset(**arguments) for envs in (ours, theirs))
        check(mine, expected)


@pytest.mark.parametrize("seed", [np.array([5]), np.array([5, 9, 1])])
def test_a_wrong_number_of_seeds_is_refused_as_by_ale_py(seed):
    for envs in batches():
        with pytest.raises(ValueError, match="seed"):
            envs.reset(seed=seed, options={"reset_mask": np.array([True, False, True])})


@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
def test_a_life_is_lost_at_the_limit_as_in_ale_py(mode):
    options = {"frameskip": 20, "life_loss_info": True, "noop_max": 0, "max_num_frames_per_episode": 100, "autoreset_mode": mode}
    theirs, ours = (package.AtariVectorEnv("breakout", 1, **options) for package in (ale_py, gym2600))
    silent = gym2600.AtariVectorEnv("breakout", 1, **{**options, "life_loss_info": False})
    check(ours.reset(seed=7)[0], theirs.reset(seed=7)[0])
    silent.reset(seed=7)
    lost_at_the_limit = 0
    for number in range(120):
        actions = np.array([1 - number % 2])
        mine, expected = ours.step(actions), theirs.step(actions)
        for place in range(4):
            check(mine[place], expected[place], f"step {number}")
        lost_at_the_limit += int((expected[2] & silent.step(actions)[3]).sum())
    assert lost_at_the_limit


def test_a_lost_life_has_a_final_observation():
    options = {"autoreset_mode": AutoresetMode.SAME_STEP, "max_num_frames_per_episode": 700}
    theirs, ours = (package.AtariVectorEnv("breakout", LANES, life_loss_info=True, **options) for package in (ale_py, gym2600))
    # Its terminations are the ends of games.
    games = gym2600.AtariVectorEnv("breakout", LANES, **options)
    for envs in (theirs, ours, games):
        envs.reset(seed=1)
    lives = 0
    for number in range(400):
        actions = (np.arange(LANES) + number) % 4
        expected, mine, game = (envs.step(actions) for envs in (theirs, ours, games))
        assert list(mine[4]) == list(expected[4]), number
        if "final_obs" in mine[4]:
            ended = game[2] | game[3]
            lost = mine[2] & ~ended
            lives += lost.sum()
            final, reference = mine[4].pop("final_obs"), expected[4].pop("final_obs")
            check(final[ended], reference[ended], f"step {number}")
            # ale-py leaves these undefined.
            check(final[lost], mine[0][lost], f"step {number}")
        check(mine, expected, f"step {number}")
    assert lives


@pytest.mark.parametrize("size", [0, 2])
@pytest.mark.parametrize("losses", [False, True])
def test_final_observations_can_be_sparse(losses, size):
    options = {"autoreset_mode": "SameStep", "max_num_frames_per_episode": 200, "life_loss_info": losses, "batch_size": size}
    envs, other = (gym2600.AtariVectorEnv("breakout", LANES, sparse_final_obs=sparse, **options) for sparse in (True, False))
    for each in (envs, other):
        each.reset(seed=1)
    seen = 0
    for number in range(150):
        actions = (np.arange(size or LANES) + number) % 4
        mine, expected = envs.step(actions), other.step(actions)
        final, which = mine[4].pop("final_obs", None), mine[4].pop("_final_obs", None)
        dense = expected[4].pop("final_obs", None)
        check(mine, expected, f"step {number}")
        assert (final is None) == (dense is None) == (which is None)
        if final is not None:
            seen += len(final)
            check(which, expected[2] | expected[3])
            check(final, dense[which], f"step {number}")
    assert seen > 3


def test_pictures_are_those_of_the_consoles():
    envs = gym2600.AtariVectorEnv("breakout", 2, render_mode="rgb_array", noop_max=0, use_fire_reset=False)
    envs.reset(seed=1)
    env = ale_py.AtariEnv("breakout", render_mode="rgb_array", frameskip=4, repeat_action_probability=0)
    env.reset(seed=1)
    for _ in range(5):
        envs.step(np.array([1, 1]))
        env.step(1)
    pictures = envs.render()
    assert len(pictures) == 2
    check(pictures[0], env.render())
    assert (envs.metadata["render_modes"], envs.metadata["render_fps"]) == (["rgb_array"], 15)
    assert gym2600.AtariVectorEnv("breakout", 2).render() is None
    with pytest.raises(ValueError, match="render_mode"):
        gym2600.AtariVectorEnv("breakout", 2, render_mode="human")


def test_the_space_of_a_batch_takes_no_memory_for_each_environment():
    envs = gym2600.AtariVectorEnv("breakout", LANES)
    space = envs.observation_space
    assert space == batch_space(envs.single_observation_space, LANES) == pickle.loads(pickle.dumps(space))
    assert space.low.strides[0] == space.high.strides[0] == 0
    assert space.low.flags.writeable


@pytest.mark.parametrize("space", [Box(0, 255, (4, 84, 84), np.uint8), Box(0, 1, (84, 84, 4), np.float32)], ids=str)
def test_the_space_of_a_batch_is_made_without_arrays_of_a_batch(space):
    tracemalloc.start()
    try:
        batched(space, 1000)
        assert tracemalloc.get_traced_memory()[1] < 100 * space.low.nbytes
    finally:
        tracemalloc.stop()
    space.seed(3)
    ours, theirs = batched(space, LANES), batch_space(space, LANES)
    assert ours == theirs == ours
    assert repr(ours) == repr(theirs)
    assert ours.is_bounded()
    for key, value in vars(theirs).items():
        if isinstance(value, np.ndarray):
            check(getattr(ours, key), value, key)
    again = pickle.loads(pickle.dumps(ours))
    for each in (ours, again, copy.deepcopy(again)):
        sample = each.sample()
        assert theirs.contains(sample) and ours.contains(sample) and not ours.contains(sample[1:])
    for seed in (None, 5):
        if seed is not None:
            ours.seed(seed)
            theirs.seed(seed)
        else:
            ours, theirs = batched(space, LANES), batch_space(space, LANES)
        check(ours.sample(), theirs.sample())


def test_a_buffer_can_be_used_again():
    views, copies = (gym2600.AtariVectorEnv("breakout", LANES, copy=copy) for copy in (False, True))
    first, _ = views.reset(seed=1)
    kept, _ = copies.reset(seed=1)
    before = kept.copy()
    for _ in range(10):
        second = views.step(np.array([1, 2, 3]))[0]
        fresh = copies.step(np.array([1, 2, 3]))[0]
    assert second is first
    assert np.array_equal(second, fresh)
    assert np.array_equal(kept, before)


def test_threads_change_nothing():
    batches = [gym2600.AtariVectorEnv("seaquest", 5, num_threads=threads) for threads in (1, 2, 4)]
    for envs in batches:
        envs.reset(seed=4)
    for number in range(100):
        actions = (np.arange(5) + number) % 18
        expected, *others = (envs.step(actions) for envs in batches)
        for other in others:
            check_step(other, expected, number)


def play_on(envs, pipe):
    """Plays in another process."""
    pipe.send([envs.step(np.full(LANES, number % 4))[0].sum() for number in range(20)])


@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_a_forked_process_plays_on_with_threads_of_its_own():
    envs = gym2600.AtariVectorEnv("breakout", LANES, num_threads=3)
    envs.reset(seed=1)
    envs.step(np.ones(LANES, np.int64))
    receiver, sender = multiprocessing.Pipe(duplex=False)
    child = multiprocessing.get_context("fork").Process(target=play_on, args=(envs, sender))
    child.start()
    assert receiver.poll(HANG_SECONDS), "the child hangs"
    sums = receiver.recv()
    child.join()
    assert sums == [envs.step(np.full(LANES, number % 4))[0].sum() for number in range(20)]


def test_statistics_of_episodes_are_recorded():
    envs = RecordEpisodeStatistics(gym2600.AtariVectorEnv("breakout", LANES, max_num_frames_per_episode=100))
    envs.reset(seed=1)
    lengths = [infos["episode"]["l"] for *_, infos in (envs.step(np.ones(LANES, np.int64)) for _ in range(30)) if "episode" in infos]
    assert lengths


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"num_envs": 0}, "num_envs"),
        # Far above what the memory holds.
        ({"num_envs": 10**12}, "num_envs"),
        ({"batch_size": 9}, "batch_size"),
        ({"num_threads": -1}, "threads"),
        ({"repeat_action_probability": 1.5}, "repeat_action_probability"),
    ],
)
def test_wrong_arguments_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        gym2600.AtariVectorEnv("wallop", **{"num_envs": 2, **options})


def test_a_step_without_frames_is_the_error_of_ale_py():
    for package, game in ((ale_py, "breakout"), (gym2600, "wallop")):
        for make in (package.AtariVectorEnv, package.AtariEnv):
            with pytest.raises(gymnasium.error.Error, match="frameskip"):
                make(game, **({"num_envs": 1} if make is package.AtariVectorEnv else {}), frameskip=0)


@pytest.mark.parametrize("game", ["skiing", "lost_luggage"])
def test_a_stick_plays_games_that_lack_some_of_its_actions(game):
    """ale-py's batch does not play them, so its single environment is the reference, from the same state on."""
    options = {"continuous": True, "repeat_action_probability": 0.0}
    envs = gym2600.AtariVectorEnv(game, 1, noop_max=0, use_fire_reset=False, stack_num=1, frameskip=1, **options)
    env = ale_py.AtariEnv(game, frameskip=1, **options)
    envs.reset(seed=0)
    env.reset(seed=0)
    envs.action_space.seed(1)
    for _ in range(300):
        actions = envs.action_space.sample()
        _, _, terminations, truncations, infos = envs.step(actions)
        _, _, terminated, truncated, info = env.step(actions[0])
        assert np.array_equal(envs._batch.ram()[0], env.ale.getRAM())
        assert (terminations[0], infos["lives"][0]) == (terminated, info["lives"])
        if terminated or truncated:
            break


def test_wrong_actions_and_seeds_are_refused():
    envs = gym2600.AtariVectorEnv("wallop", 2)
    envs.reset(seed=1)
    for actions in ([0, 4], [0, -1], [0]):
        with pytest.raises(ValueError, match="action"):
            envs.step(np.array(actions))
    for call in (envs.step, envs.send):
        with pytest.raises(TypeError, match="float64"):
            call(np.array([1.0, 0.0]))
    for seed in ([1, 2, 3], [1], -2, np.array([1, -2]), 2**31, 2**64):
        with pytest.raises(ValueError, match="seeds"):
            envs.reset(seed=seed)


def test_a_stick_has_three_numbers():
    envs = gym2600.AtariVectorEnv("wallop", 2, continuous=True)
    envs.reset(seed=1)
    for actions in (np.zeros(2), np.zeros((3, 2)), np.zeros((2, 4))):
        with pytest.raises(ValueError, match="actions have the shape"):
            envs.step(actions)


def test_members_are_those_of_ale_py():
    for options in ({}, {"continuous": True, "grayscale": False}):
        theirs, ours = (package.AtariVectorEnv("breakout", 1, **options) for package in (ale_py, gym2600))
        check(ours.map_action_idx, theirs.map_action_idx)
        for name in ("grayscale", "continuous", "continuous_action_threshold", "batch_size", "autoreset_mode"):
            assert getattr(ours, name) == getattr(theirs, name), name


def public(thing):
    """The names of a thing's public members."""
    return {name for name in dir(thing) if not name.startswith("_")}


def test_every_public_member_of_ale_py_is_here():
    theirs, ours = (package.AtariVectorEnv("breakout", 1) for package in (ale_py, gym2600))
    assert not public(theirs) - public(ours)
    assert not public(theirs.ale) - public(ours.ale)
    for name in ("__init__", "reset", "step", "send", "recv", "xla"):
        expected, mine = (inspect.signature(getattr(type(envs), name)).parameters for envs in (theirs, ours))
        places = [parameter for parameter in expected.values() if parameter.kind != parameter.KEYWORD_ONLY]
        assert list(mine)[: len(places)] == [parameter.name for parameter in places], name
        for parameter in expected.values():
            assert mine[parameter.name].kind == parameter.kind, (name, parameter)
            if parameter.default is not parameter.empty:
                assert mine[parameter.name].default == parameter.default, (name, parameter)


def test_what_is_left_out_says_what_to_call():
    envs = gym2600.AtariVectorEnv("wallop", 1)
    with pytest.raises(NotImplementedError, match="AtariVectorEnv.xla"):
        envs.ale.handle()


@pytest.mark.parametrize("options", [{}, {"continuous": True, "grayscale": False}, {"life_loss_info": True}], ids=str)
def test_the_member_ale_plays_as_that_of_ale_py(options, seed):
    both = [package.AtariVectorEnv("pong", LANES, **options).ale for package in (ale_py, gym2600)]
    theirs, ours = both
    for name in ("get_num_envs", "get_observation_shape"):
        check(getattr(ours, name)(), getattr(theirs, name)(), name)
    assert [str(action) for action in ours.get_action_set()] == [str(action) for action in theirs.get_action_set()]
    count = len(theirs.get_action_set())
    check(*(ale.reset([0, 1, 2], [seed, 5, 7]) for ale in (ours, theirs)))
    for number in range(60):
        actions, strengths = [number % count, 3, number // 5 % count], [1.0, 0.5, number % 10 / 10]
        for ale in both:
            ale.send(actions, strengths)
        check_step(ours.recv(), theirs.recv(), number)
    check(*(ale.reset([2, 0], [9, -1]) for ale in (ours, theirs)))
    for wrong in (([0, 0], [1, 2]), ([3], [1]), ([-1], [1]), ([0], [1, 2])):
        with pytest.raises(ValueError, match="environments"):
            ours.reset(*wrong)
    for wrong in (([0, 0, 0], [1.0]), ([0, 0, count], [1.0] * 3), ([0, 0, 0], [2.0] * 3)):
        with pytest.raises(ValueError, match="action"):
            ours.send(*wrong)


@pytest.mark.parametrize("threshold", [0.3, 0.5])
def test_a_stick_presses_what_it_presses_in_ale_py(threshold):
    """Multiples of 15 degrees have sines and cosines that are thresholds, where the last bit decides."""
    options = {"continuous": True, "continuous_action_threshold": threshold, "noop_max": 0, "frameskip": 1}
    theirs, ours = (package.AtariVectorEnv("seaquest", 8, **options) for package in (ale_py, gym2600))
    check(ours.reset(seed=1)[0], theirs.reset(seed=1)[0])
    low, high = theirs.single_action_space.low, theirs.single_action_space.high
    angles = (np.arange(-12, 13) * np.pi / 12).astype(np.float32).clip(low[1], high[1])
    grid = np.stack(np.meshgrid(np.linspace(0.1, 1, 10, dtype=np.float32), angles, [0.0, 1.0]), axis=-1).reshape(-1, 3)
    for number in range(len(grid)):
        actions = np.roll(grid, -number, axis=0)[: 8 * 31 : 31].astype(np.float32)
        check_step(ours.step(actions), theirs.step(actions), number)
