"""Writes docs/python/reference.md: every public class, function and argument of the Python package, from its docstrings and stubs.

griffe2md reads them without an import, so the package need not be built. What it gives in Markdown gets the package's public names, anchors,
and links to these alone. `scripts/setup docs` installs it.

    scripts/lib/python-reference.py OUT
"""

import re
import sys
from pathlib import Path

import griffe
from griffe2md import render_object_docs

PACKAGE = Path(__file__).resolve().parents[2] / "python"

#: The chapters, with the public names of each. Those that have none are in a last one.
CHAPTERS = {
    "One environment": ["AtariEnv", "AtariEnvStepMetadata"],
    "Batches": ["VectorEnv", "TorchStack", "GameState", "AtariVectorEnv", "ALEVectorInterface"],
    "EnvPool's functions": ["make", "make_gymnasium", "make_spec", "list_all_envs", "pool.PoolEnv", "pool.PoolSpec"],
    "ALE's interface": ["ALEInterface", "ALEState", "Action", "LoggerMode", "SDL_SUPPORT"],
    "Policies": ["Policy", "Decision"],
    "Games of your own": ["RamSearch", "Candidate", "define_game", "write_definition"],
    "Ids": ["register_ale_ids", "register_v5_envs"],
    "ROMs": ["roms.Rom", "roms.load", "roms.find", "roms.get_rom_path", "roms.get_all_rom_ids", "roms.folders"],
    "Errors": ["RefusedError", "EnvironmentLostError"],
}

#: docs/wrappers.md has them, with the presets.
ELSEWHERE = {"wrappers"}

#: Classes whose members are listed, because their names say what they are.
LISTS = {"Action", "LoggerMode", "AtariEnvStepMetadata"}

HEAD = """# Python reference

Written from the docstrings and types of the package. `import gym2600` has all of it. The package has types (`py.typed`), and `help(gym2600.VectorEnv)`
says the same. Arrays are NumPy's, in C order. Arguments of a wrong kind are a `TypeError`, values out of their range a `ValueError`.
[Wrappers and presets](../wrappers.md) has what `gym2600.wrappers` types: the dictionaries of `wrappers=[..]`.
"""

CONFIG = {
    "show_root_full_path": False,
    "show_root_members_full_path": False,
    "show_object_full_path": False,
    "show_signature_annotations": True,
    "show_bases": False,
    "summary": False,
    "members_order": "source",
    "inherited_members": False,
    "line_length": 100,
}

#: A link to a name, and the types that it is part of.
LINK = re.compile(r"\[([^][]+)\]\(#([^)]+)\)")
HEADING = re.compile(r"^(#+) `([^`]+)`$", re.MULTILINE)


def anchor(name: str) -> str:
    """The anchor of a public name. No heading of a text has one like it."""
    return f"py-{name.replace('.', '-').replace('_', '-')}".lower()


def rendered(module: griffe.Module, name: str, public: dict[str, str]) -> str:
    """The section of a public name."""
    found = module[name]
    item = found.final_target if found.is_alias else found
    config = {**CONFIG, "heading_level": 3, "show_if_no_docstring": False}
    text = render_object_docs(item, config)
    path: list[str] = []

    def heading(match: re.Match[str]) -> str:
        level, title = len(match[1]), match[2]
        path[level - 3 :] = [name if level == 3 else title]
        return f"{match[1]} `{path[-1]}` {{#{anchor('.'.join(path))}}}"

    text = HEADING.sub(heading, text)
    if name in LISTS:
        members = [member for member in item.all_members.values() if member.is_attribute and not member.has_docstring and not member.name.startswith("_")]
        text += "\n".join(f"- `{member.name}{f': {member.annotation}' if member.annotation else f' = {member.value}'}`" for member in members)
        text += "\n"
    return LINK.sub(lambda link: f"[{link[1]}](#{anchor(public[link[2]])})" if link[2] in public else link[1], text)


def main(out: Path) -> None:
    loader = griffe.GriffeLoader(search_paths=[PACKAGE], docstring_parser=griffe.Parser.google, allow_inspection=False)
    module = loader.load("gym2600")
    loader.resolve_aliases()
    known = {name.partition(".")[0] for names in CHAPTERS.values() for name in names} | ELSEWHERE
    others = [name for name in module.exports or () if not name.startswith("_") and name not in known]
    chapters = CHAPTERS | ({"Others": others} if others else {})
    names = [name for names in chapters.values() for name in names]
    public = {module[name].canonical_path: name for name in names}
    parts = [HEAD]
    for chapter, members in chapters.items():
        parts.append(f"## {chapter}\n")
        parts += [rendered(module, name, public) for name in members]
    out.write_text("\n".join(parts))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
