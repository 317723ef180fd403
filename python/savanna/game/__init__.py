"""Games that people play, keep and replay.

`Game` is the list of positions with its players' names and remarks, `PublicGame` what spectators saw of it. Both are
saved as JSON, one game a file or one a line; `schema` describes the two forms for programs in other languages.

The modules in the order of reading, each of which uses only those before it: `content`, `about`, `files`, `replay`,
`possible`, `public`, `game`, `schemas`.
"""

from savanna.game.game import Game
from savanna.game.public import PublicGame, PublicPly, Revealed
from savanna.game.schemas import schema

__all__ = ["Game", "PublicGame", "PublicPly", "Revealed", "schema"]
