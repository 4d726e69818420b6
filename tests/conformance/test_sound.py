"""The sound of `gym2600 trace --sound` equals ale-py's `getAudio`, sample for sample."""

from __future__ import annotations

import pytest
from limits import LONG

from . import ours, roms
from .ale_trace import Settings
from .play import random_actions
from .sound import SoundSettings, compare, compare_noise

FRAMES = 600 if LONG else 300

PROGRAM = ours.Program(ours.command())

# Also two games with sound while they select their mode (berzerk, double_dunk), one for PAL (klax), a loud one (asteroids) and
# two without rules in ale-py.
GAMES = (*roms.FIRST_GAMES, "berzerk", "double_dunk", "klax", "asteroids", "combat", "warlords")


@pytest.mark.parametrize("game", GAMES)
def test_a_play_sounds_as_in_ale(game: str, seed: int) -> None:
    result = compare(game, FRAMES, SoundSettings(seed, 0.25), PROGRAM)
    assert result.first_difference is None


@pytest.mark.parametrize("game", ("space_invaders", "klax"))
def test_a_play_through_the_wasm_sounds_as_in_ale(game: str, seed: int) -> None:
    result = compare(game, FRAMES, SoundSettings(seed, 0.25), ours.Program(ours.command("wasm")))
    assert result.first_difference is None


@pytest.mark.parametrize("number", range(6 if LONG else 3))
def test_random_registers_sound_as_in_ale(number: int, seed: int) -> None:
    result = compare_noise((seed, number), 600, PROGRAM)
    assert result.first_difference is None
    assert result.audible > 300


def test_a_trace_mentions_sound_only_when_asked() -> None:
    actions = random_actions(0, 3)
    rom = roms.path_of("space_invaders")
    silent = list(PROGRAM.lines(rom, actions, Settings()))
    assert not any(b"sound" in line for line in silent)
    assert all(b'"sound":"' in line for line in PROGRAM.lines(rom, actions, SoundSettings()))
