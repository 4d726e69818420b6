# First observation: 86715f7bb4354970a2db94b27dabc726b429e3470cc397b4e4a5277dcfafed87
import gym2600

envs = gym2600.VectorEnv(
    "wallop",
    num_envs=32,
    preset="nature-dqn",
)
observations, infos = envs.reset(seed=7)
for _ in range(1000):
    actions = envs.action_space.sample()
    observations, rewards, terminations, truncations, infos = envs.step(actions)
envs.close()
