"""What signs say they show, held against the books. Only a disagreement is written down."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import orjson

from jackpot.money import Money, NotAnAmount
from jackpot.trail.actions.trail import record
from jackpot.trail.rules.objects import ObjectKind, ObjectRef
from tables.signs import queries

LONGEST: Final = 1024
MAY_LAG: Final = 15  # seconds


class NotAReport(ValueError):
    """A message that no sign of ours sends."""


@dataclass(frozen=True, slots=True)
class SignReport:
    """One meter as the sign shows it. Without a code it is the sign's only meter."""

    shown: Money
    version: int
    code: str = ""
    mark: str = ""  # the highest that the sign was ever told of these books

    @classmethod
    def of(cls, text: str) -> SignReport:
        try:
            plain = orjson.loads(text) if len(text) <= LONGEST else None
            return cls._of(plain)
        except (orjson.JSONDecodeError, NotAnAmount, KeyError, TypeError):
            raise NotAReport('A sign says {"shown": "20001.40", "version": 88213, "code": "GRAND"}.') from None

    @classmethod
    def _of(cls, plain: Any) -> SignReport:
        shown, version, code = plain["shown"], plain["version"], plain.get("code", "")
        mark = plain.get("mark", "")
        # The number is looked up with the one after it, so both have to fit the column.
        if not (
            isinstance(mark, str)
            and isinstance(shown, str)
            and type(version) is int
            and isinstance(code, str)
            and 0 <= version < 2**63 - 1
        ):
            raise TypeError
        return cls(Money.of(shown), version, code, mark)


def disagreement(jackpot_id: int, report: SignReport) -> str | None:
    """What is wrong with this report, in a sentence; None when the books bear it out."""
    meter, late = queries.meter_at(jackpot_id, report.version, MAY_LAG)
    if meter is None:
        return f"It names entry {report.version}, which the books do not have."
    if report.shown > meter:
        return f"It shows {report.shown}, the books had {meter.shown()} at entry {report.version}."
    if late:
        return f"It still stands at entry {report.version}, which was followed more than {MAY_LAG} seconds ago."
    return None


def note_disagreement(sign: str, watcher: str, jackpot: str, report: SignReport, why: str) -> None:
    record(
        actor=watcher, act="sign_report", about=ObjectRef(ObjectKind.SIGN, sign), outcome="disagrees", why=why,
        details={"jackpot": jackpot, "shown": str(report.shown), "version": report.version},
    )  # fmt: skip


def check(sign: str, watcher: str, jackpot_id: int, jackpot: str, report: SignReport, already: bool) -> bool:
    """Whether the sign disagrees with the books. The trail hears of it once, when it begins."""
    why = disagreement(jackpot_id, report)
    if why is not None and not already:
        note_disagreement(sign, watcher, jackpot, report, why)
    return why is not None
