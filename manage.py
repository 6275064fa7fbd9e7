#!/usr/bin/env python3
"""Fairmeter's one door for people who type: `python3 manage.py up`, `python3 manage.py test`, and Django's commands.

It needs Python 3.11 and pip and nothing else: the environment, PostgreSQL and the rest are made on first use.
"""

from __future__ import annotations

import os
import sys

PROJECT = os.path.dirname(os.path.abspath(__file__))  # noqa: PTH100,PTH120  before Python's age is known


def main() -> int:
    if sys.version_info < (3, 11):  # noqa: UP036  any Python 3 may be the one that was typed
        sys.stderr.write("Fairmeter needs Python 3.11 or newer. Try: python3.11 manage.py up\n")
        return 1
    if os.name != "posix":
        sys.stderr.write("Fairmeter runs on Linux and macOS; on Windows use WSL.\n")
        return 1
    sys.path.insert(0, PROJECT)
    from pathlib import Path

    from launcher.front import main as run

    return run(Path(PROJECT), sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
