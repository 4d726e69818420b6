"""Every preset gives the bytes of its Python reference: observations (as checksums), rewards, ends, lives and episodes.

GYM2600_PARITY_SEEDS sets seeds (the long form has "1") and GYM2600_PARITY_STEPS the steps (600, and 2000 in the long form). Every run draws
one more seed, which a failure names. In the short form a preset plays half of the games.
"""

import os
import random
import secrets

import pytest
from ale_py import roms
from limits import LONG
from ours import rollout
from references import REFERENCES
from rollout import reference_lines

# Games with paddles, no lives, long resets, four picture heights, PAL, swapped ports, extra hardware, few actions, no FIRE, and
# resets that depend on earlier play.
GAMES = (
    "breakout",
    "pong",
    "space_invaders",
    "seaquest",
    "qbert",
    "montezuma_revenge",
    "pitfall2",
    "surround",
    "klax",
    "carnival",
    "skiing",
    "boxing",
    "freeway",
    "journey_escape",
)
SEEDS = [int(word) for word in os.environ.get("GYM2600_PARITY_SEEDS", "1" if LONG else "").split()] + [secrets.randbelow(2**31)]
STEPS = int(os.environ.get("GYM2600_PARITY_STEPS", "2000" if LONG else "600"))

# pytest-xdist requires the same names in every process.
CASES = [
    (preset, game, index)
    for number, preset in enumerate(REFERENCES)
    for place, game in enumerate(GAMES)
    if LONG or place % 2 == number % 2
    for index in range(len(SEEDS))
]


@pytest.mark.parametrize(("preset", "game", "index"), CASES)
def test_a_preset_gives_the_bytes_of_its_reference(preset, game, index, tmp_path):
    seed = SEEDS[index]
    reference = REFERENCES[preset](game, seed)
    chooser = random.Random(seed)
    # An action lasts 1 to 8 steps, so that games make progress.
    actions = []
    while len(actions) < STEPS:
        actions += [chooser.randrange(reference.actions)] * chooser.choice((1, 1, 1, 2, 4, 8))
    actions = actions[:STEPS]
    ours = rollout(roms.get_rom_path(game), actions, tmp_path, preset=preset, seed=seed)
    for number, theirs in enumerate(reference_lines(reference, actions)):
        assert next(ours) == theirs, f"{preset} {game} seed {seed}, line {number}"
    assert next(ours, None) is None
