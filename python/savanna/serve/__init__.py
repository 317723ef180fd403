"""`savanna serve`: rooms in which people play in a browser, with each other and with bots. It needs the extra `serve`.

The modules in the order of reading, each of which uses only those before it: `settings`, `event`, `refusal`, `table`
(a room as its events leave it), `perspective`, `told` (the only way from a room to the wire), `store` (on disk),
`chance`, `bots`, `rooms` (those in use), `guard`, `forms`, `pages`, `asking`, `routes`, `app`,
`running`.
"""

try:
    from savanna.serve.app import application
    from savanna.serve.chance import Chance
    from savanna.serve.settings import Settings, settings
    from savanna.serve.store.store import Store, back_up
except ImportError as _error:
    raise ImportError(f"savanna.serve needs a web server: pip install 'savanna-core[serve]' ({_error})") from _error

__all__ = ["Chance", "Settings", "Store", "application", "back_up", "settings"]
