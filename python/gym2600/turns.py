"""Turns of a batch: the environments of which one `recv` gives the results.

Environments play in the order in which they got their actions. Of those that got them in one call, the ones play first whose last turn is
longest ago, so that all play equally often also if the turns do not divide the batch. One that has been reset has no action; its turn gives
what the reset gave.

Invariant: an environment is in the queue or in the turn at most once.
"""

from __future__ import annotations

from collections import deque
from typing import Any, NamedTuple

import numpy as np
from gymnasium.error import AlreadyPendingCallError, NoAsyncCallError
from numpy.typing import NDArray

from gym2600._gym2600 import EnvironmentLostError
from gym2600.batch import Batch, Step
from gym2600.checks import counts


class Turn(NamedTuple):
    """The environments of a turn, ascending: those that play, and those that have been reset."""

    played: list[int]
    reset: list[int]

    def lanes(self) -> list[int]:
        """All of them, ascending."""
        return sorted(self.played + self.reset) if self.reset else self.played


def turn_size(batch_size: int | None, num_envs: int) -> int:
    """The number of environments of a turn: `batch_size`, or all of them if it is 0 or None."""
    size = 0 if batch_size is None else batch_size
    counts(batch_size=size)
    if size > num_envs:
        raise ValueError(f"batch_size is {size}; it is from 0 to num_envs, {num_envs}")
    return size or num_envs


class Turns:
    """Plays `size` environments of a batch at a time, or without it all that have actions."""

    def __init__(self, batch: Batch, size: int | None) -> None:
        self._batch = batch
        self._size = size
        #: The turn in which all environments play.
        self.everyone: Turn = Turn(list(range(batch.num_envs)), [])
        # The number of the last place in a turn of each environment, and that of the next place.
        self._places: dict[int, int] = {}
        self._next_place = 0
        # Environments that are played next, each with its action and strength; those that have been reset have no action.
        self._queue: deque[tuple[int, int | None, float | None]] = deque()
        self._turn: Turn | None = None
        # The results of the turn, if it has ended before `finish`.
        self._step: Step | None = None
        # Why a turn had no results, if the batch can play no more.
        self._failure: str | None = None

    def drop(self) -> None:
        """Waits for the turn under way, and drops its results and the queue."""
        if self._turn is not None:
            self.finish()
        self._queue.clear()
        self._places.clear()

    def send(self, lanes: NDArray[np.int32], actions: NDArray[np.int64] | None, strengths: NDArray[np.float32] | None = None) -> None:
        """Queues environments with their actions, or without for those that have been reset, and begins a turn if there is none.

        Raises:
            gymnasium.error.AlreadyPendingCallError: An environment has its action.
        """
        if actions is not None and self._begins_with_all(lanes):
            # Where all play in every turn, none waits for its place.
            self._batch.send(actions, strengths)
            self._turn = self.everyone
            return
        numbers = lanes.tolist()
        self.check(numbers, "send")
        none = [None] * len(numbers)
        chosen, powers = (none if values is None else values.tolist() for values in (actions, strengths))
        entries = zip(numbers, chosen, powers, strict=True)
        self._queue.extend(sorted(entries, key=lambda entry: self._places.get(entry[0], -1)))
        self.begin()

    def _begins_with_all(self, lanes: NDArray[np.int32]) -> bool:
        """Whether these are all environments, and a turn of them can begin."""
        count = self._batch.num_envs
        is_free = self._turn is None and not self._queue and self._size in (None, count)
        return is_free and np.array_equal(lanes, np.arange(count))

    def check(self, lanes: list[int], call: str) -> None:
        """Checks before a call that environments have no actions yet.

        Raises:
            gymnasium.error.AlreadyPendingCallError: An environment has its action.
        """
        turn = [] if self._turn is None else self._turn.lanes()
        pending = sorted({lane for lane, _, _ in self._queue}.union(turn).intersection(lanes))
        if pending or len(set(lanes)) != len(lanes):
            which = f"environments {pending}" if pending else f"some of the environments {lanes} twice"
            raise AlreadyPendingCallError(f"{call} of {which}, which have their actions: call recv first", call)

    def size_after(self, sent: int, drops: bool = False) -> int:
        """The number of environments of the next turn that ends, if `sent` more get their actions before; with `drops`, after `drop`."""
        if drops:
            return self._size or sent
        if self._turn is not None:
            return len(self._turn.lanes())
        return self._size or len(self._queue) + sent

    def due(self) -> Turn:
        """The turn under way, of which `finish` gives the results.

        Raises:
            gymnasium.error.ClosedEnvironmentError: The environments are closed.
            gymnasium.error.NoAsyncCallError: Too few environments have actions.
            gym2600.EnvironmentLostError: The last turn failed in the native code, and the batch can play no more.
        """
        if self._failure is not None:
            raise EnvironmentLostError(self._failure)
        if self._turn is None:
            # A closed batch says so.
            _ = self._batch.native
            due = f"results of {self._size or 'any'} environments are due, and {len(self._queue)} have actions"
            raise NoAsyncCallError(f"recv without a step under way: {due}: call send", "recv")
        return self._turn

    def finish(self, observations: NDArray[Any] | None = None) -> Step | None:
        """Waits for the turn under way, whose environments write their observations if there is an array for them, and ends it. There are no
        results if none of its environments played.

        `begin` begins the next turn; until then the batch tells about this one, and has its observations.

        Raises:
            gymnasium.error.NoAsyncCallError: The process that called `send` forked this one.
            gym2600.EnvironmentLostError: The turn failed in the native code.
        """
        turn = self.due()
        plays_all = bool(turn.played) and not turn.reset and self._step is None
        self.settle(observations if plays_all else None)
        if observations is not None and not plays_all:
            self._batch.observe(observations, turn.lanes())
        step, self._step, self._turn = self._step, None, None
        return step

    def settle(self, observations: NDArray[Any] | None = None) -> None:
        """Waits until the environments of the turn under way have played, and keeps their results for `finish`. Others can be reset then. With
        an array, in which all of them have their places, they write their observations.

        Raises:
            As `finish`, but not if no turn is under way.
        """
        turn = self._turn
        if turn is None or not turn.played or self._step is not None:
            return
        self._turn = None
        try:
            self._step = self._batch.recv(observations)
        except EnvironmentLostError as error:
            self._failure = str(error)
            raise
        self._turn = turn

    def begin(self) -> None:
        """Begins the next turn, if there is none and enough environments have actions."""
        size = self._size or len(self._queue)
        if self._turn is not None or not size or len(self._queue) < size:
            return
        turn = [self._queue.popleft() for _ in range(size)]
        for lane, _, _ in turn:
            self._places[lane], self._next_place = self._next_place, self._next_place + 1
        turn.sort(key=lambda entry: entry[0])
        played = [(lane, number, strength) for lane, number, strength in turn if number is not None]
        lanes = [lane for lane, _, _ in played]
        if played:
            strengths = [strength for _, _, strength in played if strength is not None]
            self._batch.send([number for _, number, _ in played], np.array(strengths, np.float32) if strengths else None, lanes)
        self._turn = Turn(lanes, [lane for lane, number, _ in turn if number is None])
