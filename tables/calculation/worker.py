"""The process that calculates: python -m tables.calculation.worker FOLDER LANE.

One JSON line asks, JSON lines answer. It gives way to the floor, and ends when nobody is there to be answered.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import signal
import sys
import threading
import time
import traceback
from pathlib import Path
from typing import Any, Final

from tables.calculation.sums import calculate
from tables.calculation.turns import turn

IDLE_MINUTES: Final = 20
TELLS_EVERY: Final = 0.2  # seconds
UNFORESEEN: Final = "This could not be calculated: a fault in our sums. The log of the web process says which."
GIVES_WAY: Final = {"short": 2, "long": 10}


def main(folder: Path, lane: str) -> None:
    """Answers until the other side goes away or asks nothing for a while."""
    # Ctrl-C reaches everybody at the terminal; who asked ends this process when its own work is done.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.nice(GIVES_WAY[lane])  # a coin-in is never to wait for mathematics
    asked: queue.Queue[str] = queue.Queue()
    threading.Thread(target=_listen, args=(asked,), daemon=True).start()
    with contextlib.suppress(queue.Empty):
        while True:
            _answer(asked.get(timeout=IDLE_MINUTES * 60), folder)


def _listen(asked: queue.Queue[str]) -> None:
    for line in sys.stdin:
        asked.put(line)
    os._exit(0)  # who asked is gone, and a calculation may have minutes to go


def _answer(line: str, folder: Path) -> None:
    name, last = json.loads(line)["name"], 0.0

    def progress(part: float) -> None:
        nonlocal last
        if time.monotonic() - last >= TELLS_EVERY:
            last = time.monotonic()
            _tell(name=name, progress=part)

    try:
        asked = json.loads(name)
        with turn(folder, name, progress) as told:
            _tell(name=name, answer=calculate(asked, folder, told))
    except (ValueError, KeyError) as why:
        _tell(name=name, refused=str(why))
    except Exception:  # noqa: BLE001 - whoever waits is answered; at its end the same would be asked of another process
        traceback.print_exc()
        _tell(name=name, refused=UNFORESEEN)


def _tell(**said: Any) -> None:
    sys.stdout.write(json.dumps(said) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
