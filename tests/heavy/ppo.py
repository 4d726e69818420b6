"""PPO in the shape and with the settings of CleanRL's `ppo_atari.py`."""

from __future__ import annotations

import gymnasium as gym
import numpy as np
import torch
from agents import Agent
from torch.distributions import Categorical

NUM_ENVS = 8
STEPS = 128
MINIBATCHES = 4
EPOCHS = 4
LEARNING_RATE = 2.5e-4
GAMMA, LAMBDA, CLIP, ENTROPY, VALUE = 0.99, 0.95, 0.1, 0.01, 0.5


def advantages_of(rewards, values, dones, last_value, last_done):
    """Generalised advantage estimates."""
    advantages, following = torch.zeros_like(rewards), 0.0
    for step in reversed(range(len(rewards))):
        done, value = (last_done, last_value) if step == len(rewards) - 1 else (dones[step + 1], values[step + 1])
        delta = rewards[step] + GAMMA * value * (1 - done) - values[step]
        advantages[step] = following = delta + GAMMA * LAMBDA * (1 - done) * following
    return advantages


def value_loss(values, old_values, returns):
    """Half the squared error, or that of the value within the clip range of the old one, whichever is larger."""
    clipped = old_values + (values - old_values).clamp(-CLIP, CLIP)
    return 0.5 * torch.max((values - returns) ** 2, (clipped - returns) ** 2).mean()


class Run:
    """A run of PPO in a batch of environments."""

    def __init__(self, envs: gym.vector.VectorEnv, seed: int) -> None:
        torch.manual_seed(seed)
        self.envs = envs
        self.agent = Agent("nature", int(envs.single_action_space.n))
        self.optimizer = torch.optim.Adam(self.agent.parameters(), lr=LEARNING_RATE, eps=1e-5)
        self.observation, _ = envs.reset(seed=seed)
        self.done = torch.zeros(envs.num_envs)
        self.steps = 0
        self.reward = 0.0
        # The scores of whole games, where the environments report them.
        self.scores: list[float] = []

    def play(self):
        """Plays the steps of an update: observations, actions, logs of their probabilities, values, rewards, ends."""
        observations, actions, logs, values, rewards, dones = [], [], [], [], [], []
        for _ in range(STEPS):
            observations.append(torch.as_tensor(np.array(self.observation), dtype=torch.float32))
            dones.append(self.done)
            with torch.no_grad():
                logits, value = self.agent(observations[-1])
                policy = Categorical(logits=logits)
                actions.append(policy.sample())
                logs.append(policy.log_prob(actions[-1]))
            values.append(value[:, 0])
            self.observation, reward, terminated, truncated, infos = self.envs.step(actions[-1].numpy())
            if "episode" in infos:
                self.scores += infos["episode"]["r"][infos["_episode"]].tolist()
            rewards.append(torch.as_tensor(np.sign(reward), dtype=torch.float32))
            self.done = torch.as_tensor(terminated | truncated, dtype=torch.float32)
        self.steps += STEPS * len(self.done)
        return [torch.stack(values) for values in (observations, actions, logs, values, rewards, dones)]

    def update(self) -> None:
        """Plays, and optimises on what was played."""
        observations, actions, logs, values, rewards, dones = self.play()
        self.reward += float(rewards.sum())
        with torch.no_grad():
            last = self.agent(torch.as_tensor(np.array(self.observation), dtype=torch.float32))[1][:, 0]
        advantages = advantages_of(rewards, values, dones, last, self.done)
        steps = (observations, actions, logs, values, advantages, advantages + values)
        batch = [value.flatten(0, 1) for value in steps]
        for _ in range(EPOCHS):
            for part in torch.randperm(len(batch[0])).chunk(MINIBATCHES):
                self.optimise(*(value[part] for value in batch))

    def optimise(self, observations, actions, logs, old_values, advantages, returns) -> None:
        """A step of Adam on a minibatch."""
        logits, values = self.agent(observations)
        policy = Categorical(logits=logits)
        ratio = (policy.log_prob(actions) - logs).exp()
        advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
        gain = torch.min(advantages * ratio, advantages * ratio.clamp(1 - CLIP, 1 + CLIP)).mean()
        loss = -gain - ENTROPY * policy.entropy().mean() + VALUE * value_loss(values[:, 0], old_values, returns)
        self.optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.agent.parameters(), 0.5)
        self.optimizer.step()


def train(env_id: str, seed: int, updates: int = 4) -> tuple[dict[str, torch.Tensor], float]:
    """The parameters after some updates, and the sum of all rewards."""
    envs = gym.make_vec(env_id, num_envs=NUM_ENVS, vectorization_mode="vector_entry_point")
    run = Run(envs, seed)
    for _ in range(updates):
        run.update()
    envs.close()
    return run.agent.state_dict(), run.reward
