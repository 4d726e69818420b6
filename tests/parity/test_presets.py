"""Every preset against the Python stack it is named after, run then and there: every observation byte (as a checksum),
reward, end, life and episode.

GYM2600_PARITY_SEEDS (default "1") and GYM2600_PARITY_STEPS (default 2000) make it longer or shorter; one more seed is
drawn anew in every run and named when it fails.
"""

import os
import random
import secrets

import pytest
from ale_py import roms
from ours import rollout
from references import REFERENCES
from rollout import reference_lines

# Games of different kinds: paddles, no lives, long resets, four picture heights, PAL, swapped ports, extra hardware, few
# actions, no FIRE, resets that depend on what was played before.
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
SEEDS = [int(word) for word in os.environ.get("GYM2600_PARITY_SEEDS", "1").split()] + [secrets.randbelow(2**31)]
STEPS = int(os.environ.get("GYM2600_PARITY_STEPS", "2000"))

# pytest-xdist wants the same names in every process.
CASES = [(preset, game, index) for preset in REFERENCES for game in GAMES for index in range(len(SEEDS))]


@pytest.mark.parametrize(("preset", "game", "index"), CASES)
def test_a_preset_gives_what_the_python_stack_gives(preset, game, index, tmp_path):
    seed = SEEDS[index]
    reference = REFERENCES[preset](game, seed)
    chooser = random.Random(seed)
    # Runs of one action now and then, so that games get further than by twitching.
    actions = []
    while len(actions) < STEPS:
        actions += [chooser.randrange(reference.actions)] * chooser.choice((1, 1, 1, 2, 4, 8))
    actions = actions[:STEPS]
    ours = rollout(roms.get_rom_path(game), actions, tmp_path, preset=preset, seed=seed)
    for number, theirs in enumerate(reference_lines(reference, actions)):
        assert next(ours) == theirs, f"{preset} {game} seed {seed}, line {number}"
    assert next(ours, None) is None
