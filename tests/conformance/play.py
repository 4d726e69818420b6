"""Random play that depends only on a seed, the same on every machine and with every Python."""

from __future__ import annotations

import random

ACTIONS = 18


def random_actions(seed: object, frames: int) -> list[int]:
    """`frames` of ALE's actions. The seed may be anything with a stable `str`, a tuple of a seed and a game for one.

    An action lasts as long as a person's: some for a frame, most for several, so that games get somewhere.
    """
    generator = random.Random(str(seed))
    actions: list[int] = []
    while len(actions) < frames:
        action = generator.randrange(ACTIONS)
        actions += [action] * generator.choice((1, 1, 1, 2, 4, 12))
    return actions[:frames]
