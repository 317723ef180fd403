"""Many processes, on this machine or on a cluster, by Ray: `pip install 'savanna-core[ray]'`.

`rollout`, `rank_moves`, `study` and `tournament` return what the functions of those names in `savanna` return, to the
last bit, for any number of workers, even if some of them die; `generate` writes down games for learning. They
run on a Ray of their own on this machine, or on the cluster that the environment variable RAY_ADDRESS names. A program
that is connected to Ray already stays so. While others hold all CPUs of a cluster, they wait.

The modules in the order of reading, each of which uses only those before it: `cluster`, `pool`, `store`, `parts`,
`rollouts`, `studies`, `tournaments`, `shards`.
"""

from savanna.distributed.rollouts import rank_moves, rollout
from savanna.distributed.shards import generate
from savanna.distributed.studies import study
from savanna.distributed.tournaments import tournament

__all__ = ["generate", "rank_moves", "rollout", "study", "tournament"]
