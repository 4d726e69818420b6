"""The examples in a Markdown file. As a program: runs the commands and then the Python code of the file that is its argument."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def examples(file: str, language: str = "python") -> list[str]:
    """The code of a file of the repository in a language, block by block."""
    return re.findall(rf"^```{language}\n(.*?)^```$", (ROOT / file).read_text("utf-8"), re.MULTILINE | re.DOTALL)


def example(file: str, words: str) -> str:
    """The only block that has some words."""
    (code,) = [code for code in examples(file) if words in code]
    return code


def run(code: str) -> None:
    """Runs an example in a process of its own. A warning is an error."""
    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True)


if __name__ == "__main__":
    for commands in examples(sys.argv[1], "sh"):
        subprocess.run(["sh", "-e", "-c", commands], check=True)
    for number, code in enumerate(examples(sys.argv[1])):
        print(f"{sys.argv[1]}, example {number + 1}", flush=True)
        run(code)
