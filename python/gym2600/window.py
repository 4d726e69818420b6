"""The window of render mode "human", by pygame."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

#: Pixels of the window for one of the console, which is twice as wide as high.
SCALE = (4, 2)
FRAMES_PER_SECOND = 60


class Window:
    """A window that shows pictures at the console's speed."""

    def __init__(self, title: str) -> None:
        try:
            import pygame
        except ImportError as error:
            raise gymnasium.error.DependencyNotInstalled("render mode 'human' needs pygame: pip install pygame") from error
        self._pygame: Any = pygame
        pygame.display.init()
        self._title = title
        self._screen: Any = None
        self._clock = pygame.time.Clock()

    def show(self, picture: NDArray[np.uint8]) -> None:
        """Shows a picture of (height, width, 3)."""
        pygame = self._pygame
        if self._screen is None:
            height, width, _ = picture.shape
            self._screen = pygame.display.set_mode((width * SCALE[0], height * SCALE[1]))
            pygame.display.set_caption(self._title)
        surface = pygame.surfarray.make_surface(picture.swapaxes(0, 1))
        pygame.transform.scale(surface, self._screen.get_size(), self._screen)
        pygame.event.pump()
        pygame.display.flip()
        self._clock.tick(FRAMES_PER_SECOND)

    def close(self) -> None:
        """Closes the window."""
        self._pygame.display.quit()
