"""The lines of `gym2600 trace` equal those of ale-py, played beside it."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from limits import LONG

from . import ours, report, roms
from .ale_trace import Settings
from .compare import compare
from .play import random_actions
from .run import modes_and_difficulties

# The frames of a play: in the long form, or in the short one.
LONG_PLAY = 3000 if LONG else 1200
SHORT_PLAY = 1000 if LONG else 600
COMBINATIONS = 2 if LONG else 1

PROGRAM = ours.Program(ours.command())
OTHER_GAMES = [game for game in roms.all_games() if game not in roms.FIRST_GAMES]


def check(game: str, frames: int, settings: Settings, folder: Path) -> None:
    """Fails with the description of the first difference."""
    actions = random_actions((settings.seed, game, settings.mode, settings.difficulty), frames)
    result = compare(game, actions, settings, PROGRAM)
    if result.difference is not None:
        target = report.write(result, folder)
        pytest.fail(f"{(target / 'difference.txt').read_text()}pictures and RAM: {target}", pytrace=False)


def test_the_wheel_has_108_roms() -> None:
    assert len(roms.all_games()) == 108


@pytest.mark.parametrize("sticky", [0.0, 0.25])
@pytest.mark.parametrize("game", roms.FIRST_GAMES)
def test_a_long_play_equals_ale(game: str, sticky: float, seed: int, tmp_path: Path) -> None:
    check(game, LONG_PLAY, Settings(seed, sticky), tmp_path)


@pytest.mark.parametrize("game", OTHER_GAMES)
def test_a_short_play_of_every_other_rom_equals_ale(game: str, seed: int, tmp_path: Path) -> None:
    check(game, SHORT_PLAY, Settings(seed, 0.25), tmp_path)


@pytest.mark.parametrize("game", roms.all_games())
def test_some_modes_and_difficulties_equal_ale(game: str, seed: int, tmp_path: Path) -> None:
    combinations = modes_and_difficulties(game)
    generator = random.Random(f"{seed} {game}")
    for mode, difficulty in generator.sample(combinations, min(COMBINATIONS, len(combinations))):
        check(game, 60, Settings(seed, 0.25, mode, difficulty), tmp_path)


@pytest.mark.parametrize(
    "settings",
    [
        Settings(0, 1.0),
        Settings((1 << 32) - 2, 0.5),
        Settings(1 << 31, 0.123456789),
        Settings(7, 1e-7),
        Settings(1, 0.9999999),
    ],
    ids=str,
)
def test_unusual_seeds_and_probabilities_equal_ale(settings: Settings, tmp_path: Path) -> None:
    check("space_invaders", 400, settings, tmp_path)


@pytest.mark.parametrize("game", ["breakout", "pitfall2", "skiing"])
def test_no_actions_print_the_line_of_the_reset(game: str, tmp_path: Path) -> None:
    check(game, 0, Settings(), tmp_path)
