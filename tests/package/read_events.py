"""Reads a folder of event files with TensorBoard and prints its scalars: for each name, lists of step and value."""

import json
import sys

from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

events = EventAccumulator(sys.argv[1], size_guidance={"scalars": 0})
events.Reload()
names = events.Tags()["scalars"]
print(json.dumps({name: [[scalar.step, scalar.value] for scalar in events.Scalars(name)] for name in names}))
