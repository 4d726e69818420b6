# First observation: a8bd363124ead7fcf7d18ff8dfb21099ddf8020df26cfb4c05eeef9fc2197fa8
import gym2600

envs = gym2600.VectorEnv(
    "wallop",
    num_envs=4,
    preset="envpool",
    mode=2,
    difficulty=1,
)
observations, infos = envs.reset(seed=1)
for _ in range(1000):
    actions = envs.action_space.sample()
    observations, rewards, terminations, truncations, infos = envs.step(actions)
envs.close()
