"""The measured processes. One works at a time, so that they do not disturb each other."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from threading import Timer
from types import TracebackType
from typing import Any, Self

ROOT = Path(__file__).resolve().parents[2]

# Seconds after which a competitor is killed: during an answer (a million steps take minutes) and at its end.
ANSWER_LIMIT = 900.0
EXIT_LIMIT = 10.0


class BenchError(Exception):
    """A competitor refused a measurement, or its play differs from that of the others."""


def native_program() -> str:
    """GYM2600_BENCH, or the program that scripts/bench builds."""
    target = Path(os.environ.get("CARGO_TARGET_DIR") or ROOT / "target")
    return os.environ.get("GYM2600_BENCH") or str(target / "release" / "gym2600-bench")


def heavy_python() -> str:
    """The Python of scripts/test-heavy, which has Stable-Baselines3."""
    cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return str(Path(cache) / "gym2600" / "heavy-venv" / "bin" / "python")


def _stack(name: str, python: str = sys.executable) -> list[str]:
    return [python, "-m", "bench.stacks", name]


def _script(name: str) -> list[str]:
    return ["node", str(ROOT / "tests" / "bench" / name)]


# By default V8 compiles a function at its first call and optimises it later. With these flags it does both when it compiles the module.
COMPILE_ALL = ["--no-wasm-lazy-compilation", "--no-liftoff"]


COMMANDS = {
    "native": [native_program()],
    "node": _script("node.js"),
    "chromium": _script("chromium.js"),
    "node, compiled": ["node", *COMPILE_ALL, *_script("node.js")[1:]],
    "chromium, compiled": [*_script("chromium.js"), f"--js-flags={' '.join(COMPILE_ALL)}"],
    "6502.ts": _script("peer.js"),
    "ale-py": _stack("ale"),
    "AtariVectorEnv": _stack("ale-vector"),
    "gym2600": _stack("gym2600"),
    "SB3 with ale-py": _stack("ale-vector", heavy_python()),
    "SB3 with gym2600": _stack("gym2600", heavy_python()),
    "EnvPool": _stack("envpool"),
    "Gymnasium": _stack("gymnasium"),
    "labml": _stack("labml"),
}


class Competitors:
    """Long-lived processes, each started by its first request."""

    def __init__(self) -> None:
        self.processes: dict[str, subprocess.Popen[str]] = {}

    def ask(self, name: str, request: dict[str, Any], label: str = "") -> dict[str, Any]:
        """Sends a request and waits for its answer. Each label has a process of its own."""
        label = label or name
        if label not in self.processes:
            pipe = subprocess.PIPE
            self.processes[label] = subprocess.Popen(COMMANDS[name], stdin=pipe, stdout=pipe, text=True)  # noqa: S603
        process = self.processes[label]
        assert process.stdin is not None and process.stdout is not None
        limit = Timer(ANSWER_LIMIT, process.kill)
        limit.start()
        try:
            process.stdin.write(json.dumps(request) + "\n")
            process.stdin.flush()
            line = process.stdout.readline()
        finally:
            limit.cancel()
        if not line:
            raise BenchError(f"{name} ended with status {process.wait()} on the request {request}")
        answer = json.loads(line)
        if "error" in answer:
            raise BenchError(f"{name} refused {request}: {answer['error']}")
        return answer

    def ask_fresh(self, name: str, request: dict[str, Any]) -> dict[str, Any]:
        """Asks a new process of a competitor."""
        self.renew(name)
        return self.ask(name, request)

    def renew(self, label: str) -> None:
        """Ends a process. The next request starts another."""
        process = self.processes.pop(label, None)
        if process is not None:
            assert process.stdin is not None
            process.stdin.close()
            try:
                process.wait(timeout=EXIT_LIMIT)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        for label in list(self.processes):
            self.renew(label)
