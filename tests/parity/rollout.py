"""The expected lines of `gym2600 rollout`, from a Python reference."""

import zlib
from unittest.mock import ANY


def reference_lines(reference, actions):
    """Yields a line for the reset, then one for every action.

    A reference that does not reset itself is reset after an end, without a line. The end of a game has its points and its steps, those of a
    reset left out; the points of a reference that does not show them may be any.
    """
    event = reference.reset()
    yield line(0, event, None)
    length, starts = 0, False
    for number, action in enumerate(actions, 1):
        event = reference.step(action)
        ended = event.terminated or event.truncated
        if not starts or ended or not is_reset_step(reference):
            length += 1
        starts, episode = ended, None
        if ended and event.real_done:
            episode = {"reward": ANY if event.score is None else event.score, "length": length}
            length = 0
        yield line(number, event, episode)
        if ended and not reference.resets_itself:
            reference.reset()


def is_reset_step(reference):
    """Whether the step after an end ignores its action and resets."""
    return getattr(reference, "resets_in_next_step", False)


def line(step, event, episode):
    """A line as a dictionary."""
    return {
        "step": step,
        "reward": event.reward,
        "terminated": event.terminated,
        "truncated": event.truncated,
        "lives": event.lives,
        "obs": f"{zlib.crc32(event.observation.tobytes()):08x}",
        "episode": episode,
    }
