"""Studies: many games, and what a designer wants to know of them.

The modules in the order of reading, each of which uses only those before it: `tally`, `estimates`, `layout`, `plots`,
`result`, `play`, `design`, `run`, `comparison`.
"""

from savanna.studies.comparison import Comparison, compare
from savanna.studies.estimates import Estimate
from savanna.studies.result import Study
from savanna.studies.run import study

__all__ = ["Comparison", "Estimate", "Study", "compare", "study"]
