"""PPO in the way of CleanRL's `ppo_atari.py`: one loop, one thread, float32. Three lines, marked with "gym2600", differ from such a loop for ale-py's batch.

    python ppo_cleanrl.py --game pong
    python ppo_cleanrl.py --game wallop --num-envs 4 --num-steps 16 --total-steps 1000 --device cpu

With `pip install gym2600 torch tensorboard`. The loop copies each observation to the card, waits for each decision, and plays no game while it learns:
`ppo_gpu.py` is the same algorithm without these waits.
"""

from __future__ import annotations

import argparse
import time

import gym2600  # gym2600: instead of ale_py
import numpy as np
import torch
from torch import nn
from torch.distributions import Categorical
from torch.utils.tensorboard import SummaryWriter


def arguments() -> argparse.Namespace:
    """The settings, of which most have CleanRL's defaults."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, value in {
        "game": "pong",
        "seed": 1,
        "device": "cuda" if torch.cuda.is_available() else "cpu",
        "run": "runs/ppo_cleanrl",
        "total-steps": 10_000_000,
        "num-envs": 8,
        "num-steps": 128,
        "minibatches": 4,
        "epochs": 4,
        "learning-rate": 2.5e-4,
        "gamma": 0.99,
        "gae-lambda": 0.95,
        "clip": 0.1,
        "entropy": 0.01,
        "value": 0.5,
    }.items():
        parser.add_argument(f"--{name}", type=type(value), default=value)
    return parser.parse_args()


def orthogonal(layer: nn.Module, gain: float = 2**0.5) -> nn.Module:
    """A layer with orthogonal weights and biases of zero."""
    nn.init.orthogonal_(layer.weight, gain)
    nn.init.zeros_(layer.bias)
    return layer


class Agent(nn.Module):
    """The net of the Nature paper."""

    def __init__(self, actions: int) -> None:
        super().__init__()
        convolutions = (orthogonal(nn.Conv2d(*shape)) for shape in ((4, 32, 8, 4), (32, 64, 4, 2), (64, 64, 3, 1)))
        layers = [part for layer in convolutions for part in (layer, nn.ReLU())]
        self.network = nn.Sequential(*layers, nn.Flatten(), orthogonal(nn.Linear(3136, 512)), nn.ReLU())
        self.actor = orthogonal(nn.Linear(512, actions), 0.01)
        self.critic = orthogonal(nn.Linear(512, 1), 1)

    def forward(self, observations: torch.Tensor) -> tuple[Categorical, torch.Tensor]:
        """The policy and the values of observations of 0 to 255."""
        hidden = self.network(observations / 255.0)
        return Categorical(logits=self.actor(hidden)), self.critic(hidden)[:, 0]


def advantages_of(args, rewards, values, ends, last):
    """Generalised advantage estimates."""
    advantages, following = torch.zeros_like(rewards), 0.0
    for step in reversed(range(args.num_steps)):
        value = last if step == args.num_steps - 1 else values[step + 1]
        delta = rewards[step] + args.gamma * value * (1 - ends[step]) - values[step]
        advantages[step] = following = delta + args.gamma * args.gae_lambda * (1 - ends[step]) * following
    return advantages


def learn(args, agent, optimizer, batch) -> torch.Tensor:
    """Optimises on a rollout, and gives the last loss."""
    for _ in range(args.epochs):
        for part in torch.randperm(len(batch[0])).chunk(args.minibatches):
            observations, actions, old_logs, advantages, returns = (value[part] for value in batch)
            policy, values = agent(observations)
            ratio = (policy.log_prob(actions) - old_logs).exp()
            advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
            gain = torch.min(advantages * ratio, advantages * ratio.clamp(1 - args.clip, 1 + args.clip)).mean()
            value_loss = 0.5 * (values - returns).square().mean()
            loss = args.value * value_loss - gain - args.entropy * policy.entropy().mean()
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
            optimizer.step()
    return loss.detach()


def main() -> None:
    """Trains."""
    args = arguments()
    torch.manual_seed(args.seed)
    envs = gym2600.AtariVectorEnv(args.game, args.num_envs, autoreset_mode="SameStep", sparse_final_obs=True)  # gym2600: the batch
    agent = Agent(int(envs.single_action_space.n)).to(args.device)
    optimizer = torch.optim.Adam(agent.parameters(), lr=args.learning_rate, eps=1e-5)
    writer = SummaryWriter(args.run)
    shape = (args.num_steps, args.num_envs)
    observations = torch.zeros((*shape, 4, 84, 84), device=args.device)
    actions = torch.zeros(shape, dtype=torch.int64, device=args.device)
    logs, values, rewards, ends = (torch.zeros(shape, device=args.device) for _ in range(4))
    slot = torch.zeros((args.num_envs, 4, 84, 84), dtype=torch.uint8, pin_memory=args.device != "cpu")
    slot.copy_(torch.from_numpy(envs.reset(seed=args.seed)[0]))
    returns, steps, start = np.zeros(args.num_envs), 0, time.monotonic()
    while steps < args.total_steps:
        optimizer.param_groups[0]["lr"] = args.learning_rate * (1 - steps / args.total_steps)
        for step in range(args.num_steps):
            observations[step] = slot.to(args.device, non_blocking=True)
            with torch.no_grad():
                policy, values[step] = agent(observations[step])
                actions[step] = policy.sample()
                logs[step] = policy.log_prob(actions[step])
            decided = actions[step].cpu().numpy()
            _, reward, terminated, truncated, _ = envs.step(decided, out=slot)  # gym2600: pictures land in the slot
            rewards[step] = torch.as_tensor(reward, dtype=torch.float32)
            ended = terminated | truncated
            ends[step] = torch.as_tensor(ended, dtype=torch.float32)
            steps, returns = steps + args.num_envs, returns + reward
            for lane in np.flatnonzero(ended):
                writer.add_scalar("charts/clipped_return", returns[lane], steps)
            returns[ended] = 0
        with torch.no_grad():
            last = agent(slot.to(args.device).float())[1]
            advantages = advantages_of(args, rewards, values, ends, last)
        played = (observations, actions, logs, advantages, advantages + values)
        loss = learn(args, agent, optimizer, [value.flatten(0, 1) for value in played])
        writer.add_scalar("losses/loss", loss.item(), steps)
        writer.add_scalar("charts/SPS", steps / (time.monotonic() - start), steps)
        print(f"{steps:,} steps, {steps / (time.monotonic() - start):,.0f} a second", flush=True)
    envs.close()
    writer.close()


if __name__ == "__main__":
    main()
