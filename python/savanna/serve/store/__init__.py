"""What a server keeps in a file of SQLite: `schema` has the tables, `writer` writes, `store` is what is asked.

Nothing is acknowledged before it is on the disk.
"""

from savanna.serve.store.store import Room, Store

__all__ = ["Room", "Store"]
