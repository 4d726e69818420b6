"""`ALEInterface` has the methods of ale-py and gives its bytes."""

from __future__ import annotations

import copy
import pickle
import random
from pathlib import Path

import ale_py
import gym2600
import numpy as np
import pytest
from conformance.roms import FIRST_GAMES, WITHOUT_RULES, all_games, for_ale, path_of

ale_py.ALEInterface.setLoggerMode(ale_py.LoggerMode.Error)


def pair(game, sticky=0.25, seed=7, **settings):
    """ale-py's console and ours with the same ROM and settings."""
    consoles = (ale_py.ALEInterface(), gym2600.ALEInterface())
    with for_ale(game) as path:
        for console, rom in zip(consoles, (path, path_of(game)), strict=True):
            console.setInt("random_seed", seed)
            console.setFloat("repeat_action_probability", sticky)
            for key, value in settings.items():
                kind = {bool: "Bool", int: "Int", str: "String"}[type(value)]
                getattr(console, f"set{kind}")(key, value)
            console.loadROM(str(rom))
    return consoles


def machine(console):
    """What the hardware shows: picture, RAM."""
    return [array.tobytes() for array in (console.getScreen(), console.getRAM())]


def everything(console):
    """What a console shows, as one value to compare."""
    arrays = (console.getScreenRGB(), console.getScreenGrayscale())
    numbers = (
        console.lives(),
        console.game_over(),
        console.game_truncated(),
        console.getFrameNumber(),
        console.getEpisodeFrameNumber(),
    )
    return [*machine(console), *(array.tobytes() for array in arrays), numbers]


@pytest.mark.parametrize("game", all_games())
def test_every_game_gives_the_bytes_of_ale_py(game, seed):
    theirs, ours = pair(game)
    supported = game not in WITHOUT_RULES
    show = everything if supported else machine
    if supported:
        for method in ("getMinimalActionSet", "getLegalActionSet"):
            names = [[action.name for action in getattr(console, method)()] for console in (theirs, ours)]
            assert names[0] == names[1], method
        assert ours.getAvailableModes() == theirs.getAvailableModes()
        assert ours.getAvailableDifficulties() == theirs.getAvailableDifficulties()
    assert ours.getScreenDims() == theirs.getScreenDims()
    chooser = random.Random(f"{game} {seed}")
    for _ in range(2):
        theirs.reset_game()
        ours.reset_game()
        assert show(ours) == show(theirs)
        for number in range(60):
            action = chooser.choice(theirs.getMinimalActionSet()).value
            rewards = theirs.act(action), ours.act(action)
            assert not supported or rewards[0] == rewards[1], number
            if number % 20 == 19:
                assert show(ours) == show(theirs), number


def test_settings_have_the_values_of_ale_py():
    theirs, ours = ale_py.ALEInterface(), gym2600.ALEInterface()
    kinds = {bool: "Bool", int: "Int", float: "Float", str: "String"}
    for key, value in gym2600.settings.DEFAULTS.items():
        kind = kinds[type(value)]
        assert getattr(ours, f"get{kind}")(key) == getattr(theirs, f"get{kind}")(key), key
        for console in (ours, theirs):
            getattr(console, f"set{kind}")(key, value)
    for console in (ours, theirs):
        with pytest.raises(RuntimeError, match="nonsense"):
            console.setInt("nonsense", 1)
    with pytest.raises(RuntimeError, match="no setting 'nonsense'"):
        ours.getInt("nonsense")


@pytest.mark.parametrize(
    "settings",
    [
        {"frame_skip": 4, "max_num_frames_per_episode": 50},
        {"color_averaging": True},
        {"sound_obs": True},
        {"truncate_on_loss_of_life": True},
        {"reward_min": -1, "reward_max": 1},
    ],
)
def test_settings_have_the_effects_of_ale_py(settings):
    for game in ("breakout", "seaquest"):
        theirs, ours = pair(game, **settings)
        for number in range(200):
            action = ale_py.Action(number * 7 % 18)
            assert ours.act(action.value) == theirs.act(action), number
            assert everything(ours) == everything(theirs), number
            assert np.array_equal(ours.getAudio(), theirs.getAudio()), number
            if ours.game_over():
                ours.reset_game()
                theirs.reset_game()


@pytest.mark.parametrize(
    "settings",
    [
        {"restricted_action_set": True, "send_rgb": True, "run_length_encoding": False},
        {"volume": 7, "freq": 11_025, "tiafreq": 11_025, "fragsize": 7},
        {"max_num_frames": 50},
        {"palette": "z26", "cpu": "high", "rom_file": "nonsense"},
    ],
)
def test_settings_without_an_effect_have_none_in_ale_py(settings):
    theirs, ours = pair("seaquest", **settings)
    for number in range(100):
        assert ours.act(number * 7 % 18) == theirs.act(number * 7 % 18), number
        assert everything(ours) == everything(theirs), number
    assert [action.name for action in ours.getLegalActionSet()] == [action.name for action in theirs.getLegalActionSet()]


@pytest.mark.parametrize("key", gym2600.settings.UNSUPPORTED)
def test_settings_that_show_or_record_a_game_give_a_warning(key):
    console = gym2600.ALEInterface()
    if key.startswith("record"):
        console.setString(key, "file")
    else:
        console.setBool(key, True)
    with pytest.warns(UserWarning, match=f"setting '{key}'") as caught:
        console.loadROM("wallop")
    assert caught[0].filename == __file__


def wrong_arrays(shape):
    """Arrays that a method cannot fill, which fills one of `shape`."""
    size, read_only = int(np.prod(shape)), np.zeros(shape, np.uint8)
    read_only.flags.writeable = False
    arrays = [
        read_only,
        np.zeros(3, np.uint8),
        np.zeros((1, size), np.uint8),
        np.zeros((shape[0] + 1, *shape[1:]), np.uint8),
        np.zeros((shape[0] * 2, *shape[1:]), np.uint8)[::2],
        np.zeros(shape, np.int8),
        np.zeros(shape),
    ]
    if len(shape) > 1:
        arrays += [np.zeros(size, np.uint8), np.zeros(shape[::-1], np.uint8), np.zeros(shape, np.uint8, order="F")]
    return arrays


def test_a_byte_of_ram_is_written():
    for index, value in ((0, 0), (127, 255), (128, 1), (200, 1), (256, 1), (-1, 1), (0, 256), (0, -1)):
        results = []
        for console in pair("breakout"):
            try:
                console.setRAM(index, value)
                results.append(console.getRAM().tolist())
            except (RuntimeError, TypeError) as error:
                results.append(type(error))
        assert results[0] == results[1], (index, value)


@pytest.mark.parametrize("game", ["pong", "breakout"])
def test_difficulty_switches_have_the_bytes_of_ale_pys_difficulty(game):
    theirs, ours = pair(game)
    plain = pair(game)[1]
    actions = random.Random(3)
    differs = False
    for left, right in [("A", "B"), ("A", None), ("B", "A"), (None, "A"), ("A", "A"), ("B", "B"), (None, None)]:
        difficulty = int(left == "A") + 2 * int(right == "A")
        if difficulty not in ours.getAvailableDifficulties():
            continue
        theirs.setDifficulty(difficulty)
        ours.setSwitches(left_difficulty=left, right_difficulty=right)
        for _ in range(120):
            action = actions.choice(theirs.getMinimalActionSet())
            rewards = [console.act(action) for console in (theirs, ours)]
            plain.act(action)
            assert rewards[0] == rewards[1]
            assert everything(theirs) == everything(ours), (left, right)
            differs = differs or everything(plain) != everything(ours)
        assert theirs.getFrameNumber() == ours.getFrameNumber()
    assert differs


def test_buttons_are_held_in_acts_until_they_are_released():
    ale = gym2600.ALEInterface()
    ale.loadROM("wallop")
    variant = int(ale.getRAM()[1])
    ale.setSwitches(black_and_white=True)
    ale.act(0)
    assert int(ale.getRAM()[1]) == variant
    ale.setSwitches(select=True)
    for _ in range(5):
        ale.act(0)
    assert int(ale.getRAM()[1]) == variant + 1
    # A reset presses what the game needs, whatever is held.
    twin = copy.copy(ale)
    ale.setSwitches(reset=True, left_difficulty="A")
    twin.setSwitches()
    for console in (ale, twin):
        console.reset_game()
    assert everything(ale) == everything(twin)
    ale.act(0)
    twin.act(0)
    assert everything(ale) != everything(twin)
    with pytest.raises(ValueError, match='at A or B, not at "C"'):
        ale.setSwitches(left_difficulty="C")
    with pytest.raises(TypeError):
        ale.setSwitches(select=1)


def test_actions_are_shown_by_their_names():
    for theirs, ours in ((ale_py.Action, gym2600.Action), (ale_py.LoggerMode, gym2600.LoggerMode)):
        for member in ours:
            other = getattr(theirs, member.name)
            assert (str(member), repr(member), f"{member}") == (str(other), repr(other), f"{other}")
            assert member.value == other.value


@pytest.mark.parametrize(("sticky", "include_rng"), [(0.0, False), (0.0, True), (0.25, False), (0.9, False)])
@pytest.mark.parametrize("seed", [1, 6, 7])
def test_a_state_is_gone_back_to_as_in_ale_py(sticky, include_rng, seed):
    """With sticky actions and their generator, ale-py does not play on as it did, and ours does."""
    consoles = pair("seaquest", sticky, seed)

    def play(count, factor):
        for number in range(count):
            rewards = [console.act(number * factor % 18) for console in consoles]
            assert rewards[0] == rewards[1], number
            assert everything(consoles[1]) == everything(consoles[0]), number

    for start, back in ((30, 60), (20, 7)):
        play(start, 1)
        states = [console.cloneState(include_rng=include_rng) for console in consoles]
        play(back, 5)
        for console, state in zip(consoles, states, strict=True):
            console.restoreState(state)
        assert consoles[1].getRAM().tobytes() == consoles[0].getRAM().tobytes()
        play(90, 7)


@pytest.mark.parametrize("game", ["qbert", "tetris"])
def test_a_state_plays_on_as_it_did_where_that_of_ale_py_does_not(game):
    same = []
    for console in pair(game, 0.0):

        def play(console=console):
            return [(console.act(ale_py.Action(number // 5 % 4)), console.getRAM().tobytes()) for number in range(300)]

        state = console.cloneState()
        before = play()
        console.restoreState(state)
        same.append(play() == before)
    assert same == [False, True]


def test_lives_are_those_of_a_restored_state_at_once():
    lives = []
    for console in pair("atlantis2"):
        state = console.cloneState()
        for _ in range(3000):
            console.act(ale_py.Action.NOOP)
        console.restoreState(state)
        restored = console.lives()
        console.act(ale_py.Action.NOOP)
        lives.append(restored == console.lives())
    assert lives == [False, True]


def test_arrays_of_the_caller_are_filled():
    theirs, ours = pair("breakout")
    for method in ("getScreen", "getScreenRGB", "getScreenGrayscale", "getRAM", "getAudio"):
        expected = getattr(theirs, method)()
        array = np.ones_like(expected)
        assert getattr(ours, method)(array) is None
        assert np.array_equal(array, expected), method
        for wrong in wrong_arrays(expected.shape):
            refused = []
            for console in (theirs, ours):
                with pytest.raises((TypeError, RuntimeError)) as caught:
                    getattr(console, method)(wrong)
                refused.append(caught.type)
            assert refused[0] is refused[1], (method, wrong.shape)
            assert not wrong.any()
    assert ours.getRAMSize() == theirs.getRAMSize()
    assert ours.getAudioSize() == theirs.getAudioSize()


def test_paddles_turn_by_their_strength():
    theirs, ours = pair("breakout", sticky=0.0)
    for number in range(100):
        strength = number % 11 / 10
        action = (1, 3, 3, 4)[number % 4]
        assert ours.act(action, strength) == theirs.act(action, strength)
        assert everything(ours) == everything(theirs), number


def test_modes_and_difficulties_are_those_of_ale_py():
    theirs, ours = pair("space_invaders")
    for console in (theirs, ours):
        console.setMode(3)
        console.setDifficulty(1)
        console.reset_game()
    assert everything(ours) == everything(theirs)
    with pytest.raises(RuntimeError, match="mode 99"):
        ours.setMode(99)
    with pytest.raises(RuntimeError, match="difficulty 9"):
        ours.setDifficulty(9)


@pytest.mark.parametrize("game", FIRST_GAMES)
@pytest.mark.parametrize("include_rng", [False, True])
def test_a_state_continues_as_it_did(game, include_rng):
    _, ours = pair(game, sticky=0.25 if include_rng else 0.0)

    def play():
        return [(ours.act(number % 18), everything(ours)) for number in range(40)]

    play()
    state = pickle.loads(pickle.dumps(ours.cloneState(include_rng=include_rng)))
    assert (state.getFrameNumber(), state.getEpisodeFrameNumber()) == (ours.getFrameNumber(), ours.getEpisodeFrameNumber())
    assert (state.getCurrentMode(), state.getDifficulty()) == (ours.getMode(), ours.getDifficulty())
    first = play()
    assert state != ours.cloneState(include_rng=include_rng)
    ours.restoreState(gym2600.ALEState(state.serialize()))
    assert state == ours.cloneState(include_rng=include_rng)
    assert play() == first


@pytest.mark.parametrize("include_rng", [False, True])
def test_a_state_in_memory_has_the_bytes_of_its_moment(include_rng):
    _, ours = pair("breakout", sticky=0.25)
    for number in range(50):
        ours.act(number % 4)
    early, late = (ours.cloneState(include_rng=include_rng) for _ in range(2))
    serialized = early.serialize()
    numbers = ours.getFrameNumber(), ours.getEpisodeFrameNumber(), ours.getMode(), ours.getDifficulty()
    for number in range(50):
        ours.act(number % 3)
    ours.restoreState(late)
    ours.act(1)
    assert late.serialize() == serialized and late == early == gym2600.ALEState(serialized)
    frames, episode_frames = late.getFrameNumber(), late.getEpisodeFrameNumber()
    assert (frames, episode_frames, late.getCurrentMode(), late.getDifficulty()) == numbers
    _, other = pair("pong")
    with pytest.raises(ValueError, match="MD5"):
        other.restoreState(late)


def test_a_state_with_any_flipped_bit_is_refused():
    _, ours = pair("breakout")
    for _ in range(20):
        ours.act(1)
    state = ours.cloneState(include_rng=True)
    serialized = state.serialize()
    header = range(30)
    for place in (*header, *range(30, len(serialized), 37)):
        damaged = bytearray(serialized)
        damaged[place] ^= 1 << place % 8
        with pytest.raises(ValueError, match="the state is damaged"):
            gym2600.ALEState(bytes(damaged))
        with pytest.raises(ValueError, match="the state is damaged"):
            gym2600.ALEState.__new__(gym2600.ALEState).__setstate__((bytes(damaged),))
    ours.restoreState(gym2600.ALEState(serialized))
    assert ours.cloneState(include_rng=True) == state


def test_consoles_are_copied_and_pickled_with_their_state():
    _, ours = pair("seaquest")
    for _ in range(30):
        ours.act(5)
    others = [copy.deepcopy(ours), pickle.loads(pickle.dumps(ours))]
    for number in range(60):
        reward = ours.act(number % 18)
        for other in others:
            assert other.act(number % 18) == reward
            assert everything(other) == everything(ours), number


def test_a_console_without_a_rom_says_so():
    with pytest.raises(RuntimeError, match="loadROM"):
        gym2600.ALEInterface().act(0)
    with pytest.raises(ValueError, match="action 18"):
        pair("breakout")[1].act(18)


def test_a_picture_is_written_as_png(tmp_path: Path):
    import cv2

    theirs, ours = pair("breakout")
    ours.saveScreenPNG(tmp_path / "picture.png")
    assert np.array_equal(cv2.imread(str(tmp_path / "picture.png"))[..., ::-1], theirs.getScreenRGB())


def test_roms_are_identified():
    assert gym2600.ALEInterface.isSupportedROM(path_of("qbert")) == "qbert"
    assert gym2600.ALEInterface.isSupportedROM(bytes(4096)) is None


def test_air_raid_is_shown_with_color_averaging():
    theirs, ours = pair("air_raid", color_averaging=True)
    plain = pair("air_raid")[1]
    for console in (theirs, ours, plain):
        for _ in range(100):
            console.act(ale_py.Action.NOOP)
    # Its colours are odd, and the average of most of them with themselves is the even one below.
    assert (ours.getScreen() == plain.getScreen() & 0xFE).mean() > 0.8
    # If a later ale-py averages odd colours, compare its bytes.
    assert not np.array_equal(ours.getScreen(), theirs.getScreen())


@pytest.mark.parametrize("filename", [True, 1, None, b"picture.png"])
def test_a_picture_has_the_path_of_a_file(filename):
    console = pair("breakout")[1]
    with pytest.raises(TypeError, match="filename is"):
        console.saveScreenPNG(filename)
