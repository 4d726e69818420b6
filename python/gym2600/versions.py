"""What versions of Gymnasium before 1.1 lack."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Any

from gymnasium.vector import VectorEnv

if TYPE_CHECKING:
    from gymnasium.vector import AutoresetMode

    VectorBase = VectorEnv
else:
    try:
        from gymnasium.vector import AutoresetMode
    except ImportError:

        class AutoresetMode(Enum):
            """When a batch starts the next episode of an environment that has ended one."""

            NEXT_STEP = "NextStep"
            SAME_STEP = "SameStep"
            DISABLED = "Disabled"

    if VectorEnv.__parameters__:
        VectorBase = VectorEnv
    else:

        class VectorBase(VectorEnv):
            """A batch whose arrays may have types."""

            closed = False
            viewer = None

            def __class_getitem__(cls, _types: Any) -> type:
                """The class itself."""
                return cls


__all__ = ["AutoresetMode", "VectorBase"]
