"""Random play from a seed, the same on every machine and with every version of Python."""

from __future__ import annotations

import random

ACTIONS = 18


def random_actions(seed: object, frames: int) -> list[int]:
    """ALE's actions for `frames` frames. The seed is any value with a stable `str`, such as a tuple.

    An action lasts 1 to 12 frames, so that games make progress.
    """
    generator = random.Random(str(seed))
    actions: list[int] = []
    while len(actions) < frames:
        action = generator.randrange(ACTIONS)
        actions += [action] * generator.choice((1, 1, 1, 2, 4, 12))
    return actions[:frames]
