# First observation: ea5ddf51d73de679eec197785bb63a3555b77a6b7d472d201517dd933a6bec0d
import gym2600

envs = gym2600.VectorEnv(
    "wallop",
    num_envs=32,
    wrappers=[
        {"type": "NoopReset"},
        {"type": "SkipFrames", "shows": "maxOfTwoBuffers"},
        {"type": "EpisodicLife"},
        {"type": "FireReset", "plays": "fireAndSecond", "withoutFire": "passOn"},
        {"type": "ImagePreprocessing"},
        {"type": "QueueFrames"},
    ],
)
observations, infos = envs.reset(seed=7)
for _ in range(1000):
    actions = envs.action_space.sample()
    observations, rewards, terminations, truncations, infos = envs.step(actions)
envs.close()
