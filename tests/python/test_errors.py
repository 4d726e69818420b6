"""Arguments of consoles and environments, wrong ones too, do what they do in ale-py."""

from __future__ import annotations

import ale_py
import gym2600
import gymnasium
import numpy as np
import pytest

ale_py.ALEInterface.setLoggerMode(ale_py.LoggerMode.Error)

KINDS = ("Int", "Bool", "Float", "String")


def outcome(call):
    """What a call gives, or the type of its error."""
    try:
        return call()
    except Exception as error:
        return type(error)


def both(call):
    """The outcomes of a call with ale-py and with gym2600."""
    return [outcome(lambda package=package: call(package)) for package in (ale_py, gym2600)]


def loaded(package, **settings):
    console = package.ALEInterface()
    console.setInt("random_seed", 7)
    console.setFloat("repeat_action_probability", 0.0)
    for key, value in settings.items():
        console.setInt(key, value)
    console.loadROM(str(ale_py.roms.get_rom_path("breakout")))
    return console


@pytest.mark.parametrize(
    "value",
    [
        *(1, 0, 2.5, -1, "1", "x", True, None, [1], b"x", 2**31, 2**1100),
        *(np.int64(3), np.float32(2), np.float64(2.5), np.True_, np.array(3)),
    ],
    ids=lambda value: repr(value)[:20],
)
@pytest.mark.parametrize("kind", KINDS)
def test_a_setting_takes_the_values_it_takes_in_ale_py(kind, value):
    key = {"Int": "frame_skip", "Bool": "send_rgb", "Float": "repeat_action_probability", "String": "cpu"}[kind]

    def call(package):
        console = package.ALEInterface()
        getattr(console, f"set{kind}")(key, value)
        return getattr(console, f"get{kind}")(key)

    theirs, ours = both(call)
    assert (type(ours), ours) == (type(theirs), theirs)


@pytest.mark.parametrize("value", [0.1, 1 / 3, 0.123456789, 1e-9, 1e10, 2.7])
def test_a_fraction_is_kept_as_by_ale_py(value):
    def call(package):
        console = package.ALEInterface()
        console.setFloat("repeat_action_probability", value)
        return [getattr(console, f"get{kind}")("repeat_action_probability") for kind in KINDS]

    theirs, ours = both(call)
    assert ours == theirs


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "key", ["frame_skip", "max_num_frames_per_episode", "reward_min", "repeat_action_probability", "cpu", 3, None, b"cpu"]
)
def test_a_setting_is_read_as_another_kind_as_in_ale_py(kind, key):
    theirs, ours = both(lambda package: getattr(package.ALEInterface(), f"get{kind}")(key))
    assert (type(ours), ours) == (type(theirs), theirs)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("value", [True, False])
def test_a_switch_is_read_as_another_kind_as_in_ale_py(kind, value):
    def call(package):
        console = package.ALEInterface()
        console.setBool("send_rgb", value)
        return getattr(console, f"get{kind}")("send_rgb")

    theirs, ours = both(call)
    assert (type(ours), ours) == (type(theirs), theirs)


@pytest.mark.parametrize(
    "action",
    [
        *(1, -1, 1.0, "x", None, [1], True, 2**70, ale_py.Action.FIRE, gym2600.Action.FIRE),
        *(np.int64(1), np.array(1), np.array([1]), np.float32(1)),
    ],
    ids=repr,
)
def test_an_action_of_a_console_is_one_of_ale_py(action):
    theirs, ours = both(lambda package: loaded(package).act(action))
    assert ours == theirs


def test_an_action_of_ale_py_is_pressed():
    consoles = [loaded(gym2600), loaded(gym2600)]
    for _ in range(40):
        consoles[0].act(ale_py.Action.FIRE)
        consoles[1].act(1)
    assert np.array_equal(consoles[0].getRAM(), consoles[1].getRAM())


@pytest.mark.parametrize("value", [99, -1, 1.0, "x", None, 2**40, np.int64(0)])
@pytest.mark.parametrize("method", ["setMode", "setDifficulty"])
def test_modes_and_difficulties_are_refused_as_by_ale_py(method, value):
    theirs, ours = both(lambda package: getattr(loaded(package), method)(value))
    assert ours == theirs


@pytest.mark.parametrize("limit", [-1, -5, 0, 1, 30])
def test_a_limit_of_frames_is_that_of_ale_py(limit):
    def call(package):
        env = package.AtariEnv("breakout", max_num_frames_per_episode=limit)
        env.reset(seed=1)
        return [env.step(0)[2:4] for _ in range(20)]

    theirs, ours = both(call)
    assert ours == theirs


@pytest.mark.parametrize(
    "options",
    [
        {"mode": 99},
        {"mode": -1},
        {"mode": 1.5},
        {"mode": "1"},
        {"difficulty": 99},
        {"difficulty": -1},
        {"difficulty": "x"},
        {"obs_type": None},
        {"render_mode": 3},
        {"repeat_action_probability": "x"},
        {"repeat_action_probability": None},
        {"max_num_frames_per_episode": 1.5},
        {"max_num_frames_per_episode": "x"},
        {"max_num_frames_per_episode": 2**40},
        {"sound_obs": "x"},
        {"sound_obs": 1},
        {"frameskip": 0},
        {"frameskip": (3, 2)},
        {"frameskip": (0, 1)},
        {"frameskip": (1, 2, 3)},
        {"frameskip": 2.0},
        {"nonsense": 1},
    ],
    ids=str,
)
def test_arguments_are_refused_as_by_ale_py(options):
    theirs, ours = both(lambda package: package.AtariEnv("breakout", **options))
    assert isinstance(theirs, type)
    assert ours is theirs


@pytest.mark.parametrize(
    ("name", "value", "error"),
    [
        *(("full_action_space", value, TypeError) for value in ("no", None, 2)),
        *(("continuous", value, TypeError) for value in ("no", None, 0.5)),
        *(("continuous_action_threshold", value, TypeError) for value in ("x", None, [0.5])),
        *(("frameskip", value, ValueError) for value in (2**40, 2**31, (1, 2**40))),
    ],
)
def test_an_argument_of_an_environment_is_named(name, value, error):
    with pytest.raises(error, match=f"^{name} is "):
        gym2600.AtariEnv("breakout", **{name: value})


@pytest.mark.parametrize(
    ("method", "arguments", "options"),
    [
        *(("cloneState", (value,), {}) for value in (True, False, 1, None, "x", np.True_)),
        ("cloneState", (), {"include_rng": True}),
        *(("game_over", (value,), {}) for value in (True, False, 0, None, np.False_)),
        ("game_over", (), {"with_truncation": False}),
        *((method, (value,), {}) for method in ("restoreState", "restoreSystemState") for value in (b"x", 1, None)),
        *(("setRAM", values, {}) for values in (("a", 3), (1, "a"), (None, 3), (1.5, 3), (1, 3.0), (1, None))),
        *(("setRAM", values, {}) for values in ((2**40, 1), (2**70, 1), (200, 256), (np.int64(1), np.uint8(3)))),
        *(("setLoggerMode", (mode,), {}) for mode in ("Error", 7, None, 1.5, 2, ale_py.LoggerMode.Error)),
    ],
    ids=str,
)
def test_a_method_of_a_console_takes_what_it_takes_in_ale_py(method, arguments, options):
    def call(package):
        result = getattr(loaded(package), method)(*arguments, **options)
        return type(result).__name__ if method == "cloneState" else result

    theirs, ours = both(call)
    assert ours == theirs


def test_the_generator_is_in_a_state_that_asks_for_it_by_position():
    console = loaded(gym2600)
    assert console.cloneState(True) == console.cloneState(include_rng=True) != console.cloneState()


@pytest.mark.parametrize("method", ["getScreen", "getScreenRGB", "getScreenGrayscale", "getRAM", "getAudio"])
def test_an_array_to_fill_has_its_name_of_ale_py(method):
    def call(package):
        console = loaded(package)
        array = np.zeros_like(getattr(console, method)())
        assert getattr(console, method)(buffer=array) is None
        return array.tolist()

    theirs, ours = both(call)
    assert isinstance(theirs, list)
    assert ours == theirs


@pytest.mark.parametrize(("arguments", "name"), [(("a", 3), "memory_index"), ((1, "a"), "value"), ((1.5, 3), "memory_index")])
def test_a_wrong_byte_of_ram_is_named(arguments, name):
    with pytest.raises(TypeError, match=f"^{name} is "):
        loaded(gym2600).setRAM(*arguments)


def test_a_state_of_another_package_is_refused():
    with pytest.raises(TypeError, match="state to restore"):
        loaded(gym2600).restoreState(loaded(ale_py).cloneState())


@pytest.mark.parametrize("seed", [-1, 1.5, "x", [1], np.array(3), np.float64(2)])
def test_a_seed_is_refused_as_by_ale_py_and_nothing_changes(seed):
    theirs, ours = both(lambda package: package.AtariEnv("breakout").reset(seed=seed))
    assert ours is theirs is gymnasium.error.Error
    env, other = gym2600.AtariEnv("breakout"), gym2600.AtariEnv("breakout")
    for each in (env, other):
        each.reset(seed=3)
    with pytest.raises(gymnasium.error.Error, match="seed is"):
        env.reset(seed=seed)
    for number in range(20):
        assert np.array_equal(env.step(number % 4)[0], other.step(number % 4)[0])


@pytest.mark.parametrize(
    "action", [4, 400, 1.0, "x", None, np.array([1]), [1], ale_py.Action.FIRE, np.float32(1), 2**70], ids=repr
)
def test_an_action_of_an_environment_is_refused_as_by_ale_py(action):
    def call(package):
        env = package.AtariEnv("breakout")
        env.reset(seed=1)
        return env.step(action)

    theirs, ours = both(call)
    assert ours is theirs


@pytest.mark.parametrize("action", [-1, -4, 4])
def test_an_action_out_of_range_is_named(action):
    env = gym2600.AtariEnv("breakout")
    env.reset(seed=1)
    with pytest.raises(IndexError, match=f"action is {action}; it is from 0 to 3"):
        env.step(action)
    assert env.ale.getFrameNumber() == 0


def test_members_of_an_environment_are_those_of_ale_py():
    theirs, ours = (package.AtariEnv("breakout", sound_obs=True) for package in (ale_py, gym2600))
    # How ale-py pickles an environment.
    inner = {"_ezpickle_args", "_ezpickle_kwargs", "__setstate__"}
    assert set(dir(theirs)) - set(dir(ours)) <= inner
    assert ours.sound_obs is theirs.sound_obs is True
    for env in (theirs, ours):
        env.reset(seed=3)
    assert ours._get_info() == theirs._get_info()
    for part in ("image", "sound"):
        assert np.array_equal(ours._get_obs()[part], theirs._get_obs()[part])
    consoles = (ale_py.ALEInterface(), gym2600.ALEInterface())
    names = [{name for name in dir(console) if not name.startswith("__")} for console in consoles]
    assert not names[0] - names[1]


def test_a_missing_file_is_no_supported_rom():
    theirs, ours = both(lambda package: package.ALEInterface.isSupportedROM("/there/is/no/such.bin"))
    assert ours is theirs is RuntimeError
