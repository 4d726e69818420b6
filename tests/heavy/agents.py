"""An agent in the shape of CleanRL's `ppo_atari.py`: the same modules under the same names, for each of our nets."""

from __future__ import annotations

import numpy as np
import torch
from torch import nn

CONVOLUTIONS = {
    "tiny": [(8, 8, 4), (16, 4, 2)],
    "a3c": [(16, 8, 4), (32, 4, 2)],
    "nature": [(32, 8, 4), (64, 4, 2), (64, 3, 1)],
}
HIDDEN = {"tiny": 128, "a3c": 256, "nature": 512}


def orthogonal(layer: nn.Module, gain: float = 2**0.5) -> nn.Module:
    """A layer with orthogonal weights and no bias, as CleanRL initialises it."""
    nn.init.orthogonal_(layer.weight, gain)
    nn.init.zeros_(layer.bias)
    return layer


class Agent(nn.Module):
    """Actor and critic on common convolutions."""

    def __init__(self, net: str, actions: int, frames: int = 4, size: int = 84):
        super().__init__()
        layers, channels = [], frames
        for filters, kernel, stride in CONVOLUTIONS[net]:
            layers += [orthogonal(nn.Conv2d(channels, filters, kernel, stride)), nn.ReLU()]
            channels, size = filters, (size - kernel) // stride + 1
        layers += [nn.Flatten(), orthogonal(nn.Linear(channels * size * size, HIDDEN[net])), nn.ReLU()]
        self.network = nn.Sequential(*layers)
        self.actor = orthogonal(nn.Linear(HIDDEN[net], actions), 0.01)
        self.critic = orthogonal(nn.Linear(HIDDEN[net], 1), 1)

    def forward(self, observations: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Logits and values of observations of 0 to 255."""
        hidden = self.network(observations / 255.0)
        return self.actor(hidden), self.critic(hidden)


def train_briefly(agent: Agent, env, seed: int, steps: int = 256, epochs: int = 4) -> torch.Tensor:
    """Plays a little and follows the policy gradient, so that the weights are no longer the first ones. Gives the observations."""
    observations, actions, rewards = [], [], []
    observation, _ = env.reset(seed=seed)
    for _ in range(steps):
        observations.append(np.asarray(observation))
        with torch.no_grad():
            logits, _ = agent(torch.as_tensor(observations[-1][None], dtype=torch.float32))
        actions.append(int(torch.distributions.Categorical(logits=logits).sample()))
        observation, reward, terminated, truncated, _ = env.step(actions[-1])
        # Most games give no reward so soon: a random one makes a gradient.
        rewards.append(float(np.sign(reward)) + float(torch.randn(())))
        if terminated or truncated:
            observation, _ = env.reset()
    batch = torch.as_tensor(np.array(observations), dtype=torch.float32)
    chosen, returns = torch.tensor(actions), torch.tensor(rewards)
    optimizer = torch.optim.Adam(agent.parameters(), lr=1e-3, eps=1e-5)
    for _ in range(epochs):
        logits, values = agent(batch)
        logs = torch.distributions.Categorical(logits=logits).log_prob(chosen)
        loss = -(logs * (returns - values.detach()[:, 0])).mean() + 0.5 * ((values[:, 0] - returns) ** 2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return batch


def balance(outputs, actor: nn.Linear, observations: torch.Tensor) -> None:
    """Makes every action equally attractive on average, so that the greedy one changes with the observation."""
    with torch.no_grad():
        actor.bias -= outputs(observations.float())[0].mean(0)
