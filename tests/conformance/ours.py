"""Runs `gym2600 trace`, and the same through WebAssembly."""

from __future__ import annotations

import os
import shlex
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from .ale_trace import Settings

ROOT = Path(__file__).resolve().parents[2]


def native() -> list[str]:
    """The command of the native program: GYM2600_BIN, or cargo's release build."""
    named = os.environ.get("GYM2600_BIN")
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    program = Path(named) if named else target / "release" / "gym2600"
    if not program.is_file():
        raise FileNotFoundError(f"no program {program}: run cargo build --release -p gym2600-cli, or set GYM2600_BIN")
    return [str(program), "trace"]


def wasm() -> list[str]:
    """The command that plays through the npm package."""
    built = ROOT / "packages" / "gym2600" / "dist" / "index-node.js"
    if not built.is_file():
        raise FileNotFoundError(f"no package {built}: run scripts/build wasm package")
    return ["node", str(ROOT / "tests" / "conformance" / "program.mjs"), "trace"]


def command(runner: str | None = None) -> list[str]:
    """The command for a runner. Without one it is GYM2600_TRACE_COMMAND, or the native program."""
    named = os.environ.get("GYM2600_TRACE_COMMAND")
    if runner is None and named:
        return shlex.split(named)
    return wasm() if runner == "wasm" else native()


class ProgramFailed(Exception):
    """The program failed. The message is its standard error."""


@dataclass(frozen=True)
class Program:
    """A command that prints the lines of `gym2600 trace`."""

    words: Sequence[str]

    def lines(
        self, rom: Path, actions: Sequence[int], settings: Settings, definition: Path | None = None
    ) -> Iterator[bytes]:
        """Yields the lines that the program prints."""
        with tempfile.TemporaryDirectory(prefix="gym2600-") as directory:
            call = self._call(Path(directory), rom, actions, settings, definition)
            with (Path(directory) / "errors").open("w+b") as errors:
                process = subprocess.Popen(call, stdout=subprocess.PIPE, stderr=errors, cwd=ROOT, bufsize=1 << 20)
                try:
                    assert process.stdout is not None
                    yield from process.stdout
                    if process.wait() != 0:
                        errors.seek(0)
                        raise ProgramFailed(errors.read().decode(errors="replace").strip())
                finally:
                    # The caller may stop at a difference.
                    if process.poll() is None:
                        process.kill()
                        process.wait()
                    process.stdout.close()

    def dump(
        self, line: int, rom: Path, actions: Sequence[int], settings: Settings, definition: Path | None = None
    ) -> tuple[bytes, bytes]:
        """RAM and screen at a line of the output. The first line is 1."""
        with tempfile.TemporaryDirectory(prefix="gym2600-") as directory:
            target = Path(directory) / "dump"
            call = self._call(Path(directory), rom, actions, settings, definition)
            call += ["--dump-line", str(line), "--dump-to", str(target)]
            done = subprocess.run(call, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, cwd=ROOT, check=False)
            if done.returncode != 0 or not target.is_file():
                raise ProgramFailed(done.stderr.decode(errors="replace").strip())
            state = target.read_bytes()
        return state[:128], state[128:]

    def _call(
        self, directory: Path, rom: Path, actions: Sequence[int], settings: Settings, definition: Path | None
    ) -> list[str]:
        file = directory / "actions"
        file.write_text("".join(f"{action}\n" for action in actions))
        game = [] if definition is None else ["--game", str(definition)]
        return [*self.words, str(rom), str(file), *settings.arguments(), *game]
