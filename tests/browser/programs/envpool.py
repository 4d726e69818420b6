# First observation: 66d062b4123470768151bf5420d0078c4aaa8b3ba0dc04822e105b9a96ef4c7b
import gym2600

envs = gym2600.VectorEnv(
    "wallop",
    num_envs=32,
    preset="envpool",
)
observations, infos = envs.reset(seed=7)
for _ in range(1000):
    actions = envs.action_space.sample()
    observations, rewards, terminations, truncations, infos = envs.step(actions)
envs.close()
