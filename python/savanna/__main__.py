"""``python -m savanna``: the command line."""

import sys

from savanna.cli import main

if __name__ == "__main__":
    sys.exit(main())
