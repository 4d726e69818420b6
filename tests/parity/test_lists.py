"""Lists of wrappers give the bytes of the same composition in Python.

GYM2600_PARITY_STEPS sets the steps of a run (800). Every run draws new seeds.
"""

import os
import random
import secrets

import pytest
from ale_py import roms
from composed import COMPOSED
from ours import rollout
from rollout import reference_lines

# Games with lives, a long reset, no lives, PAL, a taller picture, no FIRE.
GAMES = ("breakout", "seaquest", "pong", "klax", "carnival", "freeway")
STEPS = int(os.environ.get("GYM2600_PARITY_STEPS", "800"))


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("name", COMPOSED)
def test_a_list_gives_the_bytes_of_the_same_wrappers_in_python(name, game, tmp_path):
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
