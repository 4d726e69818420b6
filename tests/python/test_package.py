"""The package: how ROMs are found, what it imports, and the examples of the documents."""

from __future__ import annotations

import importlib
import inspect
import os
import pydoc
import re
import subprocess
import sys
import tomllib
import zipfile
from importlib import metadata
from pathlib import Path
from typing import get_args, get_type_hints

import ale_py
import gym2600
import gymnasium
import numpy as np
import pytest
from conformance.roms import path_of
from examples import ROOT, example, examples, run
from gym2600 import _gym2600, pool
from gym2600.batch import wrappers_of


def test_a_rom_is_bytes_a_path_or_a_name(tmp_path, monkeypatch):
    rom = path_of("breakout").read_bytes()
    (tmp_path / "breakout.bin").write_bytes(rom)
    monkeypatch.setenv("GYM2600_ROMS", str(tmp_path))
    for given in (rom, tmp_path / "breakout.bin", str(tmp_path / "breakout.bin"), "breakout"):
        assert gym2600.roms.load(given) == rom
    assert gym2600.roms.get_rom_path("breakout") == tmp_path / "breakout.bin"


@pytest.mark.parametrize("variable", gym2600.roms.VARIABLES)
@pytest.mark.parametrize("name", ["Breakout (1978).bin", "BREAKOUT.BIN", "breakout.a26"])
def test_a_game_is_found_by_its_content(name, variable, tmp_path, monkeypatch):
    (tmp_path / name).write_bytes(path_of("breakout").read_bytes())
    monkeypatch.setattr(gym2600.roms, "_carried", lambda: ())
    monkeypatch.delenv("GYM2600_ROMS", raising=False)
    monkeypatch.setenv(variable, str(tmp_path))
    assert gym2600.roms.get_rom_path("breakout") == tmp_path / name
    assert gym2600.roms.get_all_rom_ids() == ["breakout", "wallop"]


def test_a_file_of_another_game_is_not_taken_for_the_game_of_its_name(tmp_path, monkeypatch):
    pong = path_of("pong").read_bytes()
    monkeypatch.setattr(gym2600.roms, "_carried", lambda: ())
    monkeypatch.setenv("GYM2600_ROMS", str(tmp_path))
    (tmp_path / "breakout.bin").write_bytes(pong)
    (tmp_path / "freeway.bin").write_bytes(b"a changed game")
    for make in (
        gym2600.AtariEnv,
        gym2600.AtariVectorEnv,
        gym2600.VectorEnv,
        gym2600.ALEInterface().loadROM,
        lambda game: gym2600.make("Breakout-v5" if game == "breakout" else "Freeway-v5"),
        lambda game: gymnasium.make(f"gym2600/{game.title()}-v5"),
    ):
        for game, content in (("breakout", "pong"), ("freeway", "no known game")):
            with pytest.raises(FileNotFoundError, match=f"{game}.bin has this name, but it is {content}"):
                make(game)
    assert gym2600.roms.load("pong") == pong
    folder = tmp_path / "atari" / "roms"
    folder.mkdir(parents=True)
    (folder / "breakout.bin").write_bytes(pong)
    with pytest.raises(ValueError, match="is not breakout, but pong"):
        gym2600.make("Breakout-v5", base_path=tmp_path)


def test_a_name_that_is_nearly_right_is_answered_with_the_right_one():
    for name in ("brekout", "Breakout"):
        with pytest.raises(FileNotFoundError, match="did you mean 'breakout'") as caught:
            gym2600.AtariEnv(name)
        assert "pip" not in str(caught.value)
    with pytest.raises(ValueError, match="unknown task 'Brekout-v5': did you mean 'Breakout-v5'"):
        gym2600.make("Brekout-v5")


def test_a_changed_game_plays_by_the_definition_of_its_game(tmp_path):
    changed = bytearray(path_of("breakout").read_bytes())
    changed[100] ^= 1
    file = tmp_path / "changed.bin"
    file.write_bytes(changed)
    with pytest.raises(gym2600.RefusedError, match="unknown ROM"):
        gym2600.VectorEnv(file, 1)
    text = (ROOT / "crates/arcade/games/breakout.toml").read_text()
    definition = {key: value for key, value in tomllib.loads(text).items() if key != "md5"}
    envs = gym2600.VectorEnv(file, 1, definition=definition)
    envs.reset(seed=1)
    assert envs.description["actions"] == ["NOOP", "FIRE", "RIGHT", "LEFT"]
    assert sum(envs.step(np.array([step % 4]))[1][0] for step in range(400)) > 0
    envs.close()


def test_a_zip_file_stands_for_the_rom_inside(tmp_path, monkeypatch):
    rom = path_of("breakout").read_bytes()
    (folder := tmp_path / "roms").mkdir()
    with zipfile.ZipFile(folder / "my game.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("read me.txt", "a game")
        archive.writestr("Breakout/Breakout (1978).A26", rom)
    monkeypatch.setenv("GYM2600_ROMS", str(folder))
    assert gym2600.roms.get_rom_path("breakout") == folder / "my game.zip"
    envs, plain = gym2600.VectorEnv("breakout", 1), gym2600.VectorEnv(rom, 1)
    assert envs.description == plain.description
    ale = gym2600.ALEInterface()
    ale.loadROM(folder / "my game.zip")
    assert ale.getAvailableModes() == [*range(0, 48, 4)]
    empty = tmp_path / "empty.zip"
    with zipfile.ZipFile(empty, "w") as archive:
        archive.writestr("read me.txt", "no game")
    with pytest.raises(gym2600.RefusedError, match="no ROM among its 1 files"):
        gym2600.VectorEnv(empty, 1)


def test_a_mapper_takes_the_place_of_the_detection():
    rom = bytes(at % 251 for at in range(8192))
    gym2600.VectorEnv(rom, 1, definition={"rom": "mine"}, mapper="3E").close()
    for mapper, reason in (("F9", "F9"), ("E7", "8192 bytes does not fit mapper E7")):
        with pytest.raises(gym2600.RefusedError, match=reason):
            gym2600.VectorEnv(rom, 1, definition={"rom": "mine"}, mapper=mapper)


def test_a_folder_that_does_not_exist_is_said(tmp_path, monkeypatch):
    monkeypatch.setenv("GYM2600_ROMS", str(tmp_path / "romz"))
    with pytest.warns(UserWarning, match="romz, which is no folder"):
        gym2600.AtariEnv("breakout").close()
    monkeypatch.setattr(gym2600.roms, "_carried", lambda: ())
    with pytest.warns(UserWarning, match="romz"), pytest.raises(FileNotFoundError, match=r"searched \(.*romz\)"):
        gym2600.AtariEnv("breakout")


def test_a_file_does_not_hide_a_game_of_its_name(tmp_path, monkeypatch):
    rom = path_of("breakout").read_bytes()
    monkeypatch.setenv("GYM2600_ROMS", str(path_of("breakout").parent))
    monkeypatch.chdir(tmp_path)
    for name in ("breakout", "wallop", "mine"):
        (tmp_path / name).write_bytes(b"hello")
    assert gym2600.roms.load("breakout") == rom
    assert gym2600.AtariEnv("wallop")._rom == gym2600.roms.load("wallop") != b"hello"
    for path in (f".{os.sep}breakout", Path("breakout"), str(tmp_path / "wallop"), "mine"):
        assert gym2600.roms.load(path) == b"hello"
        for make in (gym2600.AtariEnv, gym2600.AtariVectorEnv, gym2600.VectorEnv, gym2600.ALEInterface().loadROM):
            with pytest.raises(ValueError) as caught:
                make(path)
            assert str(tmp_path / Path(path).name) in str(caught.value)


@pytest.mark.parametrize("game", [None, 5])
def test_what_is_no_game_is_named(game):
    for make in (gym2600.AtariEnv, gym2600.AtariVectorEnv, gym2600.VectorEnv):
        with pytest.raises(TypeError, match=f"a game is {game}"):
            make(game)


@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview])
def test_bytes_of_every_kind_are_a_rom(kind):
    rom = kind(gym2600.roms.load("wallop"))
    assert gym2600.ALEInterface.isSupportedROM(rom) == "wallop"
    for make in (gym2600.AtariEnv, gym2600.AtariVectorEnv, gym2600.VectorEnv):
        make(rom).reset(seed=1)


#: Calls with all kinds of arguments that have types of their own.
TYPED = """
import gym2600
import numpy as np

rom = gym2600.roms.load("wallop")
envs = gym2600.AtariVectorEnv(bytearray(rom), num_envs=2)
envs.reset(seed=np.arange(2))
envs.ale.reset(np.arange(2), np.arange(2))
envs.ale.send(np.zeros(2, np.int64), np.ones(2, np.float32))
envs.ale.reset([0, 1], [1, 2])
envs.ale.send([0, 1], [1.0, 0.5])
gym2600.make("Breakout-v5", num_envs=2, seed=np.arange(2)).close()
gym2600.make("Breakout-v5", num_envs=2, env_seed=np.arange(2)).close()
gym2600.VectorEnv(memoryview(rom)).close()
listed: list[gym2600.wrappers.Wrapper] = ["StickyActions", gym2600.wrappers.SkipFrames(type="SkipFrames", n=3)]
listed.append({"type": "ImagePreprocessing", "grey": "ale", "width": None})
gym2600.VectorEnv("wallop", wrappers=listed).close()
gym2600.VectorEnv("wallop", wrappers=["SkipFrames", {"type": "QueueFrames", "axis": "last", "n": 2}], preset=None).close()
actions = np.random.default_rng(0).integers(gym2600.VectorEnv("wallop").single_action_space.n, size=2)
console = gym2600.ALEInterface()
console.loadROM(memoryview(rom))
console.setLoggerMode(gym2600.LoggerMode.Error)
state: gym2600.ALEState = console.cloneState(True)
is_over: bool = console.game_over(False)
console.getRAM(buffer=np.zeros(128, np.uint8))
"""


#: Lists of wrappers with a mistake each, on lines of their own.
MISTYPED = """
import gym2600
gym2600.VectorEnv("wallop", wrappers=["SkipFrame"])
gym2600.VectorEnv("wallop", wrappers=[{"type": "SkipFrames", "shows": "max"}])
gym2600.VectorEnv("wallop", wrappers=[{"type": "SkipFrames", "stops_at": "lostLife"}])
gym2600.VectorEnv("wallop", wrappers=[{"type": "ClipReward", "to": None}])
gym2600.VectorEnv("wallop", wrappers=[{"n": 4}])
gym2600.VectorEnv("wallop", preset="atari")
"""


def run_typed(code, folder, *command):
    """Runs a program, or mypy over it."""
    program = folder / "typed.py"
    program.write_text(code)
    return subprocess.run([sys.executable, *command, str(program)], capture_output=True, text=True)


@pytest.fixture
def mypy(tmp_path, monkeypatch):
    """The arguments of Python that check the types of a program."""
    monkeypatch.setenv("MYPYPATH", str(Path(gym2600.__file__).parents[1]))
    return ["-m", "mypy", "--strict", "--config-file", "", "--cache-dir", str(tmp_path)]


def test_the_types_take_what_runs(tmp_path, mypy):
    for command in ([], mypy):
        done = run_typed(TYPED, tmp_path, *command)
        assert done.returncode == 0, done.stdout + done.stderr


def test_the_types_take_what_the_example_of_ray_uses(tmp_path, mypy):
    """Ray and PyArrow need not be installed: what they lack of types is not ours."""
    code = example("docs/beyond-one-machine.md", "class Collector")
    theirs = ["--ignore-missing-imports", "--allow-subclassing-any", "--allow-untyped-decorators"]
    done = run_typed(code, tmp_path, *mypy, *theirs)
    errors = [line for line in done.stdout.splitlines() if ": error: " in line]
    # mypy gives a class no attributes for its decorator.
    assert [line for line in errors if 'has no attribute "remote"' not in line] == [], done.stdout + done.stderr
    assert len(errors) == 1, done.stdout + done.stderr


def test_the_types_refuse_wrong_wrappers_options_and_values(tmp_path, mypy):
    found = run_typed(MISTYPED, tmp_path, *mypy).stdout
    lines = {int(line) for line in re.findall(r"typed\.py:(\d+): error:", found)}
    assert lines == set(range(3, 9)), found


def test_the_help_of_the_wrappers_has_every_option_and_value():
    """Those that the native code takes. The sentences are compared with the Rust docs by the tests of crates/gym."""
    assert get_args(gym2600.wrappers.Preset) == tuple(_gym2600.presets())
    for name in get_args(gym2600.wrappers.WrapperName):
        wrapper = getattr(gym2600.wrappers, name)
        text = pydoc.render_doc(wrapper, renderer=pydoc.plaintext)
        assert "In Python: " in text
        for option, kind in get_type_hints(wrapper).items():
            assert option == "type" or f"        {option}: " in wrapper.__doc__
            for value in get_args(kind):
                assert not isinstance(value, str) or option == "type" or f'* "{value}": ' in wrapper.__doc__
    for preset in _gym2600.presets():
        for wrapper in wrappers_of(preset):
            options = get_type_hints(getattr(gym2600.wrappers, wrapper["type"]))
            assert set(wrapper) <= set(options)


#: What a user can call, by its public name. `wrappers` has dictionaries alone, whose options the test above reads.
CALLABLE = {
    **{name: getattr(gym2600, name) for name in gym2600.__all__ if callable(getattr(gym2600, name))},
    **{f"pool.{name}": getattr(pool, name) for name in ("PoolEnv", "PoolSpec")},
    **{f"roms.{name}": getattr(gym2600.roms, name) for name in ("folders", "load", "find", "get_rom_path", "get_all_rom_ids")},
}


def functions(name, item):
    """A public function, or the constructor and the public methods that a class of ours has by itself, with their docs."""
    if inspect.isfunction(item):
        yield name, item, item.__doc__
        return
    for member, value in vars(item).items():
        function = value.__func__ if isinstance(value, staticmethod | classmethod) else value
        if not inspect.isfunction(function) or not function.__module__.startswith("gym2600"):
            continue
        if member == "__init__":
            yield name, function, item.__doc__
        elif not member.startswith("_"):
            yield f"{name}.{member}", function, function.__doc__


@pytest.mark.parametrize("name", sorted(CALLABLE))
def test_every_argument_has_a_sentence(name):
    """The site's reference of Python shows these."""
    for place, function, text in functions(name, CALLABLE[name]):
        assert text, place
        arguments = [argument for argument in inspect.signature(function).parameters if argument != "self" and not argument.startswith("_")]
        for argument in arguments:
            has_entry = re.search(rf"^ +{argument}: \S", text, re.MULTILINE)
            assert has_entry or f"`{argument}`" in text, f"{place}: {argument}"


def test_roms_of_installed_packages_are_found_without_an_import(monkeypatch):
    monkeypatch.delenv("GYM2600_ROMS", raising=False)
    program = "import gym2600, sys; gym2600.AtariEnv('qbert'); print('ale_py' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


@pytest.mark.parametrize(("package", "folder"), gym2600.roms.CARRIERS)
def test_every_carrier_is_found_alone(package, folder, tmp_path, monkeypatch):
    here = tmp_path / package / folder
    rom = path_of("breakout").read_bytes()
    here.mkdir(parents=True)
    (tmp_path / package / "__init__.py").touch()
    (here / "breakout.bin").write_bytes(rom)
    monkeypatch.delenv("GYM2600_ROMS", raising=False)
    monkeypatch.setattr(gym2600.roms, "CARRIERS", ((package, folder),))
    monkeypatch.setattr(gym2600.roms, "_carried", gym2600.roms._carried.__wrapped__)
    with monkeypatch.context() as alone:
        alone.setattr(sys, "path", [str(tmp_path)])
        alone.delitem(sys.modules, package, raising=False)
        importlib.invalidate_caches()
        assert gym2600.roms.folders() == [here]
        assert gym2600.roms.load("breakout") == rom
    importlib.invalidate_caches()


@pytest.mark.parametrize("package", ["ale_py", "envpool_assets"])
def test_an_installed_package_carries_games(package, monkeypatch):
    monkeypatch.delenv("GYM2600_ROMS", raising=False)
    carriers = [carrier for carrier in gym2600.roms.CARRIERS if carrier[0] == package]
    monkeypatch.setattr(gym2600.roms, "CARRIERS", carriers)
    monkeypatch.setattr(gym2600.roms, "_carried", gym2600.roms._carried.__wrapped__)
    assert gym2600.roms.load("breakout") == path_of("breakout").read_bytes()
    assert len(gym2600.roms.get_all_rom_ids()) > 60


def test_ale_ids_stay_ours_when_ale_py_is_imported_later():
    program = """import gymnasium, gym2600
gym2600.register_ale_ids()
import ale_py
gymnasium.register_envs(ale_py)
for name in ("ALE/Breakout-v5", "BreakoutNoFrameskip-v4"):
    print(type(gymnasium.make(name).unwrapped).__module__)"""
    done = subprocess.run([sys.executable, "-W", "error", "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["gym2600.env"] * 2


def test_a_missing_rom_says_how_to_get_it(monkeypatch):
    monkeypatch.setattr(gym2600.roms, "_carried", lambda: ())
    monkeypatch.delenv("GYM2600_ROMS", raising=False)
    with pytest.raises(FileNotFoundError) as caught:
        gym2600.AtariEnv("breakout")
    for word in ("GYM2600_ROMS", "pip install ale-py", "wallop", "bytes"):
        assert word in str(caught.value)
    assert gym2600.roms.get_all_rom_ids() == ["wallop"]
    gym2600.AtariEnv("wallop").reset()


def test_the_package_needs_only_numpy_and_gymnasium():
    program = """import sys, numpy, gymnasium
known = set(sys.modules)
import gym2600
print(*{name.split(".")[0] for name in set(sys.modules) - known})"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    others = set(done.stdout.split()) - set(sys.stdlib_module_names) - {"gym2600"}
    assert not {name for name in others if not name.startswith(("gymnasium", "numpy", "_"))}


@pytest.mark.long
def test_the_licences_of_others_are_in_the_wheel():
    files = {file.name: file.read_text() for file in metadata.files("gym2600") if "licenses" in file.parts}
    assert sorted(files) == ["LICENSE-APACHE", "LICENSE-MIT", "THIRD-PARTY-NOTICES"]
    for name in ("The Rust standard library", "cranelift-codegen", "pyo3", "rayon"):
        assert name in files["THIRD-PARTY-NOTICES"], name


WARNING_TESTS = """
import warnings
import pytest
import torch_of_others

@pytest.mark.parametrize("category", [UserWarning, DeprecationWarning, FutureWarning, ResourceWarning])
def test_ours(category):
    with pytest.raises(category):
        warnings.warn("about this file", category)
    with pytest.raises(category):
        torch_of_others.warn(category, stacklevel=2)

def test_theirs():
    torch_of_others.warn(DeprecationWarning, stacklevel=1)
"""


def test_warnings_are_errors_in_the_heavy_tests_too(tmp_path):
    """Those tests need gigabytes of packages, so their filters are tried here with a library of a few lines."""
    heavy = Path(__file__).parents[1] / "heavy"
    (tmp_path / "conftest.py").write_text((heavy / "conftest.py").read_text())
    theirs = "import warnings\n\ndef warn(category, stacklevel):\n    warnings.warn('a warning', category, stacklevel)\n"
    (tmp_path / "torch_of_others.py").write_text(theirs)
    (tmp_path / "test_warnings.py").write_text(WARNING_TESTS)
    command = [sys.executable, "-m", "pytest", "--quiet", "-p", "no:cacheprovider", tmp_path]
    done = subprocess.run(command, cwd=tmp_path, stdout=subprocess.PIPE, text=True)
    assert done.returncode == 0, done.stdout
    assert "5 passed, 1 warning" in done.stdout


#: Documents whose examples need no more than the tests' packages. Examples with a word of `HEAVY` run in tests/heavy.
DOCUMENTS = [
    "python/README.md",
    "docs/concepts.md",
    "docs/own-game.md",
    "docs/recipes.md",
    "docs/start.md",
    "docs/wrappers.md",
    "docs/python/ale.md",
    "docs/python/batches.md",
    "docs/python/gymnasium.md",
    "docs/python/index.md",
]
HEAVY = ["stable_baselines3"]


@pytest.mark.parametrize(
    "code",
    [code for document in DOCUMENTS for code in examples(document) if not any(word in code for word in HEAVY)],
)
def test_the_examples_of_the_documents_run(code, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run(code)


def test_what_ale_py_and_envpool_export_is_here():
    """Settings of other simulators, and what only EnvPool's own code takes, are not."""
    assert set(ale_py.__all__) <= set(gym2600.__all__)
    assert {"list_all_envs", "make", "make_gymnasium", "make_spec", "register_v5_envs"} <= set(gym2600.__all__)
    assert "Breakout-v5" in gym2600.list_all_envs()
    spec = gym2600.make_spec("Breakout-v5", num_envs=2)
    envs = gym2600.make_gymnasium("Breakout-v5", num_envs=2)
    assert (spec.config, spec.observation_space, spec.action_space) == (envs.config, envs.observation_space, envs.action_space)
    assert gym2600.AtariEnvStepMetadata.__optional_keys__ == {"labels", "seeds"}
    assert isinstance(gym2600.AtariVectorEnv("wallop").ale, gym2600.ALEVectorInterface)
