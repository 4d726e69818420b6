"""Lists of wrappers give the bytes of the same composition in Python.

GYM2600_PARITY_STEPS sets the steps of a run (300, and 800 in the long form). Every run draws new seeds. In the short form a list plays two
of the games.
"""

import os
import random
import secrets

import pytest
from ale_py import roms
from composed import COMPOSED
from limits import LONG
from ours import rollout
from rollout import reference_lines

# Games with lives, a long reset, no lives, PAL, a taller picture, no FIRE.
GAMES = ("breakout", "seaquest", "pong", "klax", "carnival", "freeway")
CASES = [
    (name, game)
    for number, name in enumerate(COMPOSED)
    for place, game in enumerate(GAMES)
    if LONG or place % 3 == number % 3
]
STEPS = int(os.environ.get("GYM2600_PARITY_STEPS", "800" if LONG else "300"))


@pytest.mark.parametrize(("name", "game"), CASES)
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
