# First observation: 8176d96051c1f689574a2d9a43da2ffd506b4405456cd3345bf2d9ecc4a8d14b
import gym2600

envs = gym2600.VectorEnv(
    "wallop",
    num_envs=32,
    wrappers=[
        {"type": "SkipFrames", "n": 2, "below": 5},
        {"type": "ImagePreprocessing", "width": None, "height": None},
    ],
)
observations, infos = envs.reset(seed=1)
for _ in range(1000):
    actions = envs.action_space.sample()
    observations, rewards, terminations, truncations, infos = envs.step(actions)
envs.close()
