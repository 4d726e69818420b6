# First observation: af6d6b7df4c584c03711f344a096f2e161534df332d75071863fae3185c09139
import gym2600

envs = gym2600.VectorEnv(
    "wallop",
    num_envs=32,
    preset="baselines",
)
observations, infos = envs.reset(seed=7)
for _ in range(1000):
    actions = envs.action_space.sample()
    observations, rewards, terminations, truncations, infos = envs.step(actions)
envs.close()
