"""PPO in the shape of CleanRL's `ppo_atari.py` on a batch of Gymnasium's `make_vec`."""

from __future__ import annotations

import gymnasium as gym
import numpy as np
import torch
from agents import Agent
from torch.distributions import Categorical

STEPS = 128
MINIBATCHES = 4
EPOCHS = 2
GAMMA, LAMBDA, CLIP, ENTROPY, VALUE = 0.99, 0.95, 0.1, 0.01, 0.5


def advantages_of(rewards, values, dones, last_value, last_done):
    """Generalised advantage estimates."""
    advantages, following = torch.zeros_like(rewards), 0.0
    for step in reversed(range(len(rewards))):
        done, value = (last_done, last_value) if step == len(rewards) - 1 else (dones[step + 1], values[step + 1])
        delta = rewards[step] + GAMMA * value * (1 - done) - values[step]
        advantages[step] = following = delta + GAMMA * LAMBDA * (1 - done) * following
    return advantages


def update(agent, optimizer, batch) -> None:
    """Optimises on the minibatches of a batch: observations, actions, logs of their probabilities, advantages, returns."""
    for _ in range(EPOCHS):
        for part in torch.randperm(len(batch[0])).chunk(MINIBATCHES):
            observations, actions, logs, advantages, returns = (values[part] for values in batch)
            logits, values = agent(observations)
            policy = Categorical(logits=logits)
            ratio = (policy.log_prob(actions) - logs).exp()
            advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
            gain = torch.min(advantages * ratio, advantages * ratio.clamp(1 - CLIP, 1 + CLIP)).mean()
            error = 0.5 * ((values[:, 0] - returns) ** 2).mean()
            loss = -gain - ENTROPY * policy.entropy().mean() + VALUE * error
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
            optimizer.step()


def train(env_id: str, seed: int, updates: int = 4, num_envs: int = 8) -> tuple[dict[str, torch.Tensor], float]:
    """The parameters after some updates, and the sum of all rewards."""
    torch.manual_seed(seed)
    envs = gym.make_vec(env_id, num_envs=num_envs, vectorization_mode="vector_entry_point")
    agent = Agent("nature", int(envs.single_action_space.n))
    optimizer = torch.optim.Adam(agent.parameters(), lr=2.5e-4, eps=1e-5)
    observation, _ = envs.reset(seed=seed)
    done, total = torch.zeros(num_envs), 0.0
    for _ in range(updates):
        observations, actions, logs, rewards, dones, values = [], [], [], [], [], []
        for _ in range(STEPS):
            observations.append(torch.as_tensor(np.array(observation), dtype=torch.float32))
            dones.append(done)
            with torch.no_grad():
                logits, value = agent(observations[-1])
                policy = Categorical(logits=logits)
                actions.append(policy.sample())
                logs.append(policy.log_prob(actions[-1]))
            values.append(value[:, 0])
            observation, reward, terminated, truncated, _ = envs.step(actions[-1].numpy())
            rewards.append(torch.as_tensor(reward, dtype=torch.float32))
            total += float(np.sum(reward))
            done = torch.as_tensor(terminated | truncated, dtype=torch.float32)
        with torch.no_grad():
            last = agent(torch.as_tensor(np.array(observation), dtype=torch.float32))[1][:, 0]
        values = torch.stack(values)
        advantages = advantages_of(torch.stack(rewards), values, torch.stack(dones), last, done)
        batch = [torch.cat(observations), torch.cat(actions), torch.cat(logs), advantages.flatten()]
        update(agent, optimizer, [*batch, (advantages + values).flatten()])
    envs.close()
    return agent.state_dict(), total
