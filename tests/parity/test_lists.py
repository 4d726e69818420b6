"""Lists of wrappers written by a user: against Python code composed by hand, and against the presets that they equal.

GYM2600_PARITY_STEPS (default 800) makes the runs longer or shorter; seeds are drawn anew in every run.
"""

import os
import random
import secrets

import pytest
from ale_py import roms
from composed import COMPOSED
from ours import rollout
from rollout import reference_lines

# Lives, long resets, no lives, PAL, a taller picture, no FIRE.
GAMES = ("breakout", "seaquest", "pong", "klax", "carnival", "freeway")
STEPS = int(os.environ.get("GYM2600_PARITY_STEPS", "800"))


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("name", COMPOSED)
def test_a_list_gives_what_the_same_wrappers_give_in_python(name, game, tmp_path):
    options, make = COMPOSED[name]
    seed = secrets.randbelow(2**31)
    reference = make(game, seed)
    chooser = random.Random(seed)
    actions = []
    while len(actions) < STEPS:
        actions += [chooser.randrange(reference.actions)] * chooser.choice((1, 1, 2, 8))
    actions = actions[:STEPS]
    ours = rollout(roms.get_rom_path(game), actions, tmp_path, options=options, seed=seed)
    for number, theirs in enumerate(reference_lines(reference, actions)):
        assert next(ours) == theirs, f"{name}, {game}, seed {seed}, line {number}"
    assert next(ours, None) is None
