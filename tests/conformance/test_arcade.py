"""The npm package's `Arcade` equals ale-py's `ALEInterface`: every getter is compared after every call."""

from __future__ import annotations

import hashlib
import json
import random
import subprocess
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import ale_py
import pytest

from . import ours, roms

Call = tuple[Any, ...]


@dataclass(frozen=True)
class Play:
    """A game with options, whose names are the keys of `SETTINGS`."""

    game: str
    options: dict[str, Any] = field(default_factory=dict)
    # Whether RAM is written to.
    pokes: bool = False
    # Whether states are saved and restored. Not with sticky actions: ale-py's states lack the last action.
    states: bool = False
    # Getters are read after every n-th call.
    every: int = 1


# The names of options in ale-py, and their setters.
SETTINGS: dict[str, tuple[str, Callable[..., Callable[..., None]]]] = {
    "seed": ("random_seed", lambda ale: ale.setInt),
    "systemRandomSeed": ("system_random_seed", lambda ale: ale.setInt),
    "repeatActionProbability": ("repeat_action_probability", lambda ale: ale.setFloat),
    "frameSkip": ("frame_skip", lambda ale: ale.setInt),
    "rewardMin": ("reward_min", lambda ale: ale.setInt),
    "rewardMax": ("reward_max", lambda ale: ale.setInt),
    "maxNumFramesPerEpisode": ("max_num_frames_per_episode", lambda ale: ale.setInt),
    "truncateOnLossOfLife": ("truncate_on_loss_of_life", lambda ale: ale.setBool),
    "colorAveraging": ("color_averaging", lambda ale: ale.setBool),
    "soundObs": ("sound_obs", lambda ale: ale.setBool),
}

PLAYS = [
    Play("breakout", {"frameSkip": 4, "rewardMin": -1, "rewardMax": 1}),
    Play("breakout", {"truncateOnLossOfLife": True, "repeatActionProbability": 0.0}),
    Play("kaboom", {"soundObs": True, "systemRandomSeed": 77}),
    Play("seaquest", {"colorAveraging": True, "maxNumFramesPerEpisode": 150}, every=3),
    Play("klax", {"colorAveraging": True, "frameSkip": 3}),
    Play("elevator_action", every=7),
    Play("space_invaders", {"soundObs": True}, pokes=True),
    Play("pong", pokes=True),
    Play("pitfall2", {"frameSkip": 2, "repeatActionProbability": 0.0}, states=True),
    Play("montezuma_revenge", {"repeatActionProbability": 0.0}, states=True),
]


def ale_of(play: Play) -> ale_py.ALEInterface:
    """ale-py with the play's ROM and settings."""
    ale = ale_py.ALEInterface()
    for option, value in play.options.items():
        name, setter = SETTINGS[option]
        setter(ale)(name, value)
    ale.loadROM(str(roms.path_of(play.game)))
    return ale


def random_calls(play: Play, ale: ale_py.ALEInterface, seed: object, length: int) -> Iterator[Call]:
    """Calls that reach modes, difficulties, several episodes and all paddle strengths."""
    choose = random.Random(str((seed, play)))
    yield ("reset",)
    action = 0
    for number in range(length):
        if number % 100 == 50:
            yield ("setMode", choose.choice(ale.getAvailableModes()))
            yield ("setDifficulty", choose.choice(ale.getAvailableDifficulties()))
            yield ("reset",)
        if play.states and number % 40 == 10:
            yield ("save", choose.random() < 0.5)
        if play.states and number % 40 == 30:
            yield ("restore",)
        if play.pokes and number % 9 == 0:
            yield ("setRam", choose.randrange(128), choose.randrange(256))
        if choose.random() < 0.3:
            action = choose.randrange(18)
        yield ("act", action, choose.choice([0.0, 0.25, 0.7, 1.0]))


def perform(ale: ale_py.ALEInterface, call: Call, states: list[Any]) -> int:
    """Makes a call of ale-py and returns its reward, or 0."""
    match call:
        case ("reset",):
            ale.reset_game()
        case ("act", action, strength):
            return int(ale.act(action, strength))
        case ("setRam", index, value):
            ale.setRAM(index, value)
        case ("setMode", mode):
            ale.setMode(mode)
        case ("setDifficulty", difficulty):
            ale.setDifficulty(difficulty)
        case ("save", generators):
            states[:] = [ale.cloneState(include_rng=generators)]
        case ("restore",):
            ale.restoreState(states[0])
    return 0


def seen(ale: ale_py.ALEInterface, reward: int, sound: bool) -> dict[str, Any]:
    """The values of ale-py's getters, with the names of arcade.mjs."""

    def digest(array: Any) -> str:
        return hashlib.sha1(array.tobytes()).hexdigest()

    return {
        "reward": reward,
        "lives": ale.lives(),
        "gameOver": ale.game_over(with_truncation=False),
        "gameTruncated": ale.game_truncated(),
        "frameNumber": ale.getFrameNumber(),
        "episodeFrameNumber": ale.getEpisodeFrameNumber(),
        "ram": digest(ale.getRAM()),
        "screen": digest(ale.getScreen()),
        "rgb": digest(ale.getScreenRGB()),
        "grey": digest(ale.getScreenGrayscale()),
        "audio": digest(ale.getAudio()) if sound else hashlib.sha1(b"").hexdigest(),
    }


def package(play: Play, calls: Sequence[Call]) -> list[dict[str, Any]]:
    """The output of arcade.mjs: the sets of actions, modes and difficulties, then the values after each call."""
    request = {"rom": str(roms.path_of(play.game)), "options": play.options, "calls": calls, "every": play.every}
    done = subprocess.run(
        ["node", "tests/conformance/arcade.mjs"],
        input=json.dumps(request),
        capture_output=True,
        text=True,
        cwd=ours.ROOT,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.parametrize("play", PLAYS, ids=lambda play: "-".join([play.game, *play.options]))
def test_every_call_shows_what_ale_shows(play: Play, seed: int) -> None:
    play = replace(play, options={"seed": seed, **play.options})
    ale = ale_of(play)
    calls = list(random_calls(play, ale, seed, 400))
    sets, *found = package(play, calls)
    assert sets == {
        "minimalActions": [action.name for action in ale.getMinimalActionSet()],
        "legalActions": [action.name for action in ale.getLegalActionSet()],
        "modes": list(ale.getAvailableModes()),
        "difficulties": list(ale.getAvailableDifficulties()),
    }
    states: list[Any] = []
    restored_at: int | None = None
    assert len(found) == len(calls)
    for number, (call, mine) in enumerate(zip(calls, found, strict=True)):
        reward = perform(ale, call, states)
        if number % play.every != 0:
            assert mine == {"reward": reward}, f"after call {number}, {call}, of {calls[:number]}"
            continue
        theirs = seen(ale, reward, play.options.get("soundObs", False))
        if call[0] == "restore":
            restored_at = theirs["frameNumber"]
        elif call[0] == "reset" or theirs["frameNumber"] != restored_at:
            restored_at = None
        if restored_at is not None:
            # ale-py shows the old picture until a frame is played. This console shows the picture of the state.
            mine.update((picture, theirs[picture]) for picture in ("screen", "rgb", "grey"))
        assert mine == theirs, f"after call {number}, {call}, of {calls[:number]}"
