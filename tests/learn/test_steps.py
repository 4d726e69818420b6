"""Losses, gradients, ten steps of the optimizers and the exported policy, against JAX and onnxruntime."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import jax
import numpy as np
import onnxruntime
import pytest
from safetensors import safe_open
from safetensors.numpy import load_file

import reference

STEPS = os.environ.get("GYM2600_STEPS", "")
RUNS = [
    ("ppo", "tiny", []),
    ("ppo", "tiny", ["clip_value=true", "clip=0.01", "normalize=false"]),
    ("ppo", "nature", ["optimizer=rmsprop"]),
    ("a2c", "tiny", []),
    ("a2c", "a3c", ["optimizer=adam"]),
]


@pytest.fixture(scope="module", autouse=True)
def double_precision():
    """Double precision in the reference: it is the exact result that ours is compared with."""
    jax.config.update("jax_enable_x64", True)
    yield
    jax.config.update("jax_enable_x64", False)


@pytest.fixture(scope="module", params=RUNS, ids=lambda run: "-".join([run[0], run[1], *run[2]]))
def run(request, tmp_path_factory) -> tuple[Path, str, dict]:
    """The files of the example `steps`."""
    algorithm, net, settings = request.param
    folder = tmp_path_factory.mktemp("steps")
    minibatches = [] if algorithm == "a2c" else ["minibatches=4"]
    subprocess.run([STEPS, algorithm, net, folder, *minibatches, *settings], check=True)
    return folder, net, json.loads((folder / "run.json").read_text())


def doubles(path: Path) -> dict:
    return {name: value.astype(np.float64) for name, value in load_file(path).items()}


def batch(folder: Path, number: int, meta: dict) -> dict:
    height, width, frames = meta["input"]
    batch = doubles(folder / f"batch.{number}.safetensors")
    batch["observations"] = batch["observations"].reshape(-1, frames, height, width)
    return batch


def worst(ours: dict, theirs: dict) -> float:
    """The greatest distance of a tensor, relative to its norm."""
    assert set(ours) == set(theirs)
    return max(
        float(np.linalg.norm(ours[name] - np.asarray(theirs[name])) / np.linalg.norm(theirs[name])) for name in ours
    )


def test_the_gradient_is_that_of_jax(run):
    folder, net, meta = run
    hyper, strides = meta["config"]["hyperParameters"], reference.STRIDES[net]
    weights = doubles(folder / "before.safetensors")
    arguments = batch(folder, 0, meta), meta["config"]["algorithm"], hyper, strides
    gradient = jax.grad(reference.losses, has_aux=True)(weights, *arguments)[0]
    assert worst(doubles(folder / "gradient.safetensors"), gradient) < 1e-4


def test_ten_steps_have_the_losses_and_weights_of_jax(run):
    folder, net, meta = run
    hyper, strides = meta["config"]["hyperParameters"], reference.STRIDES[net]
    algorithm = meta["config"]["algorithm"]
    before = doubles(folder / "before.safetensors")
    weights, state = before, {}
    optimizer = {"adam": reference.adam, "rmsprop": reference.rmsprop}[hyper["optimizer"]]
    differentiate = jax.value_and_grad(reference.losses, has_aux=True)
    for number in range(10):
        (_, parts), gradient = differentiate(weights, batch(folder, number, meta), algorithm, hyper, strides)
        np.testing.assert_allclose(meta["losses"][number], np.array(parts), rtol=1e-4, atol=1e-6)
        gradient = reference.clip_norm(gradient, hyper["gradient_norm"])
        weights = optimizer(weights, gradient, state, number + 1, hyper["learning_rate"], hyper["epsilon"])
    after = doubles(folder / "after.safetensors")
    assert worst(after, weights) < 1e-4
    moved = {name: after[name] - before[name] for name in after}
    assert worst(moved, {name: weights[name] - before[name] for name in weights}) < 1e-2


def test_the_exported_policy_gives_the_same_outputs_under_onnxruntime(run):
    folder, net, meta = run
    observations = batch(folder, 0, meta)["observations"]
    session = onnxruntime.InferenceSession(folder / "after.onnx", providers=["CPUExecutionProvider"])
    logits, value = session.run(["logits", "value"], {"observation": observations.astype(np.uint8)})
    expected = reference.outputs(doubles(folder / "after.safetensors"), observations, reference.STRIDES[net])
    np.testing.assert_allclose(logits, expected[0], atol=1e-4)
    np.testing.assert_allclose(value[:, 0], expected[1], atol=1e-4)


def test_the_onnx_file_has_the_metadata_of_the_weights(run):
    folder, _, _ = run
    session = onnxruntime.InferenceSession(folder / "after.onnx")
    with safe_open(folder / "after.safetensors", "numpy") as weights:
        expected = json.loads(weights.metadata()["gym2600"])
    del expected["crc32"]
    assert json.loads(session.get_modelmeta().custom_metadata_map["gym2600"]) == expected
