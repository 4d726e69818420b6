"""The error of values that the native code refuses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager


class RefusedError(ValueError):
    """A ROM, a definition, an option or an action was refused. The message says all that the attributes say; each is None where the
    error does not have it.

    Args:
        message: The message.
        code: What went wrong, as one of a few names: `unknown-rom`, `bad-game`, `bad-option`, `bad-action` and the like.
        option: The argument at fault.
        path: The path of the value at fault, beginning with the argument: `wrappers[1].n`, `definition.rules.frame`.
        line: The line of the text at `path`, from 1.
        column: The character of the line, from 1.
        wrapper: The type of the wrapper at fault.
        reason: The reason, without the place.

    The attributes have the names of the arguments.
    """

    def __init__(
        self,
        message: str,
        code: str = "",
        option: str | None = None,
        path: str | None = None,
        line: int | None = None,
        column: int | None = None,
        wrapper: str | None = None,
        reason: str | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.option = option
        self.path = path
        self.line = line
        self.column = column
        self.wrapper = wrapper
        self.reason = reason


@contextmanager
def arguments_named(options: Mapping[str, str], wrappers: Mapping[str, str] | None = None) -> Iterator[None]:
    """Names the argument in a refusal.

    Args:
        options: The native code's name of each argument that becomes an option.
        wrappers: The argument that sets up the wrapper of a type.
    """
    try:
        yield
    except RefusedError as error:
        for argument, option in options.items():
            if option == error.option != argument:
                rename(error, argument)
        if wrappers and error.wrapper is not None and error.wrapper in wrappers:
            error.args = (f"{wrappers[error.wrapper]}: {error}",)
        raise


def rename(error: RefusedError, argument: str) -> None:
    """Makes the message of an error in an option anew, with the name of the argument."""
    path = error.path or ""
    error.path = argument + path.removeprefix(error.option or "")
    error.option = argument
    place = "" if error.line is None else f", line {error.line}, column {error.column}"
    error.args = (f"option {error.path}{place}: {error.reason}",)
