# First observation: 646828991922e2ab77650c022a7fe6e449d58f44168851d823e9fe729adaf791
import gym2600

envs = gym2600.VectorEnv(
    "mine.bin",
    num_envs=32,
    preset="gymnasium",
    definition={"rom": "mine", "title": "My game", "actions": {"minimal": ["NOOP", "FIRE", "RIGHT"]}, "rules": {"start": "lives = 5", "frame": "new = bcd(0x85, 0x84, 0x83)\nreward = new\nterminal = ram[0x82] == 0"}},
)
observations, infos = envs.reset(seed=1)
for _ in range(1000):
    actions = envs.action_space.sample()
    observations, rewards, terminations, truncations, infos = envs.step(actions)
envs.close()
