"""The search in RAM, and the definition of a game that it leads to."""

from __future__ import annotations

import tomllib

import gym2600
import numpy as np
import pytest
from conformance.roms import path_of


def ram(**cells):
    """RAM with some bytes, by their addresses: `x85=0x20`."""
    memory = np.zeros(128, np.uint8)
    for name, byte in cells.items():
        memory[int(name[1:], 16) - 0x80] = byte
    return memory


def test_the_score_of_a_game_is_found_with_at_most_six_looks():
    ale = gym2600.ALEInterface()
    ale.setFloat("repeat_action_probability", 0.0)
    ale.loadROM(path_of("seaquest"))
    search, random, actions = gym2600.RamSearch(), np.random.default_rng(1), ale.getMinimalActionSet()
    score = seen = 0
    for frame in range(1, 20_000):
        if frame % 8 == 1:
            action = actions[random.integers(len(actions))]
        score += ale.act(action)
        if ale.game_over():
            ale.reset_game()
            score = seen = 0
        if frame % 400 == 0 and score > seen:
            search.look(ale.getRAM(), number=score)
            seen = score
            if search.size == 1 or search.looks == 6:
                break
    found = search.candidates(1, ram=ale.getRAM())
    assert found == [gym2600.Candidate("bcd(0xBA, 0xB9, 0xB8)", score)]


def test_comparisons_states_and_digits_are_looks():
    place = gym2600.RamSearch()
    place.mark(ram(x90=7, x91=7))
    place.look(ram(x90=8, x91=6), "larger")
    place.look(ram(x90=8, x91=6), "unchanged")
    place.look(ram(x90=3, x91=6), "smaller")
    place.look(ram(x90=9, x91=6), "changed")
    assert [found.expression for found in place.candidates()] == ["ram[0x90]"]
    assert place.undo() and place.looks == 4
    over = gym2600.RamSearch()
    over.look(ram(xC7=1, xC8=4), state=False)
    over.look(ram(xC7=2, xC8=4), state=True)
    assert over.candidates(ram=ram(xC7=2))[0] == ("ram[0xC7] == 2", 1)
    digits = gym2600.RamSearch()
    digits.look(ram(x85=0x20, x84=0x01), number="0120")
    assert digits.candidates(1) == [("bcd(0x85, 0x84)", None)]


@pytest.mark.parametrize(
    ("error", "arguments", "named"),
    [
        (TypeError, {}, "one of them is given"),
        (TypeError, {"number": 1, "state": True}, "one of them is given"),
        (TypeError, {"number": True}, "number is True"),
        (TypeError, {"state": 1}, "state is 1"),
        (ValueError, {"number": -1}, "number is -1"),
        (ValueError, {"number": "1e3"}, "number is '1e3'"),
        (ValueError, {"number": 10**8}, "number is 100000000"),
        (ValueError, {"change": "grown"}, "change is 'grown'"),
        (ValueError, {"change": "changed"}, "no earlier look"),
        (ValueError, {"ram": np.zeros(127, np.uint8), "number": 1}, r"ram has the shape \(127,\)"),
        (TypeError, {"ram": np.zeros(128), "number": 1}, "ram has the type float64"),
    ],
)
def test_what_cannot_be_seen_is_refused_and_changes_nothing(error, arguments, named):
    search = gym2600.RamSearch()
    with pytest.raises(error, match=named):
        search.look(**{"ram": ram()} | arguments)
    assert search.looks == 0 and not search.undo()


def test_the_definition_of_what_was_found_runs_also_from_its_text():
    found = {"score": "bcd(0x85, 0x84, 0x83)", "lives": "ram[0x82]", "cells": {"bat": "ram[0x8A]"}}
    definition = gym2600.define_game("wallop", "mine", title="My game", **found)
    assert definition["actions"]["minimal"][:4] == ["NOOP", "FIRE", "RIGHT", "LEFT"]
    text = gym2600.write_definition(definition)
    assert tomllib.loads(text) == definition
    envs = gym2600.VectorEnv("wallop", 1, definition=tomllib.loads(text), wrappers=[], observation="ram", labels=True)
    envs.reset(seed=1)
    points = 0
    for step in range(600):
        memory, rewards, terminations, _, infos = envs.step(np.array([1 + step // 8 % 3]))
        points += rewards[0]
        assert infos["labels"]["bat"] == memory[0][0x0A]
        if terminations[0]:
            break
    assert infos["labels"]["score"] == points > 0
    envs.close()


def test_a_mistake_in_what_was_found_is_refused_with_its_place():
    with pytest.raises(gym2600.RefusedError, match="frame") as caught:
        gym2600.define_game("wallop", "mine", score="bcd(")
    assert caught.value.code == "bad-game"
    with pytest.raises(gym2600.RefusedError, match="variable over of their own"):
        gym2600.define_game("wallop", "mine", cells={"over": "ram[0x80]"})
    with pytest.raises(gym2600.RefusedError, match="rum"):
        gym2600.write_definition({"rum": "mine"})
