"""Reads a folder of event files with TensorBoard and prints the hyper-parameters of its run."""

import json
import sys

from google.protobuf.json_format import MessageToDict
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
from tensorboard.plugins.hparams import metadata

events = EventAccumulator(sys.argv[1])
events.Reload()
content = events.SummaryMetadata(metadata.SESSION_START_INFO_TAG).plugin_data.content
start = metadata.parse_session_start_info_plugin_data(content)
print(json.dumps({name: MessageToDict(value) for name, value in start.hparams.items()}))
