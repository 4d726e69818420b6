# First observation: 8f4ccb14f1566c742f31f5e2d0dfc02b077ac3c691732c8c91d2d1a0931ec221
import gym2600

envs = gym2600.VectorEnv(
    "wallop",
    num_envs=32,
    preset="labml",
)
observations, infos = envs.reset(seed=7)
for _ in range(1000):
    actions = envs.action_space.sample()
    observations, rewards, terminations, truncations, infos = envs.step(actions)
envs.close()
