"""What a win page says, as plain text in the order in which it stands there. Every form prints the same facts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from accounting.paper.printing.award import award_rows, meter_rows
from accounting.paper.printing.hand import hand_rows
from accounting.paper.printing.people import people_rows, void_words
from accounting.paper.printing.seals import Sealed, sealed
from accounting.paper.printing.tax import tax_box
from accounting.paper.rules.copies import CopyKind, CopyStamp
from accounting.paper.rules.words import in_words
from accounting.register import queries
from jackpot.money import Money
from jackpot.people.models import Card
from jackpot.property.models.property import Property
from jackpot.property.queries import shift_of
from jackpot.web.templatetags.figures import day, moment, money, zone
from jackpot.wins.models import Signature, Win
from jackpot.wins.queries.witnesses import noted_of
from jackpot.wins.rules.win_life import SPOKEN, WinState
from jackpot.witnesses.models import ActWitness
from tables.games.registry import find_games
from tables.hits.models.surveillance import SurveillanceTick
from tables.rounds.models.round import Round
from tables.rounds.queries.counted import coin_in_entries

Rows = list[tuple[str, str]]
HEADING: Final = "Progressive jackpot win"
HEADING_OF_DIFFERENCE: Final = "Difference of a jackpot win"
METHODS: Final = {
    "cash": "Cash",
    "cheque": "Cheque",
    "chips": "Chips",
    "transfer": "Bank transfer",
    "none": "Nothing over the window",
}


@dataclass(frozen=True, slots=True)
class PageFacts:
    """A page before it is set: titles, labels and values as they are read."""

    win: Win
    stamp: CopyStamp
    house: Property
    amount: Money
    sealed: Sealed
    round: Round | None
    badge: Card | None
    act: Sequence[Win]
    signatures: Sequence[Signature]
    ticks: Sequence[SurveillanceTick]
    witnesses: Sequence[ActWitness] = ()

    def plain(self) -> dict[str, Any]:
        """As JSON for the typesetter."""
        return {
            "title": f"Win page, slip {self.win.slip}",
            "property": {"name": self.house.name, "address": lines_of(self.house.address)},
            "heading": HEADING if self.win.difference_of_id is None else HEADING_OF_DIFFERENCE,
            "slip": str(self.win.slip),
            "copy": _copy(self.stamp, self.house),
            "state": _sentence(SPOKEN[WinState(self.win.state)]),
            "hand": self.win.line_name,
            "jackpot": self.win.jackpot.name,
            "amount": money(self.amount, self.house),
            "words": in_words(self.amount, self.house.currency),
            "groups": [
                {"title": title, "rows": rows} for title, rows in groups(self)
            ],
            "people": people_rows(self.win, self.round, self.badge, self.signatures, self.house, self.witnesses),
            "payment": _payment(self.win, self.house),
            "tax": tax_box(self.win, self.house),
            "void": void_words(self.signatures) if self.stamp.kind == CopyKind.VOID else "",
            "seal": self.sealed.short,
            "sealed_entry": self.sealed.name,
            "address": self.sealed.address,
            "qr": self.sealed.qr,
        }  # fmt: skip


def facts_of(win: Win, stamp: CopyStamp) -> PageFacts:
    """Reads everything that the page of this win says now."""
    amount = win.amount_money
    assert amount is not None, "a win with a slip has its amount"
    round_ = queries.round_of(win)
    return PageFacts(
        win, stamp, win.jackpot.premises, amount, sealed(win, amount), round_, queries.badge_of(round_),
        queries.act_of(win), queries.signatures_of(win), queries.ticks_of(win), noted_of(win.jackpot.premises, win),
    )  # fmt: skip


def groups(facts: PageFacts) -> list[tuple[str, Rows]]:
    """The four blocks of the page, also shown on the record's screen."""
    return [
        ("The hit", _hit_rows(facts)),
        ("The award", award_rows(facts.win, facts.act, facts.house)),
        ("The meter", meter_rows(facts.win, facts.house, facts.sealed.reserve_moved)),
        ("Times", _time_rows(facts.win, facts.house)),
    ]


def _hit_rows(facts: PageFacts) -> Rows:
    win, round_ = facts.win, facts.round
    rows = [("Table", win.table_code), ("Round", f"{win.round_number:,}"), ("Seat", str(win.seat))]
    if round_ is not None:
        rows.insert(1, ("Game", _game(round_.table.game)))
        rows.append(("Coin-in", _coin_in(win, round_)))
        rows.append(("Deck", round_.deck_colour.capitalize() or "not recorded"))
    # A difference has no hand of its own: it is the rest of what an earlier win's hand was worth.
    rows.append(("Hand", (win.difference_of or win).line_name))
    return [*rows, *hand_rows(win), *_watched(facts)]


def _watched(facts: PageFacts) -> Rows:
    """What surveillance ticked off, of what the house asks for."""
    if not facts.house.surveillance:
        return []
    told = [f"{tick.words.lower()} {tick.note}".strip() + f" ({tick.operator})" for tick in facts.ticks]
    return [("Surveillance", "; ".join(told) or "nothing ticked off yet")]


def _game(code: str) -> str:
    """Its title as its pack has it; a game whose folder is gone keeps its code."""
    games = find_games()
    return games[code].title if code in games else code.upper()


def _coin_in(win: Win, round_: Round) -> str:
    """The counted round that this award is bound to, by its entry in the books."""
    # The last one: a round that was counted again has an entry for each count, and the newest one stands.
    own = [seq for jackpot_id, seq in coin_in_entries(round_) if jackpot_id == win.jackpot_id]
    chips = len(round_.seats_played.on(win.jackpot_id))
    seats = f"{chips} {'seat' if chips == 1 else 'seats'}"
    return f"{seats}, entry {own[-1]:,} of {win.jackpot.code}" if own else seats


def _time_rows(win: Win, house: Property) -> Rows:
    assert win.gaming_day is not None, "a slip has its gaming day"
    assert win.logged_at is not None, "a slip was approved at some time"
    rows = [("Gaming day", day(win.gaming_day)), ("Shift", shift_of(house, win.logged_at) or "none named")]
    steps: list[tuple[str, datetime | None]] = [
        ("Marked", win.marked_at), ("Asked for", win.asked_at), ("Approved", win.logged_at),
        ("Meter moved", win.moved_at), ("Paid", win.paid_at),
    ]  # fmt: skip
    return rows + [(name, f"{moment(at, house)} {zone(at, house)}") for name, at in steps if at is not None]


def _payment(win: Win, house: Property) -> dict[str, str]:
    """How, when and by whom; a page of before the payment leaves room to write."""
    if win.paid_at is None:
        return {"method": "", "cheque": "", "paid": ""}
    paid = f"{moment(win.paid_at, house)} {zone(win.paid_at, house)} by {win.paid_by}"
    name = METHODS.get(win.paid_method, win.paid_method.capitalize())
    return {"method": name, "cheque": win.paid_cheque or "none", "paid": paid}


def _copy(stamp: CopyStamp, house: Property) -> dict[str, Any]:
    printed = f"Printed by {stamp.by}, {moment(stamp.at, house)} {zone(stamp.at, house)}" if stamp.at else ""
    return {"word": stamp.word, "number": stamp.number, "kind": str(stamp.kind or "file"), "reason": stamp.reason,
            "printed": printed, "at": int(stamp.at.timestamp()) if stamp.at else 0}  # fmt: skip


def lines_of(address: str) -> list[str]:
    return [line.strip() for line in address.splitlines() if line.strip()]


def _sentence(words: str) -> str:
    return words[0].upper() + words[1:]
