"""`gym2600.VectorEnv`: every preset, lists of wrappers, endings and states."""

from __future__ import annotations

import inspect
import os
import pickle

import gym2600
import gymnasium
import numpy as np
import pytest
from gym2600._gym2600 import presets
from gym2600.batch import OPTIONS, thread_count
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers.vector import RecordEpisodeStatistics
from results import check

LANES = 3


def play(envs, steps, start=0):
    """The results of steps with the same actions every time."""
    count = envs.single_action_space.n
    return [envs.step((np.arange(envs.num_envs) * 3 + number * 7) % count) for number in range(start, start + steps)]


@pytest.mark.parametrize("preset", presets())
def test_every_preset_plays_as_its_space_says(preset):
    envs = gym2600.VectorEnv("wallop", LANES, preset=preset)
    observations, infos = envs.reset(seed=1)
    assert envs.observation_space.contains(observations)
    assert sorted(infos) == ["episode_frame_number", "frame_number", "lives"]
    if envs.metadata["autoreset_mode"] != AutoresetMode.DISABLED:
        results = play(envs, 400)
        assert all(envs.observation_space.contains(result[0]) for result in results)
        for _, _, terminations, truncations, infos in results:
            assert np.array_equal(infos.get("_real_done", [False] * LANES), terminations | truncations)
        assert any("_real_done" in infos for *_, infos in results)


@pytest.mark.parametrize("preset", presets())
def test_the_end_of_a_game_has_its_whole_score_as_the_ram_has_it(preset):
    envs = gym2600.VectorEnv("wallop", LANES, preset=preset, autoreset=AutoresetMode.DISABLED)
    envs.reset(seed=7)
    chooser = np.random.default_rng(1)
    steps, games = np.zeros(LANES, int), 0
    while games < LANES:
        *_, terminations, truncations, infos = envs.step(chooser.integers(0, 4, LANES))
        steps += 1
        ended = terminations | truncations
        real_done = ended & infos.get("real_done", ended)
        assert np.array_equal(infos.get("_episode", np.zeros(LANES, bool)), real_done)
        for lane in np.flatnonzero(real_done):
            games += 1
            score = int("".join(f"{digits:02x}" for digits in envs._batch.ram()[lane, 3:6]))
            frames = infos["episode_frame_number"][lane]
            assert [infos["episode"][key][lane] for key in ("r", "l", "frames")] == [score, steps[lane], frames]
            steps[lane] = 0
        if ended.any():
            envs.reset(options={"reset_mask": ended})


def test_an_observation_beside_a_preset_leaves_out_the_wrappers_of_pictures():
    for observation, shape in (("ram", (128,)), ("grey", (210, 160)), ("rgb", (210, 160, 3))):
        envs = gym2600.VectorEnv("wallop", 2, preset="ale-vector", observation=observation)
        assert envs.description["leftOut"] == ["ImagePreprocessing", "ImagePreprocessing"]
        assert envs.reset(seed=1)[0].shape == (2, 4, *shape)


def test_the_preset_ale_vector_is_ataris_vector_env():
    preset = gym2600.VectorEnv("breakout", LANES, preset="ale-vector")
    other = gym2600.AtariVectorEnv("breakout", LANES)
    assert np.array_equal(preset.reset(seed=3)[0], other.reset(seed=3)[0])
    for mine, expected in zip(play(preset, 100), play(other, 100), strict=True):
        for place in range(4):
            assert np.array_equal(mine[place], expected[place])


def test_a_list_of_wrappers_is_an_environment():
    wrappers = [{"type": "SkipFrames", "n": 2}, {"type": "ImagePreprocessing", "width": 40, "height": 50}, "ScaledFloat"]
    envs = gym2600.VectorEnv("wallop", 2, wrappers=wrappers, threads=2)
    assert envs.single_observation_space.shape == (50, 40)
    assert envs.single_observation_space.dtype == np.float32
    observations, _ = envs.reset(seed=1)
    assert 0 < observations.max() <= 1
    assert envs.observation_space.contains(observations)


def test_same_step_endings_have_the_final_observation():
    same = gym2600.VectorEnv("wallop", LANES, preset="labml", autoreset="SameStep")
    later = gym2600.VectorEnv("wallop", LANES, preset="labml", autoreset="NextStep")
    same.reset(seed=1)
    later.reset(seed=1)
    for mine, expected in zip(play(same, 300), play(later, 300), strict=True):
        if "final_obs" in mine[4]:
            started = mine[4]["_final_obs"]
            for lane in np.flatnonzero(started):
                assert np.array_equal(mine[4]["final_obs"][lane], expected[0][lane])
            assert mine[4]["final_info"]["frame_number"][started].min() > 0
            return
    pytest.fail("no episode ended")


def test_a_saved_batch_continues_as_it_did():
    envs = gym2600.VectorEnv("seaquest", LANES, preset="envpool")
    envs.reset(seed=1)
    now = play(envs, 50)[-1][0]
    states = envs.save()
    first = play(envs, 60, 50)
    other = gym2600.VectorEnv("seaquest", LANES, preset="envpool")
    assert np.array_equal(other.restore(states), now)
    for mine, expected in zip(play(other, 60, 50), first, strict=True):
        for place in range(4):
            assert np.array_equal(mine[place], expected[place])


def test_pictures_are_those_of_the_consoles():
    envs = gym2600.VectorEnv("wallop", 2, render_mode="rgb_array")
    envs.reset(seed=1)
    pictures = envs.render()
    assert [picture.shape for picture in pictures] == [(210, 160, 3)] * 2
    assert pictures[0].max() > 0


def test_a_state_that_is_refused_leaves_every_environment_as_it_was():
    envs, other = (gym2600.VectorEnv("breakout", LANES, preset="labml") for _ in range(2))
    for batch in (envs, other):
        batch.reset(seed=1)
    states = envs.save()
    for batch in (envs, other):
        list(play(batch, 20))
    for place, damaged in enumerate((b"", states[1][:-1], gym2600.VectorEnv("wallop").save()[0])):
        with pytest.raises(ValueError, match=f"state {place} "):
            envs.restore([*states[:place], damaged, *states[place + 1 :]])
    with pytest.raises(TypeError, match="NoneType"):
        envs.restore([*states[:2], None])
    for states in (None, "abc"):
        with pytest.raises(TypeError, match="states is"):
            envs.restore(states)
    for mine, expected in zip(play(envs, 20), play(other, 20), strict=True):
        assert np.array_equal(mine[0], expected[0])


@pytest.mark.parametrize("keep", [True, False])
@pytest.mark.parametrize("preset", presets())
def test_a_state_in_memory_and_a_copied_lane_play_on_as_the_original(preset, keep):
    options = {"preset": preset, "repeat_action_probability": 0.25, "autoreset": AutoresetMode.SAME_STEP, "copy": keep}
    envs = gym2600.VectorEnv("wallop", LANES, **options)
    envs.reset(seed=1)
    now = play(envs, 50)[-1][0].copy()
    states = [envs.clone_state(lane) for lane in range(LANES)]
    saved = envs.save()

    def played(batch):
        results = []
        for number in range(200):
            observations, rewards, *ends, infos = batch.step(np.full(LANES, number * 7 // 3 % 3))
            results.append((observations.copy(), rewards, *ends, infos["frame_number"]))
        return results

    first = played(envs)
    for batch in (envs, gym2600.VectorEnv("wallop", LANES, **options)):
        for lane, state in enumerate(states):
            assert np.array_equal(batch.restore_state(lane, state), now[lane])
        assert batch.save() == saved
        for mine, expected in zip(played(batch), first, strict=True):
            assert all(np.array_equal(*pair) for pair in zip(mine, expected, strict=True))
    for lane, state in enumerate(states):
        envs.restore_state(lane, state)
    assert np.array_equal(envs.copy_lane(1, 2), now[1])
    assert envs.save() == [saved[0], saved[1], saved[1]]
    for mine in played(envs):
        assert all(np.array_equal(array[1], array[2]) for array in mine)


def test_a_state_in_memory_of_other_options_and_lanes_that_do_not_exist_are_refused():
    envs = gym2600.VectorEnv("wallop", 2)
    envs.reset(seed=1)
    before = envs.save()
    foreign = [gym2600.VectorEnv("wallop", preset="labml"), gym2600.VectorEnv("breakout")]
    for other in foreign:
        with pytest.raises(ValueError, match="state"):
            envs.restore_state(0, other.clone_state(0))
    for state in (None, before[0]):
        with pytest.raises(TypeError, match="state is"):
            envs.restore_state(0, state)
    for call, arguments in (("clone_state", (2,)), ("restore_state", (-1, envs.clone_state(0))), ("copy_lane", (0, 2))):
        with pytest.raises(ValueError, match="the environments are 0 to 1"):
            getattr(envs, call)(*arguments)
    with pytest.raises(TypeError, match="source"):
        envs.copy_lane("0", 1)
    assert envs.save() == before


def test_a_batch_that_is_pickled_names_save():
    with pytest.raises(TypeError, match="save"):
        pickle.dumps(gym2600.VectorEnv("wallop"))


def test_statistics_can_be_left_to_gymnasium():
    def make(**options):
        return gym2600.VectorEnv("wallop", LANES, preset="labml", **options)

    envs, plain = RecordEpisodeStatistics(make(statistics=False)), make()
    named = RecordEpisodeStatistics(make(), stats_key="statistics")
    for each in (envs, plain, named):
        each.reset(seed=1)
    ended = 0
    for results in zip(play(envs, 300), play(named, 300), play(plain, 300), strict=True):
        recorded, beside, own = (result[4] for result in results)
        assert ("episode" in recorded) == ("episode" in own) == ("statistics" in beside)
        if "episode" in own:
            ended += 1
            for key in ("r", "l"):
                for other in (recorded["episode"], beside["statistics"]):
                    assert np.array_equal(other[key], own["episode"][key])
            assert np.array_equal(recorded["_episode"], own["_episode"])
    assert ended


def test_an_environment_without_a_seed_plays_on_with_its_generator():
    envs, other = (gym2600.VectorEnv("breakout", LANES) for _ in range(2))
    for batch in (envs, other):
        batch.reset(seed=1)
    mine, expected = envs.reset(seed=[None, 7, None])[0], other.reset()[0]
    assert np.array_equal(mine[[0, 2]], expected[[0, 2]])
    assert np.array_equal(mine[1], gym2600.VectorEnv("breakout", LANES).reset(seed=[1, 7, 1])[0][1])


@pytest.mark.parametrize(
    ("options", "message"),
    [({"preset": "x"}, "unknown preset|preset"), ({"wrappers": ["X"]}, "X"), ({"mode": 77}, "mode 77")],
)
def test_wrong_options_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        gym2600.VectorEnv("wallop", **options)
    with pytest.raises(TypeError, match="nonsense"):
        gym2600.VectorEnv("wallop", nonsense=1)


def test_every_option_reaches_the_environment():
    options = {
        "mode": 1,
        "difficulty": 0,
        "repeat_action_probability": 0.5,
        "full_action_space": True,
        "max_frames_per_episode": 99,
        "truncate_on_loss_of_life": True,
        "observation": "ram",
        "seeding": "gym",
    }
    envs = gym2600.VectorEnv("wallop", wrappers=[], **options)
    assert envs.single_observation_space.shape == (128,)
    assert envs.single_action_space.n == 18
    spec = envs.description["spec"]
    # The description has the probability only as a wrapper.
    del options["repeat_action_probability"]
    assert {OPTIONS[key]: spec[OPTIONS[key]] for key in options} == {OPTIONS[key]: value for key, value in options.items()}


class Stacks:
    """The stacks of `TorchStack` in NumPy, whose tests are in tests/heavy."""

    def __init__(self, envs):
        self.n, self.padding, self.axis = envs.newest.stack
        self.rows = np.zeros((envs.num_envs, self.n, *envs.single_observation_space["picture"].shape), np.uint8)

    def push(self, observation, moves=True):
        for lane, (picture, begins) in enumerate(zip(observation["picture"], observation["reset"], strict=True)):
            if begins:
                self.rows[lane] = 0 if self.padding == "zero" else picture
            elif moves:
                self.rows[lane, :-1] = self.rows[lane, 1:]
            if begins or moves:
                self.rows[lane, -1] = picture
        return self.rows if self.axis == "first" else np.moveaxis(self.rows, 1, -1)


LIVES = [
    {"type": "EpisodicLife", "restart": "continue"},
    {"type": "SkipFrames", "n": 4},
    "ImagePreprocessing",
    {"type": "QueueFrames", "n": 3, "padding": "gameReset"},
]


@pytest.mark.parametrize("mode", AutoresetMode)
@pytest.mark.parametrize("name", [*presets(), "the RAM"])
def test_newest_pictures_and_resets_make_the_stacks(name, mode):
    options = {"observation": "ram"} if name == "the RAM" else {"preset": name}
    stacked, envs = (gym2600.VectorEnv("wallop", LANES, autoreset=mode, stacked=each, **options) for each in (True, False))
    stacks, ended = Stacks(envs), 0
    observation, infos = envs.reset(seed=1)
    assert envs.observation_space.contains(observation) and envs.single_observation_space.contains({key: np.array(array[0]) for key, array in observation.items()})
    expected, wanted = stacked.reset(seed=1)
    assert np.array_equal(stacks.push(observation), expected)
    assert {key: list(array) for key, array in infos.items()} == {key: list(array) for key, array in wanted.items()}
    for number in range(150):
        actions = (np.arange(LANES) * 3 + number * 7) % 4
        observation, expected = envs.step(actions)[0], stacked.step(actions)
        assert np.array_equal(stacks.push(observation), expected[0])
        over = expected[2] | expected[3]
        ended += int(over.sum())
        if over.any() and mode == AutoresetMode.DISABLED:
            observation, _ = envs.reset(options={"reset_mask": over})
            assert np.array_equal(stacks.push(observation, moves=False), stacked.reset(options={"reset_mask": over})[0])
    assert ended


def test_newest_pictures_land_in_the_memory_of_the_caller():
    envs, other = (gym2600.VectorEnv("wallop", LANES, stacked=False) for _ in range(2))
    out = {"picture": np.empty((LANES, 84, 84), np.uint8), "reset": np.empty(LANES, np.uint8)}
    for call, arguments in (("reset", {"seed": 1}), ("step", {"actions": np.ones(LANES, int)})):
        mine, expected = getattr(envs, call)(**arguments, out=out), getattr(other, call)(**arguments)
        for key, array in out.items():
            assert np.shares_memory(mine[0][key], array)
            assert np.array_equal(array, expected[0][key])
    before = envs.save()
    refused = (
        (out["picture"], TypeError),
        ({"picture": out["picture"]}, ValueError),
        ({**out, "picture": out["picture"][:2]}, ValueError),
        ({**out, "reset": np.empty(LANES, bool)}, TypeError),
    )
    for wrong, error in refused:
        for call in (envs.reset, lambda out: envs.step(np.ones(LANES, int), out=out)):
            with pytest.raises(error, match="out"):
                call(out=wrong)
    assert envs.save() == before
    envs.send(np.ones(LANES, int))
    for wrong, error in refused:
        with pytest.raises(error, match="out"):
            envs.recv(out=wrong)
    # The results were still due.
    mine, expected = envs.recv(out=out), other.step(np.ones(LANES, int))
    for key, array in out.items():
        assert np.shares_memory(mine[0][key], array)
        assert np.array_equal(array, expected[0][key])


@pytest.mark.parametrize(
    "wrappers",
    [
        ["ImagePreprocessing"],
        ["QueueFrames", {"type": "NoopReset", "max": 5}],
        ["ImagePreprocessing", {"type": "QueueFrames", "concat": True}],
        [{"type": "QueueFrames", "axis": "last"}],
        LIVES,
    ],
    ids=str,
)
def test_a_list_whose_stack_cannot_be_left_out_is_refused(wrappers):
    gym2600.VectorEnv("wallop", wrappers=wrappers)
    with pytest.raises(ValueError, match="stacked is False"):
        gym2600.VectorEnv("wallop", wrappers=wrappers, stacked=False)


def test_make_vec_takes_a_preset_or_a_list():
    for arguments, options in (
        ({"preset": "envpool"}, {"preset": "envpool"}),
        ({"preset": "gymnasium", "autoreset": "SameStep", "threads": 1}, {"preset": "gymnasium", "autoreset": "SameStep"}),
        ({"wrapper_list": LIVES, "repeat_action_probability": 0.0}, {"wrappers": LIVES}),
        ({"preset": "labml", "stacked": False, "render_mode": "rgb_array"}, {"preset": "labml", "stacked": False}),
    ):
        made, expected = gymnasium.make_vec("gym2600/Breakout-v5", LANES, **arguments), gym2600.VectorEnv("breakout", LANES, **options)
        assert made.spec.id == "gym2600/Breakout-v5"
        assert made.description == expected.description
        for mine, theirs in ((made.reset(seed=1), expected.reset(seed=1)), (made.step(np.ones(LANES, int)), expected.step(np.ones(LANES, int)))):
            check(mine[:-1], theirs[:-1])
        made.close()
    assert isinstance(gymnasium.make_vec("gym2600/Breakout-v5", 2), gym2600.AtariVectorEnv)
    pictures = gymnasium.make_vec("gym2600/Breakout-v5", 2, render_mode="rgb_array")
    pictures.reset(seed=1)
    assert [picture.shape for picture in pictures.render()] == [(210, 160, 3)] * 2
    with pytest.raises(TypeError, match="frameskip"):
        gymnasium.make_vec("gym2600/Breakout-v5", 2, preset="envpool", frameskip=2)


def test_threads_have_one_default():
    for make, name in ((gym2600.VectorEnv, "threads"), (gym2600.AtariVectorEnv, "num_threads")):
        assert inspect.signature(make).parameters[name].default == 0
    usable = len(os.sched_getaffinity(0))
    assert [thread_count(0, count) for count in (1, usable, 10 * usable)] == [1, usable, usable]
    assert [thread_count(3, count) for count in (1, 8)] == [1, 3]
