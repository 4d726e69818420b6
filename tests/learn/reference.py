"""CleanRL's nets and losses in JAX, on the names of its tensors.

References: `ppo_atari.py` of CleanRL for the net and for PPO's loss; OpenAI baselines' and Stable-Baselines3's A2C.
"""

from __future__ import annotations

import jax
import jax.numpy as jnp

STRIDES = {"tiny": [4, 2], "a3c": [4, 2], "nature": [4, 2, 1]}


def outputs(weights: dict, observations: jax.Array, strides: list[int]) -> tuple[jax.Array, jax.Array]:
    """Logits and values of observations: batch x frames x height x width, 0 to 255."""
    x = observations / 255.0
    for number, stride in enumerate(strides):
        name = f"network.{2 * number}"
        x = jax.lax.conv_general_dilated(
            x, weights[f"{name}.weight"], (stride, stride), "VALID", dimension_numbers=("NCHW", "OIHW", "NCHW")
        )
        x = jax.nn.relu(x + weights[f"{name}.bias"][:, None, None])
    x = x.reshape(len(x), -1)
    for name in [f"network.{2 * len(strides) + 1}"]:
        x = jax.nn.relu(x @ weights[f"{name}.weight"].T + weights[f"{name}.bias"])
    logits = x @ weights["actor.weight"].T + weights["actor.bias"]
    value = x @ weights["critic.weight"].T + weights["critic.bias"]
    return logits, value[:, 0]


def losses(weights: dict, batch: dict, algorithm: str, hyper: dict, strides: list[int]) -> tuple[jax.Array, dict]:
    """The loss of a minibatch and its parts."""
    logits, value = outputs(weights, batch["observations"], strides)
    logs = jax.nn.log_softmax(logits)
    log = jnp.take_along_axis(logs, batch["actions"][:, None].astype(int), 1)[:, 0]
    entropy = -(jnp.exp(logs) * logs).sum(1).mean()
    advantages = batch["advantages"]
    returns = advantages + batch["values"]
    if hyper["normalize"]:
        advantages = (advantages - advantages.mean()) / (advantages.std(ddof=1) + 1e-8)
    log_ratio = log - batch["log_probabilities"]
    ratio = jnp.exp(log_ratio)
    clip = hyper["clip"]
    if algorithm == "ppo":
        policy = jnp.maximum(-advantages * ratio, -advantages * jnp.clip(ratio, 1 - clip, 1 + clip)).mean()
        error = (value - returns) ** 2
        if hyper["clip_value"]:
            bounded = batch["values"] + jnp.clip(value - batch["values"], -clip, clip)
            error = jnp.maximum(error, (bounded - returns) ** 2)
        value_loss = 0.5 * error.mean()
        clipped = (jnp.abs(ratio - 1) > clip).mean()
    else:
        policy = -(advantages * log).mean()
        value_loss = ((value - returns) ** 2).mean()
        clipped = 0.0
    parts = [policy, value_loss, entropy, ((ratio - 1) - log_ratio).mean(), clipped]
    return policy + hyper["value"] * value_loss - hyper["entropy"] * entropy, parts


def clip_norm(gradient: dict, bound: float) -> dict:
    """PyTorch's `clip_grad_norm_`."""
    norm = jnp.sqrt(sum((value**2).sum() for value in gradient.values()))
    scale = jnp.minimum(bound / (norm + 1e-6), 1.0)
    return {name: value * scale for name, value in gradient.items()}


def adam(weights: dict, gradient: dict, state: dict, step: int, rate: float, epsilon: float) -> dict:
    """PyTorch's Adam; `state` is changed."""
    after = {}
    for name, value in gradient.items():
        first, second = state.get(name, (0.0, 0.0))
        first, second = 0.9 * first + 0.1 * value, 0.999 * second + 0.001 * value**2
        state[name] = first, second
        bias = 1 - 0.9**step, 1 - 0.999**step
        after[name] = weights[name] - rate / bias[0] * first / (jnp.sqrt(second) / bias[1] ** 0.5 + epsilon)
    return after


def rmsprop(weights: dict, gradient: dict, state: dict, step: int, rate: float, epsilon: float) -> dict:
    """PyTorch's RMSprop with alpha 0.99; `state` is changed."""
    after = {}
    for name, value in gradient.items():
        state[name] = 0.99 * state.get(name, 0.0) + 0.01 * value**2
        after[name] = weights[name] - rate * value / (jnp.sqrt(state[name]) + epsilon)
    return after
