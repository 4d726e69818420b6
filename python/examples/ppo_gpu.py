"""PPO that keeps one graphics card busy, in one file: copy it and change it.

    python ppo_gpu.py --game pong --until 18             # on a card
    python ppo_gpu.py --device cpu --num-envs 8 --num-steps 16 --minibatch 64 --total-steps 10000

With `pip install gym2600 torch safetensors tensorboard`. It writes a folder of TensorBoard's with `checkpoint.pt`, from which `--resume` goes on, and
`weights.safetensors`, which `gym2600 evaluate ROM --preset ale-vector` and the page play.

What makes it fast:
- Two batches of games play in two threads of Python. While one waits for its actions, the processors play the other.
- Games write their newest pictures into pinned memory (`out`), from where the card fetches them. The stacks of four are made on the card.
- The card learns from one rollout while the games play the next one, with the weights of the moment at which it began.
- The card gets each decision and each step of the optimiser as one CUDA graph, with the net in bfloat16.

What makes it reliable:
- The learning rate rises from zero over the first updates. A first large step can leave most hidden units dead, after which a run stays where it is: watch
  `charts/dead_units`, the share of hidden units that no observation of a minibatch makes positive.
- Advantages are normalised in each minibatch, and the norm of gradients is bounded.
- The output layers and Adam are float32, and a decision keeps the probability with which it was made.

The defaults are those of a trial of such a loop on 16 cores and one H200, which came to +18 in Pong after 20 s. Another trial with them stayed between +6
and +13, so try several seeds. This file has not been timed on a card.
"""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import queue
import threading
import time
from collections import deque
from pathlib import Path

import gym2600
import numpy as np
import torch
from safetensors.torch import save_file
from torch import nn
from torch.utils.tensorboard import SummaryWriter


@dataclasses.dataclass
class Settings:
    """The arguments of the program."""

    game: str = "pong"
    seed: int = 1
    device: str = "cuda" if torch.cuda.is_available() else "cpu"
    run: str = "runs/ppo_gpu"
    resume: str = ""
    total_steps: int = 5_000_000
    #: Ends the run when the last 100 games have this score on average.
    until: float = float("inf")
    num_envs: int = 256
    #: Batches of games, each with a thread of Python. With two, one plays while the other waits for its actions.
    batches: int = 2
    #: Steps of a rollout.
    num_steps: int = 32
    #: Threads of each batch; 0 for the processors divided by the batches.
    threads: int = 0
    epochs: int = 4
    minibatch: int = 1024
    learning_rate: float = 5e-4
    #: Updates in which the learning rate rises to its value. It falls to a tenth of it at the end.
    warm_up: int = 50
    gamma: float = 0.99
    gae_lambda: float = 0.95
    clip: float = 0.2
    entropy: float = 0.01
    value: float = 0.5
    max_norm: float = 0.5
    #: Seconds between two checkpoints.
    save_every: float = 60.0

    @classmethod
    def parse(cls) -> Settings:
        """The settings of the command line."""
        parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
        for field in dataclasses.fields(cls):
            kind = type(field.default)
            parser.add_argument("--" + field.name.replace("_", "-"), type=kind, default=field.default)
        settings = cls(**vars(parser.parse_args()))
        steps = settings.num_envs * settings.num_steps
        if settings.num_envs % settings.batches or steps % settings.minibatch:
            parser.error(f"batches divides num_envs, and minibatch divides num_envs * num_steps, {steps}")
        return settings


def orthogonal(layer: nn.Module, gain: float = 2**0.5) -> nn.Module:
    """A layer with orthogonal weights and biases of zero."""
    nn.init.orthogonal_(layer.weight, gain)
    nn.init.zeros_(layer.bias)
    return layer


class Agent(nn.Module):
    """The net of the Nature paper, with the names that CleanRL's files have."""

    def __init__(self, actions: int) -> None:
        super().__init__()
        self.network = nn.Sequential(
            orthogonal(nn.Conv2d(4, 32, 8, 4)),
            nn.ReLU(),
            orthogonal(nn.Conv2d(32, 64, 4, 2)),
            nn.ReLU(),
            orthogonal(nn.Conv2d(64, 64, 3, 1)),
            nn.ReLU(),
            nn.Flatten(),
            orthogonal(nn.Linear(3136, 512)),
            nn.ReLU(),
        )
        self.actor = orthogonal(nn.Linear(512, actions), 0.01)
        self.critic = orthogonal(nn.Linear(512, 1), 1)

    def forward(self, observations: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Logits, values and hidden units of observations of 0 to 255."""
        # The cache of casts would keep those of older weights in a graph.
        with torch.autocast("cuda", torch.bfloat16, enabled=observations.is_cuda, cache_enabled=False):
            hidden = self.network(observations / 255.0)
        hidden = hidden.float()
        return self.actor(hidden), self.critic(hidden)[:, 0], hidden


class Card:
    """Streams and graphs on a card. On a CPU everything runs at once."""

    def __init__(self, device: str) -> None:
        self.is_cuda = torch.device(device).type == "cuda"

    def stream(self) -> torch.cuda.Stream | None:
        """A queue of work."""
        return torch.cuda.Stream() if self.is_cuda else None

    def on(self, stream: torch.cuda.Stream | None) -> contextlib.AbstractContextManager:
        """Work goes to a stream."""
        return torch.cuda.stream(stream) if stream is not None else contextlib.nullcontext()

    def mark(self, stream: torch.cuda.Stream | None) -> torch.cuda.Event | None:
        """A point in a stream, for `wait`."""
        if stream is None:
            return None
        event = torch.cuda.Event()
        event.record(stream)
        return event

    def wait(self, stream: torch.cuda.Stream | None, event: torch.cuda.Event | None) -> None:
        """Later work of a stream waits for a point of another."""
        if stream is not None and event is not None:
            stream.wait_event(event)

    def graph(self, work, stream: torch.cuda.Stream | None):
        """A function that does `work` as one graph. It has been done three times before, to choose its kernels."""
        if stream is None:
            return work
        with torch.cuda.stream(stream):
            for _ in range(3):
                work()
        torch.cuda.synchronize()
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph, stream=stream):
            work()
        torch.cuda.synchronize()
        return graph.replay


class Rollout:
    """What was seen and done in a rollout, on the card, and the slots in which rewards and ends come from the processors."""

    def __init__(self, settings: Settings, card: Card) -> None:
        steps, count, device = settings.num_steps, settings.num_envs, settings.device
        self.observations = torch.zeros((steps, count, 4, 84, 84), dtype=torch.uint8, device=device)
        self.actions = torch.zeros((steps, count), dtype=torch.int64, device=device)
        self.logs = torch.zeros((steps, count), device=device)
        # One more: the value of what follows.
        self.values = torch.zeros((steps + 1, count), device=device)
        self.rewards = torch.zeros((steps, count), pin_memory=card.is_cuda)
        self.ends = torch.zeros((steps, count), pin_memory=card.is_cuda)


class Player:
    """A batch of games, and the thread that plays it."""

    def __init__(self, settings: Settings, number: int, agent: Agent, card: Card) -> None:
        self.settings, self.agent, self.card = settings, agent, card
        count = settings.num_envs // settings.batches
        self.place = slice(number * count, (number + 1) * count)
        self.envs = self.batch(count)
        self.slot = {
            "picture": torch.zeros((count, 84, 84), dtype=torch.uint8, pin_memory=card.is_cuda),
            "reset": torch.zeros(count, dtype=torch.uint8, pin_memory=card.is_cuda),
        }
        self.stream = card.stream()
        self.stacks = gym2600.TorchStack(self.envs, settings.device)
        self.seen = {key: value.to(settings.device) for key, value in self.slot.items()}
        self.noise = torch.ones((count, int(self.envs.single_action_space.n)), device=settings.device)
        self.generator = torch.Generator(settings.device).manual_seed(settings.seed * settings.batches + number)
        self.chosen = torch.zeros(count, dtype=torch.int64, pin_memory=card.is_cuda)
        self.scores: queue.SimpleQueue[tuple[float, int]] = queue.SimpleQueue()
        self.decide = card.graph(self._decide, self.stream)
        self.envs.reset(seed=settings.seed * settings.num_envs + number * count, out=self.slot)
        self.begin: queue.SimpleQueue = queue.SimpleQueue()
        self.done: queue.SimpleQueue = queue.SimpleQueue()
        self.thread = threading.Thread(target=self._run, daemon=True)

    def batch(self, count: int) -> gym2600.VectorEnv:
        """The games. They play in this process; ppo_ray.py has them in others."""
        threads = self.settings.threads or max(1, torch.get_num_threads() // self.settings.batches)
        return gym2600.VectorEnv(
            self.settings.game, count, preset="ale-vector", autoreset="SameStep", stacked=False, threads=threads
        )

    @torch.no_grad()
    def _decide(self) -> None:
        """Adds the newest pictures to the stacks, and chooses an action for each."""
        self.stacks.step(self.seen)
        logits, self.value, _ = self.agent(self.stacks.stack)
        # The greatest of logits with Gumbel's noise is a draw from their distribution.
        self.action = (logits - self.noise.log()).argmax(1)
        self.log = logits.log_softmax(1).gather(1, self.action[:, None])[:, 0]

    def _look(self) -> None:
        """Moves the slot to the card, and decides."""
        for key, value in self.slot.items():
            self.seen[key].copy_(value, non_blocking=True)
        self.noise.exponential_(generator=self.generator).clamp_(min=1e-20)
        self.decide()

    def _run(self) -> None:
        for rollout, weights in iter(self.begin.get, None):
            try:
                with self.card.on(self.stream):
                    self.card.wait(self.stream, weights)
                    self._play(rollout)
                    self.done.put(self.card.mark(self.stream))
            except Exception as error:  # noqa: BLE001 - the learner raises it
                self.done.put(error)

    def _play(self, rollout: Rollout) -> None:
        place = self.place
        rewards, ends = rollout.rewards.numpy(), rollout.ends.numpy()
        for step in range(self.settings.num_steps):
            self._look()
            rollout.observations[step, place].copy_(self.stacks.stack)
            for kept, value in ((rollout.actions, self.action), (rollout.logs, self.log), (rollout.values, self.value)):
                kept[step, place].copy_(value)
            self.chosen.copy_(self.action, non_blocking=True)
            if self.stream is not None:
                self.stream.synchronize()
            _, reward, terminated, truncated, infos = self.envs.step(self.chosen.numpy(), out=self.slot)
            rewards[step, place], ends[step, place] = reward, terminated | truncated
            if "episode" in infos:
                for lane in np.flatnonzero(infos["_episode"]):
                    self.scores.put((float(infos["episode"]["r"][lane]), int(infos["episode"]["l"][lane])))
        # The value of the state after the rollout. The first decision of the next one sees this state again, so its stack goes back.
        before = self.stacks.stack.clone()
        self._look()
        rollout.values[-1, place].copy_(self.value)
        self.stacks.stack.copy_(before)


class Learner:
    """The agent, its optimiser, and what learns from a rollout."""

    def __init__(self, settings: Settings, actions: int, card: Card) -> None:
        self.settings, self.card = settings, card
        torch.manual_seed(settings.seed)
        self.agent = Agent(actions).to(settings.device)
        # Players decide with weights of their own, which change between rollouts alone.
        self.player_agent = Agent(actions).to(settings.device)
        self.rate = torch.zeros((), device=settings.device)
        rate = self.rate if card.is_cuda else 0.0
        self.optimizer = torch.optim.Adam(self.agent.parameters(), lr=rate, eps=1e-5, capturable=card.is_cuda)
        self.stream = card.stream()
        size, device = settings.minibatch, settings.device
        self.part = [
            torch.zeros((size, 4, 84, 84), dtype=torch.uint8, device=device),
            torch.zeros(size, dtype=torch.int64, device=device),
            *(torch.zeros(size, device=device) for _ in range(3)),
        ]
        self.measures = torch.zeros(5, device=device)
        first = [value.clone() for value in self.agent.state_dict().values()]
        self.optimise = card.graph(self._optimise, self.stream)
        if card.is_cuda:
            self._forget(first)

    @torch.no_grad()
    def _forget(self, weights: list[torch.Tensor]) -> None:
        """Undoes the steps that the making of the graph took. The graph has the tensors, so these stay."""
        for kept, value in zip(self.agent.state_dict().values(), weights, strict=True):
            kept.copy_(value)
        for state in self.optimizer.state.values():
            for value in state.values():
                value.zero_()

    def _optimise(self) -> None:
        """A step of Adam on the minibatch in `part`."""
        settings, (observations, actions, old_logs, advantages, returns) = self.settings, self.part
        logits, values, hidden = self.agent(observations)
        logs = logits.log_softmax(1)
        change = logs.gather(1, actions[:, None])[:, 0] - old_logs
        ratio = change.exp()
        scaled = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
        gain = torch.min(scaled * ratio, scaled * ratio.clamp(1 - settings.clip, 1 + settings.clip)).mean()
        entropy = -(logs.exp() * logs).sum(1).mean()
        value_loss = 0.5 * (values - returns).square().mean()
        self.optimizer.zero_grad(set_to_none=True)
        (settings.value * value_loss - gain - settings.entropy * entropy).backward()
        nn.utils.clip_grad_norm_(self.agent.parameters(), settings.max_norm)
        self.optimizer.step()
        with torch.no_grad():
            dead = (hidden <= 0).all(0).float().mean()
            self.measures.copy_(torch.stack([-gain, value_loss, entropy, (ratio - 1 - change).mean(), dead]))

    def set_rate(self, rate: float) -> None:
        """Sets the learning rate."""
        self.rate.fill_(rate)
        if not self.card.is_cuda:
            self.optimizer.param_groups[0]["lr"] = rate

    @torch.no_grad()
    def publish(self) -> torch.cuda.Event | None:
        """Gives the players the present weights."""
        for theirs, ours in zip(self.player_agent.parameters(), self.agent.parameters(), strict=True):
            theirs.copy_(ours)
        return self.card.mark(self.stream)

    def learn(self, rollout: Rollout) -> None:
        """Learns from a rollout."""
        settings = self.settings
        with torch.no_grad():
            rewards, ends = (value.to(settings.device, non_blocking=True) for value in (rollout.rewards, rollout.ends))
            goes_on = 1 - ends
            deltas = rewards + settings.gamma * goes_on * rollout.values[1:] - rollout.values[:-1]
            advantages, following = torch.zeros_like(deltas), torch.zeros_like(deltas[0])
            for step in reversed(range(settings.num_steps)):
                following = deltas[step] + settings.gamma * settings.gae_lambda * goes_on[step] * following
                advantages[step] = following
            returns = advantages + rollout.values[:-1]
            played = (rollout.observations, rollout.actions, rollout.logs, advantages, returns)
            batch = [value.flatten(0, 1) for value in played]
        for _ in range(settings.epochs):
            for chosen in torch.randperm(len(batch[0]), device=settings.device).split(settings.minibatch):
                with torch.no_grad():
                    for part, value in zip(self.part, batch, strict=True):
                        torch.index_select(value, 0, chosen, out=part)
                self.optimise()


class Run:
    """A training run: players, learner, log and files."""

    player: type[Player] = Player

    def __init__(self, settings: Settings) -> None:
        self.settings, self.card = settings, Card(settings.device)
        torch.backends.cudnn.benchmark = True
        torch.set_float32_matmul_precision("high")
        with contextlib.closing(gym2600.VectorEnv(settings.game, preset="ale-vector")) as env:
            actions = int(env.single_action_space.n)
        self.learner = Learner(settings, actions, self.card)
        self.update, self.seconds = 0, 0.0
        if settings.resume:
            self._load(Path(settings.resume))
        agent = self.learner.player_agent
        self.players = [self.player(settings, number, agent, self.card) for number in range(settings.batches)]
        self.rollouts = [Rollout(settings, self.card) for _ in range(2)]
        self.scores: deque[float] = deque(maxlen=100)
        self.folder = Path(settings.run)
        self.writer = SummaryWriter(str(self.folder))
        self.writer.add_text("settings", "\n".join(f"    {key} = {value}" for key, value in vars(settings).items()))
        if self.card.is_cuda:
            torch.cuda.synchronize()
        for player in self.players:
            player.thread.start()

    @property
    def steps(self) -> int:
        """Steps played so far, those before `--resume` too."""
        return self.update * self.settings.num_envs * self.settings.num_steps

    def train(self) -> None:
        """Plays and learns until the steps are played or the score is reached."""
        settings, start, saved = self.settings, time.monotonic() - self.seconds, time.monotonic()
        with self.card.on(self.learner.stream):
            self._begin(self.rollouts[self.update % 2])
            reached = False
            while not reached and self.steps < settings.total_steps:
                rollout = self.rollouts[self.update % 2]
                self._wait()
                self.update += 1
                self.seconds = time.monotonic() - start
                reached = self._note_scores()
                is_last = reached or self.steps >= settings.total_steps
                if not is_last:
                    self._begin(self.rollouts[self.update % 2])
                self.learner.set_rate(self._rate())
                self.learner.learn(rollout)
                if self.update % 10 == 1 or is_last:
                    self._log()
                if is_last or time.monotonic() > saved + settings.save_every:
                    self._save()
                    saved = time.monotonic()
        self._close()

    def _begin(self, rollout: Rollout) -> None:
        weights = self.learner.publish()
        for player in self.players:
            player.begin.put((rollout, weights))

    def _wait(self) -> None:
        """Waits for the rollout under way."""
        for player in self.players:
            end = player.done.get()
            if isinstance(end, Exception):
                raise end
            self.card.wait(self.learner.stream, end)

    def _rate(self) -> float:
        left = 1 - 0.9 * min(1.0, self.steps / self.settings.total_steps)
        return self.settings.learning_rate * min(1.0, self.update / self.settings.warm_up) * left

    def _note_scores(self) -> bool:
        """Logs the games that have ended. Returns whether the score is reached."""
        for player in self.players:
            while not player.scores.empty():
                score, length = player.scores.get()
                self.scores.append(score)
                self.writer.add_scalar("charts/episodic_return", score, self.steps)
                self.writer.add_scalar("charts/episodic_length", length, self.steps)
        return len(self.scores) == 100 and float(np.mean(self.scores)) >= self.settings.until

    def _log(self) -> None:
        names = ("losses/policy", "losses/value", "losses/entropy", "losses/approx_kl", "charts/dead_units")
        for name, value in zip(names, self.learner.measures.tolist(), strict=True):
            self.writer.add_scalar(name, value, self.steps)
        self.writer.add_scalar("charts/learning_rate", self._rate(), self.steps)
        self.writer.add_scalar("charts/SPS", self.steps / self.seconds, self.steps)
        score = float(np.mean(self.scores)) if self.scores else float("nan")
        print(f"{self.seconds:7.1f} s  {self.steps:>11,} steps  score {score:.2f}", flush=True)

    def _save(self) -> None:
        """Writes the weights and a checkpoint. A file that is there is replaced when the new one is whole."""
        weights = {name: value.detach().cpu().contiguous() for name, value in self.learner.agent.state_dict().items()}
        save_file(weights, self.folder / "weights.new")
        (self.folder / "weights.new").replace(self.folder / "weights.safetensors")
        state = {
            "agent": weights,
            "optimizer": self.learner.optimizer.state_dict(),
            "update": self.update,
            "seconds": self.seconds,
            "game": self.settings.game,
        }
        torch.save(state, self.folder / "checkpoint.new")
        (self.folder / "checkpoint.new").replace(self.folder / "checkpoint.pt")

    @torch.no_grad()
    def _load(self, file: Path) -> None:
        """Goes on from a checkpoint, with new games."""
        state = torch.load(file, map_location=self.settings.device, weights_only=True)
        if state["game"] != self.settings.game:
            raise SystemExit(f"{file} is of the game {state['game']}, not {self.settings.game}")
        self.update, self.seconds = state["update"], state["seconds"]
        self.learner.agent.load_state_dict(state["agent"])
        optimizer = self.learner.optimizer
        if not optimizer.state:
            # The groups are of the device that the run had.
            groups = optimizer.state_dict()["param_groups"]
            optimizer.load_state_dict(state["optimizer"] | {"param_groups": groups})
            return
        # A graph has the tensors of the optimiser, so these stay.
        for number, parameter in enumerate(self.learner.agent.parameters()):
            for name, value in state["optimizer"]["state"][number].items():
                optimizer.state[parameter][name].copy_(value)

    def _close(self) -> None:
        for player in self.players:
            player.begin.put(None)
            player.thread.join()
            player.envs.close()
        self.writer.close()


if __name__ == "__main__":
    Run(Settings.parse()).train()
