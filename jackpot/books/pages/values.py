"""What the pages of the books show, as values: templates receive these, not rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from fractions import Fraction
from typing import Final

from jackpot.books.models.entry import Entry
from jackpot.books.models.jackpot import Version
from jackpot.books.queries import SignedFigures
from jackpot.books.rules.movement import ACCOUNTS, Balances, Movement
from jackpot.books.rules.reasons import reason
from jackpot.money import ZERO, Money
from jackpot.terms.rules.paytable import PayLine
from jackpot.terms.rules.terms import Terms, percent
from jackpot.trail.models import Trail

WIDTH, HEIGHT = 640, 120
ACCOUNT_WORDS: Final[Mapping[str, str]] = {
    "meter": "what the signs promise",
    "reserve": "kept back for the next meter",
    "overflow": "above the limit, waiting",
    "house": "advanced by the house (seeds, shortfalls)",
    "winners": "owed to winners",
    "paid": "paid to winners",
    "outside": "brought from another system or jackpot",
    "contributed": "what coin-ins brought (a source, so below zero)",
}
SPOKEN: Final[Mapping[str, str]] = {
    "contributed": "contributed", "meter": "meter", "reserve": "reserve", "overflow": "overflow", "house": "house",
    "winners": "owed to the winner", "paid": "paid", "outside": "other jackpots",
}  # fmt: skip
OVERFLOW_WORDS: Final[Mapping[str, str]] = {
    "next_meter": "What the limit cuts off waits for the next meter.",
    "revenue": "What the limit cuts off goes to the house.",
}


ROW_WORDS: Final[Mapping[str, str]] = {
    "highest": "The highest row that its hand fulfils.",
    "never_less": "The highest row that its hand fulfils, never less than a lower row would pay.",
}


@dataclass(frozen=True, slots=True)
class AccountLine:
    name: str
    words: str
    before: Money
    moved: Money
    after: Money


@dataclass(frozen=True, slots=True)
class BookLine:
    """One line of the ledger."""

    seq: int
    at: datetime
    day: date
    kind: str
    kind_name: str
    why: str
    table: str
    round: int | None
    meter: Money
    reserve: Money
    owed: Money  # to a winner, by this entry
    accounts: tuple[tuple[str, Money], ...]
    before: Money
    after: Money
    corrects: int | None
    corrected_by: int | None
    said: str
    said_by: str

    @property
    def falls(self) -> bool:
        """What a repayment takes, its coin-in brought a moment before."""
        return self.meter.units < 0 and self.kind != "repay"

    @property
    def split(self) -> list[tuple[str, Money]]:
        """What each account gave or got, without those that stood still."""
        return [(name, amount) for name, amount in self.accounts if amount]

    @property
    def rises(self) -> bool:
        return self.meter.units > 0


@dataclass(frozen=True, slots=True)
class TermsShown:
    """A version in words."""

    number: int
    in_force: bool
    since: datetime
    requested_by: str
    approved_by: str
    digest: str
    sound: bool
    facts: list[tuple[str, Money | None, str]]
    pays: list[tuple[str, str, str, str]]  # hand, award, paid from, envy
    said: SignedFigures | None
    figures: str


def accounts(balances: Balances, moved: Movement | None = None) -> list[AccountLine]:
    """All eight, the figure people ask for first."""
    after = dict(zip(ACCOUNTS, balances.columns(), strict=True))
    change = dict(zip(ACCOUNTS, (moved or Movement()).columns(), strict=True))
    return [
        AccountLine(name, words, Money(after[name] - change[name]), Money(change[name]), Money(after[name]))
        for name, words in ACCOUNT_WORDS.items()
    ]


def lines(shown: Iterable[Entry], undone: Mapping[int, int], said: Mapping[tuple[str, str], Trail]) -> list[BookLine]:
    return [_line(entry, undone.get(entry.seq), said) for entry in shown]


def _line(entry: Entry, corrected_by: int | None, said: Mapping[tuple[str, str], Trail]) -> BookLine:
    word = said.get((entry.kind, f"{entry.table_code}/{entry.round_number}")) if entry.corrects is not None else None
    after, moved = entry.after, entry.movement
    return BookLine(
        seq=entry.seq,
        at=entry.occurred_at,
        day=entry.gaming_day,
        kind=entry.kind,
        kind_name=entry.get_kind_display(),
        why=reason(entry.kind, entry.table_code, entry.round_number, entry.corrects),
        table=entry.table_code,
        round=entry.round_number,
        meter=Money(moved.meter),
        reserve=Money(moved.reserve),
        owed=Money(max(moved.winners, 0)),
        accounts=tuple((SPOKEN[name], Money(units)) for name, units in zip(ACCOUNTS, moved.columns(), strict=True)),
        before=Money(after.meter - moved.meter),
        after=Money(after.meter),
        corrects=entry.corrects,
        corrected_by=corrected_by,
        said=word.why if word else "",
        said_by=word.actor if word else "",
    )


def terms_shown(version: Version, said: SignedFigures | None) -> TermsShown:
    terms = version.value
    return TermsShown(
        number=version.number,
        in_force=version.jackpot.version_id == version.id,
        since=version.created_at,
        requested_by=version.requested_by,
        approved_by=version.approved_by,
        digest=version.digest,
        sound=version.digest == version.digest_found(),
        facts=_facts(terms),
        pays=[_pay(line) for line in terms.pay_table],
        said=said,
        figures=_laboratory(said),
    )


def _laboratory(said: SignedFigures | None) -> str:
    """The two figures that decide, in one line; all of them stand with the request."""
    if said is None:
        return "was not asked: it came with a casino file"
    if said.answer is None:
        return said.unknown or "said nothing"
    edge, dry = Fraction(said.answer["house_edge"]), said.answer["seats_run_dry"]["chance"]
    return f"house edge {100.0 * edge:.2f} %, ran dry in {100 * dry:.1f} % of the lives played".replace("-", "−")


def _facts(terms: Terms) -> list[tuple[str, Money | None, str]]:
    return [
        ("Wager", terms.wager, "a chip"),
        ("To the meter", terms.meter_part, f"a chip, {percent(terms.rate)} of it"),
        ("To the reserve", terms.reserve_part, f"a chip, {percent(terms.reserve_rate)} of it"),
        ("Seed", terms.seed, ""),
        ("Limit", terms.limit, "" if terms.limit else "none"),
        ("Above the limit", None, OVERFLOW_WORDS.get(terms.policy.overflow, terms.policy.overflow)),
        ("A seat wins", None, ROW_WORDS[terms.policy.row]),
        ("A dry meter", *_dry(terms)),
        ("Aggregate", terms.aggregate, "for the fixed awards of a table and round" if terms.aggregate else "none"),
        ("Rounding of awards", None, terms.rounding.value.replace("_", " ")),
        ("Pay table", None, terms.pay_table.code),
    ]


def _dry(terms: Terms) -> tuple[Money | None, str]:
    if terms.repay_rate is None:
        return None, "stays; every lack is a shortfall"
    part = f"{percent(terms.repay_rate)} of what a chip adds, {terms.repay_part}, repays the house"
    return terms.seed, f"as a house advance; {part}"


def _pay(line: PayLine) -> tuple[str, str, str, str]:
    source = "the tray" if line.source == "tray" else "the meter"
    return line.name, str(line.award), source, "" if line.envy is None else str(line.envy)


def sparkline(amounts: Sequence[Decimal]) -> str:
    """The points of a small chart; a meter that stood still is a line in the middle."""
    if len(amounts) < 2:
        return ""
    low, high = min(amounts), max(amounts)
    span = high - low
    points = []
    for place, amount in enumerate(amounts):
        x = WIDTH * place // (len(amounts) - 1)
        # Six points off either edge, so that no stroke is cut.
        y = HEIGHT // 2 if not span else HEIGHT - 6 - int((HEIGHT - 12) * (amount - low) / span)
        points.append(f"{x},{y}")
    return " ".join(points)


@dataclass(frozen=True, slots=True)
class LineSums:
    """What the lines of one page moved together."""

    meter: Money
    reserve: Money
    owed: Money


def sums_of(shown: Sequence[BookLine]) -> LineSums:
    meter, reserve, owed = (sum((getattr(line, word) for line in shown), ZERO) for word in ("meter", "reserve", "owed"))
    return LineSums(meter, reserve, owed)
