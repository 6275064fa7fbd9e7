"""Which wrong turns of the rules no test would notice: `python -m tests.oracle.mutants [module …]`.

Each mutant lives in a process of its own, forked when the tests are loaded already; it meets the pure tests of the
rules until one fails. A mutant that outlives them all is a survivor: either a test is missing, or it says the same as
the rule, and then `equivalent.toml` says why. An explanation that explains nobody is refused too.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import time
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import pytest

from tests.oracle.mutate import Mutant, mutants_of

EXPLAINED: Final = Path(__file__).with_name("equivalent.toml")
TESTS: Final = (
    *(f"tests/jackpot/{subject}" for subject in ("adjusting", "books", "property", "requests", "terms", "wins")),
    "tests/jackpot/test_money.py",
)
MODULES: Final = (
    "jackpot.books.rules.movement",
    "jackpot.wins.rules.settlement",
    "jackpot.wins.rules.rank",
    "jackpot.wins.rules.judgement",
    "jackpot.terms.rules.next_row",
    "jackpot.terms.rules.aggregate",
    "jackpot.property.rules.authority",
    "jackpot.adjusting.rules.adjusting",
    "jackpot.wins.rules.win_life",
)
LONGEST: Final = 300  # seconds for the rules as they are; a mutant may take five times what they took: some never end
NEEDS_A_DATABASE: Final = {"db", "django_db_setup", "transactional_db", "fresh_database", "live", "test_server"}


class Hunt:
    """Takes the place of the run once the tests are collected: every mutant meets them."""

    def __init__(self, modules: Sequence[str], seconds: float) -> None:
        self.modules, self.ends = modules, time.monotonic() + seconds
        self.met = 0
        self.left = 0
        self.longest = LONGEST * 1.0
        self.survivors: list[Mutant] = []

    def pytest_configure(self) -> None:
        """Whoever survives once survives always."""
        from hypothesis import HealthCheck, settings

        quiet = {"deadline": None, "suppress_health_check": list(HealthCheck)}
        settings.register_profile("still", derandomize=True, database=None, **quiet)
        settings.load_profile("still")

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: Any) -> bool:
        items = [item for item in session.items if not NEEDS_A_DATABASE & set(item.fixturenames)]
        items = [item for item in items if item.get_closest_marker("django_db") is None]
        began = time.monotonic()
        assert self._outlives(None, items), "the rules as they are fail their tests; look at that first"
        self.longest = 5 * (time.monotonic() - began) + 5
        for module in self.modules:
            own = f"test_{module.rpartition('.')[2]}"
            items.sort(key=lambda item: own not in item.path.stem)  # whose tests these are notices soonest
            for mutant in mutants_of(module):
                if time.monotonic() > self.ends:
                    self.left += 1
                    continue
                self.met += 1
                if self._outlives(mutant, items):
                    self.survivors.append(mutant)
                    sys.stdout.write(f"survives: {mutant.name}\n")
                    sys.stdout.flush()
        return True

    def _outlives(self, mutant: Mutant | None, items: Sequence[Any]) -> bool:
        pid = os.fork()
        if pid == 0:
            os._exit(_fate(mutant, items))
        deadline = time.monotonic() + self.longest
        while time.monotonic() < deadline:
            ended, status = os.waitpid(pid, os.WNOHANG)
            if ended:
                return status == 0
            time.sleep(0.005)
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        return False


def _fate(mutant: Mutant | None, items: Sequence[Any]) -> int:
    """In the fork: 0 when every test passes, 1 at the first that does not."""
    from _pytest.runner import runtestprotocol

    said = os.fdopen(os.dup(1), "w")
    with Path(os.devnull).open("w") as nowhere:
        os.dup2(nowhere.fileno(), 1)
        os.dup2(nowhere.fileno(), 2)
    try:
        if mutant is not None:
            mutant.come_alive()
        for number, item in enumerate(items):
            following = items[number + 1] if number + 1 < len(items) else None
            failed = [each for each in runtestprotocol(item, log=False, nextitem=following) if each.failed]
            if failed and mutant is None:
                said.write(f"{failed[0].nodeid}\n{failed[0].longreprtext}\n")
                said.flush()
            if failed:
                return 1
    except BaseException:  # noqa: BLE001 - whatever a wrong turn brings about, it was noticed
        return 1
    return 0


def explained() -> dict[str, str]:
    """Mutants that say the same as the rule, each with its reason."""
    told = tomllib.loads(EXPLAINED.read_text(encoding="utf-8")).get("mutant", [])
    return {each["is"]: each["because"] for each in told}


def main(arguments: Sequence[str]) -> int:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("modules", nargs="*", default=MODULES)
    asked.add_argument("--seconds", type=float, default=3600.0, help="stop after so long and say what was left")
    told = asked.parse_args(arguments)
    hunt = Hunt(told.modules, told.seconds)
    pytest.main([*TESTS, "-q", "-p", "no:randomly", "-p", "no:cacheprovider"], plugins=[hunt])
    known = {
        name: why for name, why in explained().items() if name.startswith(tuple(f"{each}." for each in hunt.modules))
    }
    unexplained = [mutant.name for mutant in hunt.survivors if mutant.name not in known]
    stale = sorted(set(known) - {mutant.name for mutant in hunt.survivors}) if hunt.met and not hunt.left else []
    killed = hunt.met - len(hunt.survivors)
    sys.stdout.write(f"{hunt.met} mutants, {killed} killed, {len(hunt.survivors)} survive, {hunt.left} not met\n")
    for name in unexplained:
        sys.stdout.write(f"not explained: {name}\n")
    for name in stale:
        sys.stdout.write(f"explains nobody: {name}\n")
    return 1 if unexplained or stale or not hunt.met else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
