"""The web as the launcher starts it, imported once: each line that comes in makes another process of it.

python -m tests.mortal_web FD

What a kill -9 takes is a process, its memory and its connections; that it would import the same modules again for two
seconds is not what a test of it is about.
"""

from __future__ import annotations

import os
import signal
import sys

import config.asgi  # noqa: F401 - what every child begins with
from launcher import web


def main(fd: str) -> None:
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # whoever is killed is gone at once
    for _ in sys.stdin:
        pid = os.fork()
        if pid == 0:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            nobody = os.open(os.devnull, os.O_RDONLY)  # as the launcher starts it: a number below 3 is no line of ours
            os.dup2(nobody, sys.stdin.fileno())
            os.close(nobody)
            web.main(["--socket", fd])
            os._exit(0)
        sys.stdout.write(f"{pid}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1])
