"""A filled database of this program, kept so that every later one can show that it migrates it.

`python -m proving.release` makes it; releases/README.md says when.
The demo casino, an evening of dense hits at each of its tables, proven, and copied as `backup` copies.
"""

from __future__ import annotations

import sys
import tomllib
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from launcher.dumps import Written, back_up
from proving.house import PROJECT, ProvingHouse, house

RELEASES: Final = PROJECT / "releases"
DEMO: Final = PROJECT / "accounting" / "house_file" / "casinos" / "emerald.toml"
ROUNDS: Final = "12"


def play(ours: ProvingHouse) -> None:
    """As a house plays: web, worker, boxes that enrol, hits that are approved and paid."""
    ours.run("config.prepare", "--demo", str(DEMO))
    address = f"http://127.0.0.1:{ours.open_door()}"
    ours.work()
    ours.run("django", "simulate", "--url", address, "--rounds", ROUNDS, "--speed", "0", "--hits", "dense")
    ours.run("django", "prove")


def name_now() -> str:
    version = tomllib.loads((PROJECT / "pyproject.toml").read_text())["project"]["version"]
    return f"{version}-{datetime.now(UTC):%Y-%m-%d}.dump"


def make_release(folder: Path = RELEASES) -> Written:
    with house() as ours:
        play(ours)
        return back_up(ours.server.addresses.owner, folder / name_now())


if __name__ == "__main__":
    written = make_release()
    sys.stdout.write(f"{written.path}: {written.size:,} bytes, {len(written.heads)} jackpots.\n")
