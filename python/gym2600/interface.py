"""ALE's interface to one console: the class `ALEInterface` with the methods of ale-py."""

from __future__ import annotations

import enum
import json
import os
import secrets
import struct
import zlib
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, ClassVar, Literal, SupportsIndex, overload

import numpy as np
from numpy.typing import NDArray

from gym2600 import _gym2600, roms
from gym2600.actions import Action, LoggerMode
from gym2600.checks import number, probability, whole
from gym2600.errors import arguments_named
from gym2600.settings import CONSOLE_SETTINGS, DEFAULTS, converted, kept, warn_of_unsupported

Bytes = NDArray[np.uint8]

WIDTH = 160
RAM_SIZE = 128
SOUND_SAMPLES = 512


def unsigned(name: str, value: Any) -> int:
    """A whole number of 32 bits without a sign. ale-py raises TypeError for others."""
    if not 0 <= whole(name, value) < 2**32:
        raise TypeError(f"{name} is {value}; it is from 0 to 2**32 - 1")
    return int(value)


def switch(name: str, value: Any) -> bool:
    """True or False. As in ale-py no number is one."""
    if not isinstance(value, bool):
        raise TypeError(f"{name} is {value!r}; it is True or False")
    return value


@contextmanager
def refusals() -> Iterator[None]:
    """ale-py raises RuntimeError for a value that the game does not have."""
    try:
        yield
    except ValueError as error:
        raise RuntimeError(str(error)) from None


def check_out(out: object, shape: tuple[int, ...]) -> None:
    """Refuses an array that cannot be filled, with the types of ale-py's errors."""
    is_writable = isinstance(out, np.ndarray) and out.flags.c_contiguous and out.flags.writeable
    if not isinstance(out, np.ndarray) or out.dtype != np.uint8 or not is_writable:
        raise TypeError("the array to fill is a writable NumPy array of uint8 in C order")
    if out.shape != shape:
        kind = RuntimeError if len(shape) > 1 else TypeError
        raise kind(f"the shape of the array to fill is {out.shape}; it has to be {shape}")


class ALEState:
    """A state of a console, as `ALEInterface.cloneState` gives it. It can be pickled and restored in another process.

    Until it is serialized, pickled or compared it is a copy of the console in memory, which takes microseconds. Its bytes are compressed.

    Args:
        parts: The bytes that `serialize` gave; a state in front of them is ignored, as in ale-py.

    Raises:
        ValueError: The bytes are no state, or are damaged.
    """

    __slots__ = ("_console", "_include_rng", "_packed")

    #: The copy of a console; none if the state was made of bytes.
    _console: _gym2600.Arcade | None
    _include_rng: bool
    #: The bytes, once they are needed.
    _packed: bytes | None

    #: CRC-32 of all that follows; whether the generator of sticky actions is included, frame number, episode frame number, mode, difficulty.
    _HEADER = struct.Struct("<I?IIII")

    def __init__(self, *parts: ALEState | bytes) -> None:
        serialized = parts[-1] if parts else self._sealed((False, 0, 0, 0, 0), b"")
        if not isinstance(serialized, bytes) or len(parts) > 2:
            raise TypeError("a state is made of the bytes that serialize() gave")
        self._unpack(serialized)

    @classmethod
    def _of(cls, arcade: _gym2600.Arcade, include_rng: bool) -> ALEState:
        state = cls.__new__(cls)
        state._console, state._include_rng, state._packed = arcade.fork(), include_rng, None
        return state

    def _unpack(self, serialized: bytes) -> None:
        self._console, self._packed = None, self._checked(serialized)
        self._include_rng = bool(self._numbers()[0])

    @property
    def _bytes(self) -> bytes:
        if self._packed is None:
            assert self._console is not None
            self._packed = self._sealed(self._numbers(), self._console.save(self._include_rng))
        return self._packed

    @classmethod
    def _sealed(cls, numbers: tuple[int, ...], console: bytes) -> bytes:
        rest = cls._HEADER.pack(0, *numbers)[4:] + console
        return zlib.crc32(rest).to_bytes(4, "little") + rest

    @classmethod
    def _checked(cls, serialized: bytes) -> bytes:
        if len(serialized) < cls._HEADER.size:
            raise ValueError(f"these {len(serialized)} bytes are no state")
        if zlib.crc32(serialized[4:]) != int.from_bytes(serialized[:4], "little"):
            raise ValueError("the state is damaged: its checksum is wrong")
        return serialized

    def _restore(self, arcade: _gym2600.Arcade) -> None:
        if self._console is None:
            arcade.restore(self._bytes[self._HEADER.size :], self._include_rng)
        else:
            arcade.copy_from(self._console, self._include_rng)

    def _numbers(self) -> tuple[int, ...]:
        console = self._console
        if console is None:
            return self._HEADER.unpack_from(self._bytes)[1:]
        return (self._include_rng, console.frame_number(), console.episode_frame_number(), console.mode, console.difficulty)

    def getFrameNumber(self) -> int:
        """Frames since the ROM was loaded."""
        return self._numbers()[1]

    def getEpisodeFrameNumber(self) -> int:
        """Frames since the last reset."""
        return self._numbers()[2]

    def getCurrentMode(self) -> int:
        """The mode."""
        return self._numbers()[3]

    def getDifficulty(self) -> int:
        """The difficulty."""
        return self._numbers()[4]

    def serialize(self) -> bytes:
        """The state as bytes."""
        return self._bytes

    def equals(self, other: ALEState) -> bool:
        """Whether both are the same state.

        Args:
            other: The state to compare with.
        """
        return self == other

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ALEState) and self._bytes == other._bytes

    def __getstate__(self) -> tuple[bytes]:
        return (self._bytes,)

    def __setstate__(self, state: tuple[bytes]) -> None:
        self._unpack(*state)


class ALEInterface:
    """A console, with the methods of `ale_py.ALEInterface`. It can be pickled and copied, with its state."""

    _logger_mode: ClassVar[LoggerMode] = LoggerMode.Info

    def __init__(self) -> None:
        self._settings = dict(DEFAULTS)
        self._rom: bytes | None = None
        self._loaded: _gym2600.Arcade | None = None
        self._options = ""

    # Settings

    def _get(self, key: str, kind: type) -> Any:
        if not isinstance(key, str):
            raise TypeError(f"the name of a setting is {key!r}; it is text")
        if key not in self._settings:
            raise RuntimeError(f"no setting {key!r}: they are {', '.join(sorted(self._settings))}")
        return converted(self._settings[key], kind)

    def _set(self, key: str, value: Any, kind: type) -> None:
        value = kept(key, value, kind)
        self._get(key, kind)
        if type(self._settings[key]) is not kind:
            known = ", ".join(sorted(key for key, value in DEFAULTS.items() if type(value) is kind))
            raise RuntimeError(f"no setting {key!r} of type {kind.__name__}: they are {known}")
        self._settings[key] = value

    def getString(self, key: str) -> str:
        """The value of the setting `key`, such as "random_seed".

        Raises:
            RuntimeError: There is no such setting.
        """
        value: str = self._get(key, str)
        return value

    def getInt(self, key: str) -> int:
        """The value of the setting `key`, such as "random_seed".

        Raises:
            RuntimeError: There is no such setting.
        """
        value: int = self._get(key, int)
        return value

    def getBool(self, key: str) -> bool:
        """The value of the setting `key`, such as "random_seed".

        Raises:
            RuntimeError: There is no such setting.
        """
        value: bool = self._get(key, bool)
        return value

    def getFloat(self, key: str) -> float:
        """The value of the setting `key`, such as "random_seed".

        Raises:
            RuntimeError: There is no such setting.
        """
        value: float = self._get(key, float)
        return value

    def setString(self, key: str, value: str) -> None:
        """Sets the setting `key` to `value`, from the next `loadROM` on.

        Raises:
            RuntimeError: There is no such setting of this type.
        """
        self._set(key, value, str)

    def setInt(self, key: str, value: int) -> None:
        """Sets the setting `key` to `value`, from the next `loadROM` on.

        Raises:
            RuntimeError: There is no such setting of this type.
        """
        self._set(key, value, int)

    def setBool(self, key: str, value: bool) -> None:
        """Sets the setting `key` to `value`, from the next `loadROM` on.

        Raises:
            RuntimeError: There is no such setting of this type.
        """
        self._set(key, value, bool)

    def setFloat(self, key: str, value: float) -> None:
        """Sets the setting `key` to `value`, from the next `loadROM` on.

        Raises:
            RuntimeError: There is no such setting of this type.
        """
        self._set(key, value, float)

    @staticmethod
    def setLoggerMode(mode: LoggerMode | SupportsIndex | enum.Enum) -> None:
        """Accepted for compatibility, as gym2600 prints no messages.

        Args:
            mode: One of `LoggerMode`, its number, or one of ale-py's.

        Raises:
            TypeError: It is another value.
        """
        value = mode.value if isinstance(mode, enum.Enum) else mode
        if value not in list(LoggerMode):
            raise TypeError(f"the mode is {mode!r}; it is one of LoggerMode")
        ALEInterface._logger_mode = LoggerMode(value)

    # The game

    @staticmethod
    def isSupportedROM(path: roms.Rom) -> str | None:
        """The name of the game in the ROM `path`, or None.

        Raises:
            RuntimeError: There is no such file, as in ale-py.
        """
        try:
            return _gym2600.identify(roms.load(path))
        except FileNotFoundError as error:
            raise RuntimeError(str(error)) from None

    def loadROM(self, path: roms.Rom) -> None:
        """Loads a ROM with the present settings, and resets the game once.

        Args:
            path: The name of a game, a path or the bytes of a ROM.

        Raises:
            FileNotFoundError: There is no such file, and no game of this name is found.
            RefusedError: It is no ROM of a known game, or a setting is out of its range.
        """
        rom = roms.load(path)
        warn_of_unsupported(self._settings)
        seed = self.getInt("random_seed")
        settings: dict[str, Any] = {ours: self._settings[key] for key, ours in CONSOLE_SETTINGS.items()}
        # ALE takes the time for -1, which gives the same seed to consoles of the same second.
        settings["seed"] = secrets.randbits(31) if seed == -1 else seed % 2**32
        settings["systemRandomSeed"] %= 2**32
        probability("repeat_action_probability", settings["repeatActionProbability"])
        # As in ale-py a negative limit is none.
        settings["maxNumFramesPerEpisode"] = max(settings["maxNumFramesPerEpisode"], 0)
        self._options = json.dumps(settings)
        with roms.named(path), arguments_named(CONSOLE_SETTINGS):
            self._loaded = _gym2600.Arcade(rom, self._options)
        self._rom = rom

    @property
    def _arcade(self) -> _gym2600.Arcade:
        if self._loaded is None:
            raise RuntimeError("no ROM is loaded: call loadROM first")
        return self._loaded

    def act(self, action: SupportsIndex | enum.Enum, paddle_strength: float = 1.0) -> int:
        """Plays an action for the frames of the setting `frame_skip`, and returns the reward in points.

        Args:
            action: One of `Action`, its number from 0 to 17, or one of ale-py's.
            paddle_strength: How fast a paddle turns, 0 to 1.

        Raises:
            RuntimeError: No ROM is loaded.
            ValueError: There is no such action.
        """
        # ale-py's actions are no numbers.
        value = action.value if isinstance(action, enum.Enum) else action
        return self._arcade.act(unsigned("action", value), number("paddle_strength", paddle_strength), 1)

    def game_over(self, with_truncation: bool = True) -> bool:
        """Whether the game is over, or with `with_truncation` truncated."""
        arcade, with_truncation = self._arcade, switch("with_truncation", with_truncation)
        return arcade.game_over() or (with_truncation and arcade.game_truncated())

    def game_truncated(self) -> bool:
        """Whether a limit ended the episode."""
        return self._arcade.game_truncated()

    def reset_game(self) -> None:
        """Starts an episode."""
        self._arcade.reset_game()

    def lives(self) -> int:
        """Lives left; 0 in games without lives."""
        return self._arcade.lives()

    def getFrameNumber(self) -> int:
        """Frames since the ROM was loaded."""
        return self._arcade.frame_number()

    def getEpisodeFrameNumber(self) -> int:
        """Frames since the last reset."""
        return self._arcade.episode_frame_number()

    def getAvailableModes(self) -> list[int]:
        """The game's modes."""
        return self._arcade.modes()

    def getMode(self) -> int:
        """The mode of the next reset."""
        return self._arcade.mode

    def setMode(self, mode: int) -> None:
        """Sets the mode of the next reset.

        Args:
            mode: One of `getAvailableModes`.

        Raises:
            RuntimeError: The game has no such mode, or no ROM is loaded.
        """
        with refusals():
            self._arcade.mode = unsigned("mode", mode)

    def getAvailableDifficulties(self) -> list[int]:
        """The game's difficulties."""
        return self._arcade.difficulties()

    def getDifficulty(self) -> int:
        """The difficulty."""
        return self._arcade.difficulty

    def setDifficulty(self, difficulty: int) -> None:
        """Sets the difficulty, from the next frame on.

        Args:
            difficulty: One of `getAvailableDifficulties`.

        Raises:
            RuntimeError: The game has no such difficulty, or no ROM is loaded.
        """
        with refusals():
            self._arcade.difficulty = unsigned("difficulty", difficulty)

    def getLegalActionSet(self) -> list[Action]:
        """The actions that reach the game."""
        return [Action(number) for number in self._arcade.legal_actions()]

    def getMinimalActionSet(self) -> list[Action]:
        """The actions with an effect in this game."""
        return [Action(number) for number in self._arcade.minimal_actions()]

    # Pictures, memory, sound. With an array they fill it and return nothing; without one they return an array.

    def getScreenDims(self) -> tuple[int, int]:
        """Height and width of the picture."""
        return (self._arcade.height(), WIDTH)

    @overload
    def getScreen(self, buffer: None = None) -> Bytes: ...
    @overload
    def getScreen(self, buffer: Bytes) -> None: ...
    def getScreen(self, buffer: Bytes | None = None) -> Bytes | None:
        """The picture's palette indices, (height, 160) bytes: a new array, or None if they are written to `buffer`."""
        return self._read("screen", self.getScreenDims(), buffer)

    @overload
    def getScreenRGB(self, buffer: None = None) -> Bytes: ...
    @overload
    def getScreenRGB(self, buffer: Bytes) -> None: ...
    def getScreenRGB(self, buffer: Bytes | None = None) -> Bytes | None:
        """The picture in colour, (height, 160, 3) bytes: a new array, or None if they are written to `buffer`."""
        return self._read("screen_rgb", (*self.getScreenDims(), 3), buffer)

    @overload
    def getScreenGrayscale(self, buffer: None = None) -> Bytes: ...
    @overload
    def getScreenGrayscale(self, buffer: Bytes) -> None: ...
    def getScreenGrayscale(self, buffer: Bytes | None = None) -> Bytes | None:
        """The picture in grey, (height, 160) bytes: a new array, or None if they are written to `buffer`."""
        return self._read("screen_grey", self.getScreenDims(), buffer)

    def getRAMSize(self) -> int:
        """Bytes of RAM."""
        return RAM_SIZE

    @overload
    def getRAM(self, buffer: None = None) -> Bytes: ...
    @overload
    def getRAM(self, buffer: Bytes) -> None: ...
    def getRAM(self, buffer: Bytes | None = None) -> Bytes | None:
        """The console's RAM, 128 bytes from 0x80 on: a new array, or None if they are written to `buffer`."""
        return self._read("ram", (RAM_SIZE,), buffer)

    def setRAM(self, memory_index: int, value: int) -> None:
        """Writes the byte `value` to RAM at `memory_index`, 0 to 127 for 0x80 to 0xFF."""
        if not 0 <= whole("memory_index", memory_index) < 2**64 or not 0 <= whole("value", value) <= 255:
            raise TypeError(f"byte {memory_index} of RAM was to become {value}; both are numbers from 0, the value up to 255")
        if memory_index >= RAM_SIZE:
            raise RuntimeError(f"there is no byte {memory_index} of RAM: it has {RAM_SIZE}")
        self._arcade.set_ram(memory_index, value)

    def getVariables(self) -> dict[str, int]:
        """The variables of the game's rules by name, such as `score` and `lives`. ale-py has no such method."""
        return dict(self._arcade.variables())

    def setSwitches(
        self,
        *,
        select: bool = False,
        reset: bool = False,
        black_and_white: bool = False,
        left_difficulty: Literal["A", "B"] | None = None,
        right_difficulty: Literal["A", "B"] | None = None,
    ) -> None:
        """Sets the console's buttons and switches for every act from now on. ale-py has none but those of `setDifficulty`.

        A reset presses what the game needs and nothing else. States do not have the switches.

        Args:
            select: GAME SELECT is held.
            reset: GAME RESET is held. The episode and its rules go on.
            black_and_white: TV TYPE is at black and white.
            left_difficulty: The left difficulty switch. None leaves it where `setDifficulty` has it.
            right_difficulty: The right difficulty switch, in the same way.
        """
        self._arcade.set_switches(select, reset, black_and_white, left_difficulty, right_difficulty)

    @overload
    def getAudio(self, buffer: None = None) -> Bytes: ...
    @overload
    def getAudio(self, buffer: Bytes) -> None: ...
    def getAudio(self, buffer: Bytes | None = None) -> Bytes | None:
        """The sound of the last act, 512 samples of a byte, if the setting `sound_obs` is on: a new array, or None if they are written to `buffer`."""
        return self._read("audio", (SOUND_SAMPLES,), buffer)

    def getAudioSize(self) -> int:
        """Samples of sound of an act."""
        return SOUND_SAMPLES

    def _read(self, what: str, shape: tuple[int, ...], out: Bytes | None) -> Bytes | None:
        array = np.empty(shape, np.uint8) if out is None else out
        if out is not None:
            check_out(out, shape)
        getattr(self._arcade, what)(array)
        return array if out is None else None

    def saveScreenPNG(self, filename: str | os.PathLike[str]) -> None:
        """Writes the picture to the PNG file `filename`."""
        if not isinstance(filename, str | os.PathLike):
            raise TypeError(f"filename is {filename!r}; it is the path of a file")
        height, width = self.getScreenDims()
        picture = np.empty((height, width, 3), np.uint8)
        self._arcade.screen_rgb(picture)
        # A row begins with the number of its filter, 0 for none.
        rows = np.concatenate([np.zeros((height, 1), np.uint8), picture.reshape(height, -1)], axis=1)
        parts = {
            b"IHDR": struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0),
            b"IDAT": zlib.compress(rows.tobytes()),
            b"IEND": b"",
        }
        with open(filename, "wb") as file:
            file.write(b"\x89PNG\r\n\x1a\n")
            for name, data in parts.items():
                file.write(struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data)))

    # States

    def cloneState(self, include_rng: bool = False) -> ALEState:
        """The state. With `include_rng` the generator of sticky actions and the last action are in it; without, a restore leaves both as they are."""
        return ALEState._of(self._arcade, switch("include_rng", include_rng))

    def restoreState(self, state: ALEState) -> None:
        """Continues from a state.

        Args:
            state: One of `cloneState` or `cloneSystemState`, of any console with this ROM.

        Raises:
            TypeError: It is no state.
            ValueError: It is a state of another ROM.
        """
        if not isinstance(state, ALEState):
            raise TypeError(f"the state to restore is {state!r}; it is one of gym2600.ALEInterface.cloneState")
        state._restore(self._arcade)

    def cloneSystemState(self) -> ALEState:
        """The state with the generator of sticky actions."""
        return self.cloneState(include_rng=True)

    def restoreSystemState(self, state: ALEState) -> None:
        """Continues from a state, as `restoreState` does.

        Args:
            state: One of `cloneSystemState`.
        """
        self.restoreState(state)

    def __copy__(self) -> ALEInterface:
        copied = type(self).__new__(type(self))
        copied.__dict__.update(self.__dict__, _settings=dict(self._settings))
        copied._loaded = None if self._loaded is None else self._loaded.fork()
        return copied

    def __deepcopy__(self, memo: dict[int, Any]) -> ALEInterface:
        return self.__copy__()

    def __getstate__(self) -> dict[str, Any]:
        state = None if self._loaded is None else self._loaded.save(True)
        return {"settings": self._settings, "rom": self._rom, "options": self._options, "state": state}

    def __setstate__(self, saved: dict[str, Any]) -> None:
        self._settings = dict(saved["settings"])
        self._rom = saved["rom"]
        self._options = saved["options"]
        self._loaded = None
        if self._rom is not None:
            self._loaded = _gym2600.Arcade(self._rom, self._options)
            self._loaded.restore(saved["state"], True)
