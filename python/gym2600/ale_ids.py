"""Registers gym2600 under ale-py's ids when it is imported: `gymnasium.make("gym2600.ale_ids:ALE/Breakout-v5")`, in worker processes too."""

from gym2600.registration import register_ale_ids

register_ale_ids()
