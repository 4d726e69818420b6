"""Runs `gym2600 rollout`."""

import json
import os
import pathlib
import shlex
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]


def program():
    """The command of the program: GYM2600_COMMAND, such as `node tests/conformance/program.mjs`, or GYM2600_BIN, or the release build."""
    command = os.environ.get("GYM2600_COMMAND")
    if command:
        return shlex.split(command)
    target = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    path = pathlib.Path(os.environ.get("GYM2600_BIN", target / "release" / "gym2600"))
    if not path.is_file():
        raise FileNotFoundError(f"no program {path}: run cargo build --release -p gym2600-cli, or set GYM2600_BIN")
    return [str(path)]


def rollout(rom, actions, directory, *, seed, preset=None, options=None, envs=None):
    """The lines of `gym2600 rollout` as dictionaries."""
    file = directory / "actions"
    file.write_text("".join(f"{action}\n" for action in actions))
    call = [*program(), "rollout", str(rom), str(file), "--seed", str(seed)]
    if preset is not None:
        call += ["--preset", preset]
    if options is not None:
        call += ["--options", json.dumps(options)]
    if envs is not None:
        call += ["--envs", str(envs)]
    done = subprocess.run(call, capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    return (json.loads(text) for text in done.stdout.splitlines())
