# First observation: f93e3070b9e1cc384d455742ee1976ba40113c4f6d5879c29788014e97a0f823
import gym2600

envs = gym2600.VectorEnv(
    "wallop",
    num_envs=32,
    preset="ale-vector",
)
observations, infos = envs.reset(seed=7)
for _ in range(1000):
    actions = envs.action_space.sample()
    observations, rewards, terminations, truncations, infos = envs.step(actions)
envs.close()
