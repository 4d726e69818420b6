"""The expected lines of `gym2600 rollout`, from a Python reference."""

import zlib


def reference_lines(reference, actions):
    """Yields a line for the reset, then one for every action.

    A reference that does not reset itself is reset after an end, without a line.
    """
    event = reference.reset()
    yield line(0, event, None)
    total, length, starts = 0.0, 0, False
    for number, action in enumerate(actions, 1):
        event = reference.step(action)
        ended = event.terminated or event.truncated
        if starts and not ended and is_reset_step(reference):
            total, length = 0.0, 0
        else:
            total, length = total + event.reward, length + 1
        episode = {"reward": total, "length": length} if ended else None
        starts = ended
        if ended:
            total, length = 0.0, 0
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
