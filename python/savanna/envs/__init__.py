"""Savanna Ten for agents that learn. An agent gets what its seat's `View` shows, and nothing else.

`BatchEnv` steps thousands of games by one call; `Layout` says what each number of an observation is. The environments
of other libraries are modules of their own: `savanna.envs.gymnasium`, `savanna.envs.pettingzoo` (`pip install
'savanna-core[rl]'`) and `savanna.envs.openspiel` (`pip install 'savanna-core[openspiel]'`).
"""

from savanna._core import ENV_VERSION, Episode, Layout
from savanna.envs.batch import WAIT, BatchEnv
from savanna.envs.records import Section, Step

__all__ = ["ENV_VERSION", "WAIT", "BatchEnv", "Episode", "Layout", "Section", "Step"]
