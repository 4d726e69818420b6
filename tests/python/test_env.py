"""`AtariEnv` gives the bytes, infos and spaces of ale-py's class, and follows Gymnasium's rules."""

from __future__ import annotations

import copy
import pickle
import warnings

import ale_py
import gym2600
import gymnasium as gym
import numpy as np
import pytest
from conformance.roms import WITHOUT_RULES, all_games
from gymnasium.utils.env_checker import check_env
from gymnasium.wrappers import AtariPreprocessing, FrameStackObservation, RecordEpisodeStatistics
from limits import LONG, day_seed
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


def test_a_restored_state_goes_on_with_its_sound():
    same = []
    for package in (ale_py, gym2600):
        env = package.AtariEnv("space_invaders", repeat_action_probability=0.0, sound_obs=True)
        env.reset(seed=1)
        heard, states = [], []
        for number in range(120):
            heard.append(env.step(number % 6)[0]["sound"])
            states.append(env.clone_state())
        # Between two states there is another sound.
        places = [place for place in range(20, 110) if (heard[place + 1] != heard[-1]).any()][::9]
        count = 0
        for place in places:
            env.restore_state(states[place])
            count += np.array_equal(env.step((place + 1) % 6)[0]["sound"], heard[place + 1])
        same.append(count / len(places))
    assert same[0] < 1
    assert same[1] == 1


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


WITH_RULES = [game for game in all_games() if game not in WITHOUT_RULES]


#: The short form has a third of the games, others every day. Its consoles play all games in test_interface.py.
@pytest.mark.parametrize("game", WITH_RULES if LONG else WITH_RULES[day_seed() % 3 :: 3])
def test_every_game_plays_a_little_as_in_ale_py(game, seed):
    theirs, ours = ale_py.AtariEnv(game), gym2600.AtariEnv(game)
    check(ours.reset(seed=seed), theirs.reset(seed=seed))
    batches = [package.AtariVectorEnv(game, num_envs=2, num_threads=1) for package in (ale_py, gym2600)]
    expected, mine = (envs.reset(seed=seed % 1000) for envs in batches)
    check(mine[0], expected[0])
    for number in range(12):
        action = number * 5 % ours.action_space.n
        check(ours.step(action), theirs.step(action), f"step {number}")
        actions = np.array([action, (action + 1) % ours.action_space.n])
        expected, mine = (envs.step(actions) for envs in batches)
        check(mine, expected, f"step {number} of a batch")


def test_metadata_and_keys_are_those_of_ale_py():
    assert gym2600.AtariEnv.metadata == ale_py.AtariEnv.metadata
    for game in ("breakout", "seaquest"):
        assert gym2600.AtariEnv(game).get_keys_to_action() == ale_py.AtariEnv(game).get_keys_to_action()


def test_ids_are_those_of_ale_py_in_another_namespace():
    ids = {name.partition("/")[2] for name in gym.registry if name.startswith("ALE/")}
    assert len(ids) == 104
    ours = {name.partition("/")[2] for name in gym.registry if name.startswith("gym2600/")}
    legacy = {name for name in gym.registry if name.endswith(("-v0", "-v4")) and str(gym.spec(name).entry_point).startswith("ale_py")}
    assert len(legacy) == 248
    assert ours == ids | legacy | {"Wallop-v0", "WallopNoFrameskip-v4"}
    for name in ("Breakout-v5", "TicTacToe3D-v5", *legacy):
        theirs = gym.spec(f"ALE/{name}" if name.endswith("-v5") else name).kwargs
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


@pytest.mark.parametrize("context", ["spawn", "fork", "forkserver"])
def test_an_id_with_a_module_plays_ours_in_worker_processes(context):
    envs = gym.make_vec("gym2600.ale_ids:ALE/Breakout-v5", 1, vectorization_mode="async", vector_kwargs={"context": context})
    try:
        envs.reset(seed=1)
        assert [spec.entry_point for spec in envs.get_attr("spec")] == ["gym2600.env:AtariEnv"]
    finally:
        envs.close()


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


def test_a_copy_has_a_console_of_its_own():
    for package in (ale_py, gym2600):
        env = package.AtariEnv("breakout", frameskip=(2, 5))
        env.reset(seed=3)
        before = env.ale.getFrameNumber(), env.np_random.bit_generator.state
        copied = copy.copy(env)
        copied.step(1)
        assert (env.ale.getFrameNumber(), env.np_random.bit_generator.state) == before
    other = copy.copy(env)
    for number in range(60):
        check(other.step(number % 4), env.step(number % 4))


def test_a_clone_in_wrappers_plays_on_as_its_original():
    env = FrameStackObservation(AtariPreprocessing(gym2600.AtariEnv("wallop", frameskip=1), noop_max=5), 4)
    env.reset(seed=3)
    for number in range(40):
        env.step(number % 3)
    alone = env.unwrapped.clone()
    before = alone.ale.cloneState(include_rng=True)
    clone = copy.deepcopy(env)
    for number in range(300):
        expected = env.step(number % 3)
        check(clone.step(number % 3), expected)
        if expected[2]:
            check(clone.reset(), env.reset())
    assert clone.unwrapped.ale.cloneState(include_rng=True) == env.unwrapped.ale.cloneState(include_rng=True)
    assert alone.ale.cloneState(include_rng=True) == before
    assert alone.action_space == env.action_space and alone.ale is not env.unwrapped.ale


def test_a_state_can_be_gone_back_to():
    env = gym2600.AtariEnv("seaquest")
    env.reset(seed=3)
    state = env.clone_state(include_rng=True)
    first = [env.step(number % 18) for number in range(50)]
    env.restore_state(state)
    check(tuple(env.step(number % 18) for number in range(50)), tuple(first))


def played(envs):
    """The observations of a batch, and the rewards and ends."""
    observations = [envs.reset(seed=3)[0].copy()]
    for number in range(60):
        observation, *ends, _ = envs.step((np.arange(envs.num_envs) + number) % 4)
        observations += [observation.copy(), *ends]
    envs.close()
    return tuple(observations)


# Python warns of a fork beside other threads.
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
@pytest.mark.parametrize("context", ["spawn", "fork", "forkserver"])
@pytest.mark.parametrize("game", ["Wallop-v0", "Breakout-v5"])
def test_make_vec_plays_the_same_in_processes(game, context):
    # The id imports gym2600 in a new process.
    name, options = f"gym2600:gym2600/{game}", {"num_envs": 2, "max_num_frames_per_episode": 150}
    here = gym.make_vec(name, vectorization_mode="sync", **options)
    there = gym.make_vec(name, vectorization_mode="async", vector_kwargs={"context": context}, **options)
    check(played(there), played(here))


@pytest.mark.parametrize("mode", [None, "vector_entry_point"])
@pytest.mark.parametrize("game", ["Wallop-v0", "Breakout-v5"])
def test_make_vec_makes_a_batch(game, mode):
    envs = gym.make_vec(f"gym2600/{game}", num_envs=2, vectorization_mode=mode, max_num_frames_per_episode=150)
    assert isinstance(envs.unwrapped, gym2600.AtariVectorEnv)
    rom = "wallop" if game.startswith("Wallop") else "breakout"
    # The ids have sticky actions.
    other = gym2600.AtariVectorEnv(rom, 2, max_num_frames_per_episode=150, repeat_action_probability=0.25)
    check(played(envs), played(other))


@pytest.mark.parametrize(
    "options",
    [
        {"obs_type": "rbg"},
        {"render_mode": "ansi"},
        *({"frameskip": frameskip} for frameskip in (0, -1, 4.5, "4", True, [2, 5], (5, 2), (2, 3, 4))),
    ],
)
def test_wrong_arguments_are_refused_as_by_ale_py(options):
    for package in (ale_py, gym2600):
        with pytest.raises(gym.error.Error):
            package.AtariEnv("breakout", **options)


def test_a_frame_skip_is_a_number_of_numpy_too():
    for frameskip in (np.int64(4), (np.int64(2), np.int64(5))):
        env = gym2600.AtariEnv("wallop", frameskip=frameskip)
        env.reset(seed=1)
        assert 2 <= env.step(0)[4]["episode_frame_number"] <= 4


def test_the_seed_of_the_generator_is_that_of_ale_py():
    theirs, ours = ale_py.AtariEnv("breakout"), gym2600.AtariEnv("breakout")
    for env in (theirs, ours):
        env.reset(seed=3)
    assert ours.np_random_seed == theirs.np_random_seed == 3
    assert ours.np_random.integers(1000, size=9).tolist() == theirs.np_random.integers(1000, size=9).tolist()


class Noting:
    """A console that notes the actions it gets."""

    def __init__(self, console):
        self.console, self.noted = console, []

    def __getattr__(self, name):
        return getattr(self.console, name)

    def act(self, action, strength=1.0):
        self.noted.append((action.name if isinstance(action, ale_py.Action) else gym2600.Action(action).name, float(strength)))
        return 0


@pytest.mark.parametrize("threshold", [0.25, 0.3, 0.5, 0.9])
def test_a_stick_presses_what_it_presses_in_ale_py(threshold):
    envs = [package.AtariEnv("breakout", continuous=True, continuous_action_threshold=threshold) for package in (ale_py, gym2600)]
    theirs, ours = envs
    console = theirs.ale = Noting(theirs.ale)
    # Multiples of 15 degrees have sines and cosines that are thresholds.
    angles = (np.arange(-12, 13) * np.pi / 12).astype(np.float32)
    for r in np.linspace(0, 1, 21, dtype=np.float32):
        for theta in angles.clip(theirs.action_space.low[1], theirs.action_space.high[1]):
            for fire in (0.0, threshold, 1.0):
                position = np.array([r, theta, fire], np.float32)
                console.noted.clear()
                theirs.step(position)
                action = gym2600.env.stick(position, threshold)
                assert (action.name, float(r)) == console.noted[0], position
    for horizontal in (-1, 0, 1):
        for vertical in (-1, 0, 1):
            for fire in (False, True):
                names = [env.map_action_idx(horizontal, vertical, fire).name for env in envs]
                assert names[0] == names[1]


@pytest.mark.parametrize("name", ["gym2600/Breakout-v5", "gym2600/WallopNoFrameskip-v4", "gym2600/Wallop-v0"])
def test_the_text_of_an_environment_says_that_it_is_ale_and_its_id(name):
    """RLlib takes an environment for Atari by "AtariEnv<ALE" in its text."""
    env = gym.make(name)
    assert f"<AtariEnv<ALE: {name}>>" in str(env)
    assert str(gym2600.AtariEnv("wallop")) == "<AtariEnv instance>"
