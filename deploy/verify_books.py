#!/usr/bin/env python3
"""Verifies an export of Fairmeter's books, or a parcel. One file, standard library only; no line of the program.

    python3 verify_books.py EXPORT [--heads HEADS]

EXPORT is what `manage.py export -o FILE` wrote, or a parcel of `/audit/parcels/`; HEADS is a copy of heads.jsonl, or of
lines of it, that you kept yourself. Every row that disagrees is named, and the exit status is then 1. docs/books.md
describes it field by field.
"""

# ruff: noqa: B905, T201, UP017 - it prints, and a stranger's Python may be older than ours
from __future__ import annotations

import argparse
import hashlib
import json
import re
import sys
import zipfile
import zlib
from collections import Counter, defaultdict, namedtuple
from datetime import date, datetime, time, timedelta, timezone
from fractions import Fraction
from functools import partial
from itertools import combinations
from pathlib import Path
from zoneinfo import ZoneInfo

FORMAT, PARCEL, MANIFEST = "fairmeter books 3", "fairmeter parcel 1", "manifest.json"
ACCOUNTS = ("contributed", "meter", "reserve", "overflow", "house", "winners", "paid", "outside")
FACTS = ("jackpot", "version", "head", "round", "win", "act", "payment", "receipt")
COUNTED = (*FACTS, "hand", "entry", "evidence")
FIRST, CORRECTING = ("opening", "take_over"), ("void", "recount", "back_out")
MARKING = ("mark", "unmark", "assign", "ask", "release", "outrank", "reject", "fall", "claim")
ORDERING = (*MARKING, "park", "pass_queue", "rejoin", "override", "log")
STATES, TRANSFERS = ("suspend", "resume", "retire"), ("transfer_out", "transfer_in")
MOVING = ("coin_in", "award", "advance", "repay", "pay", "receipt", "adjust", "difference", "configure")
SIGNED = (*STATES, *TRANSFERS, "adjust", "difference")
SIGNED_AS = {
    **{kind: (kind,) for kind in ("adjust", "suspend", "resume", "back_out", "difference")},
    "transfer": TRANSFERS, "retire": (*TRANSFERS, "retire"), "underpayment": ("difference",),
}  # fmt: skip
KINDS = (*FIRST, *CORRECTING, *ORDERING, *STATES, *TRANSFERS, *MOVING)
TRANSFER = re.compile(r"transfer/([0-9]+)/(to|from)/([A-Z0-9-]+)/([0-9]+)")
AMOUNT = re.compile(r"-?(0|[1-9][0-9]*)\.[0-9]{8}")
OPEN = ("marked", "asked", "logged")
LIFE = {
    "unmark": (("marked",), "unmarked"), "assign": (("marked",), "assigned"), "ask": (("marked",), "asked"),
    "outrank": (("marked",), "outranked"), "release": (("asked",), "marked"), "reject": (("asked",), "rejected"),
    "fall": (("marked", "asked"), "fell"), "void": (("marked", "asked"), "fell"), "log": (("asked",), "logged"),
    "award": (("logged",), "owed"), "pay": (("owed",), "paid"), "back_out": (("logged", "owed", "paid"), "backed_out"),
}  # fmt: skip
SEALED_OF_TRAIL = (
    "line", "written_by", "actor", "person", "act", "object_kind", "object_key", "subject", "outcome", "why", "details",
)  # fmt: skip
EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
UNIT, LISTED = 10**8, 100
UNSURE = 60 * 10**6  # µs in which a house changes its clock
WRONG = (KeyError, TypeError, ValueError, AttributeError, ArithmeticError)
BROKEN = (*WRONG, zipfile.BadZipFile, zlib.error, OSError, EOFError, RuntimeError)

findings: list[tuple[str, str, str, str, str]] = []
counts: Counter[str] = Counter()


def found(kind: str, where: str, what: str, expected: object, instead: object) -> None:
    counts[kind] += 1
    if counts[kind] <= LISTED:
        findings.append((kind, where, what, str(expected), str(instead)))


def same(kind: str, where: str, what: str, expected: object, instead: object) -> None:
    if expected != instead:
        found(kind, where, what, expected, instead)


def units_of(text: str) -> int:
    """Units of 0.00000001; only the one spelling with eight decimals is accepted."""
    if AMOUNT.fullmatch(text) is None:
        raise ValueError(text)
    return int(text.replace(".", ""))


def text_of(units: int) -> str:
    whole, rest = divmod(abs(units), UNIT)
    decimals = f"{rest:08d}".rstrip("0").ljust(2, "0")
    return f"{'-' if units < 0 else ''}{whole}.{decimals}"


def microseconds(text: str) -> int:
    return (datetime.fromisoformat(text) - EPOCH) // timedelta(microseconds=1)


def spelt(number: int | None) -> str:
    if number is not None and type(number) is not int:
        raise TypeError(f"{number!r} is no whole number")
    return "" if number is None else str(number)


def gaming_day(at: int, clock: dict) -> str:
    """The wall clock's day, less the minutes after midnight at which it rolls; a clock put back does not roll twice."""
    moment, roll = EPOCH + timedelta(microseconds=at), timedelta(minutes=clock["roll_minutes"])
    wall = moment.astimezone(ZoneInfo(clock["time_zone"]))
    day = (wall.replace(tzinfo=None) - roll).date()
    next_begins = datetime.combine(day + timedelta(days=1), time.min, ZoneInfo(clock["time_zone"])) + roll
    if wall.fold and moment >= next_begins.astimezone(timezone.utc):
        day += timedelta(days=1)
    return day.isoformat()


def days_at(at: int, clocks: list[dict]) -> list[str]:
    """The day by the clock that went then; while it was being changed also by the one before."""
    going = sorted((clock for clock in clocks if clock["since"] <= at), key=lambda clock: clock["since"])[-2:]
    if len(going) == 2 and at >= going[1]["since"] + UNSURE:
        going = going[1:]
    return [gaming_day(at, clock) for clock in reversed(going or clocks[:1])]


def withheld_of(amount: int, wager: int, tax: dict, cent: int) -> tuple[int, bool]:
    """What a rule withholds of an amount, cut to what can be paid; and whether the amount is reported."""
    taxable = max(amount - wager, 0) if tax["wager_deducted"] else amount
    minimum, above = (None if tax[n] is None else int(Fraction(tax[n]) * UNIT) for n in ("minimum", "withhold_above"))
    reported = taxable >= minimum and taxable >= wager * tax["multiple"]
    withholds = reported and above is not None and taxable > above
    return taxable * tax["rate"] // 10**6 // cent * cent if withholds else 0, reported


def digest_of(asked: object) -> str:
    return hashlib.sha256(json.dumps(asked, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def movement_text(movement: list[int]) -> str:
    touched = [f"{name} {'+' if u > 0 else ''}{text_of(u)}" for name, u in zip(ACCOUNTS, movement) if u]
    return ", ".join(touched) or "nothing"


def possible(moved: list[int], before: list[int]) -> list[int]:
    """Nothing where an account that is never below zero would be."""
    return moved if all(b + u >= 0 for b, u in zip(before[1:4], moved[1:4])) else [0] * 8


class PayRow:
    """A row of the pay table: a part of the meter, or a number for one; from where; and what it gives to others."""

    def __init__(self, plain: dict) -> None:
        self.code, self.source = plain["code"], plain["source"]
        self.part = Fraction(plain["part"]) if "part" in plain else None
        self.times = plain.get("for_one", 0)
        self.envy = None if plain["envy"] is None else int(Fraction(plain["envy"]) * UNIT)


class VersionTerms:
    def __init__(self, text: str) -> None:
        plain = json.loads(text)
        self.lines = [PayRow(line) for line in plain["pay_table"]["lines"]]
        self.half_up, self.aggregate = plain["rounding"] == "half_up", plain.get("aggregate")
        self.wager, self.seed = (int(Fraction(plain[term]) * UNIT) for term in ("wager", "seed"))
        self.limit = None if plain["limit"] is None else int(Fraction(plain["limit"]) * UNIT)
        meter, reserve = (self.wager * Fraction(plain[rate]) / 100 for rate in ("rate", "reserve_rate"))
        self.meter_part, self.reserve_part = int(meter), int(reserve)
        self.repay_part = int(meter * Fraction(plain.get("repay_rate", 0)) / 100)
        self.policy, self.cent = plain["policy"], UNIT // 10 ** plain["digits"]
        self.revenue = self.policy["overflow"] == "revenue"
        self.restarts = self.policy.get("dry_meter") == "restart"

    def line(self, code: str) -> PayRow | None:
        return next((line for line in self.lines if line.code == code), None)

    def cut(self, units: int) -> int:
        return units // self.cent * self.cent

    def up(self, lack: int) -> int:
        """Whole cents, never too little."""
        return -self.cut(-max(lack, 0))

    def pays(self, line: PayRow, basis: int) -> int:
        if line.part is None:
            return self.wager * line.times
        cents = basis * line.part / self.cent
        return int(cents + Fraction(1, 2) if self.half_up else cents) * self.cent

    def best_below(self, line: PayRow, basis: int) -> int:
        """What the best row below pays, under the switch “never less than the next row”."""
        if self.policy.get("row") != "never_less":
            return 0
        fixed_only = self.aggregate is not None and line.part is None
        below = self.lines[self.lines.index(line) + 1 :]
        return max((self.pays(row, basis) for row in below if row.part is None or not fixed_only), default=0)

    def lack(self, units: int, reserve: int) -> list[int]:
        """A shortfall in whole cents: of the reserve as far as it goes, then of the house."""
        due = self.up(units)
        kept = 0 if self.policy["shortfall"] == "house" else min(due, self.cut(max(reserve, 0)))
        return [0, due, -kept, 0, kept - due, 0, 0, 0]

    def within_limit(self, moved: list[int], meter: int) -> list[int]:
        """What the limit cuts off of a raise lies above the meter, or is revenue of the house."""
        over = self.above_limit(meter + moved[1], max(moved[1], 0))
        moved[1] -= over
        moved[4 if self.revenue else 3] += over
        return moved

    def above_limit(self, meter_after: int, raised_by: int) -> int:
        if self.limit is None or meter_after <= self.limit:
            return 0
        return min(raised_by, meter_after - self.limit)

    def spots(self, moved: list[int]) -> int:
        each = self.meter_part + self.reserve_part
        return max(-moved[0] // each, 1) if each else 1

    def advance(self, before: list[int]) -> list[int]:
        """A dry meter that restarts: the seed, lent by the house."""
        if not self.restarts or before[1] >= self.cent:
            return [0] * 8
        return self.within_limit([0, self.seed, 0, 0, -self.seed, 0, 0, 0], before[1])

    def coin_in(self, moved: list[int], before: list[int]) -> list[int]:
        spots = self.spots(moved)
        to_meter, to_reserve = spots * self.meter_part, spots * self.reserve_part
        return self.within_limit([-(to_meter + to_reserve), to_meter, to_reserve, 0, 0, 0, 0, 0], before[1])

    def contra(self, original: list[int], before: list[int]) -> list[int]:
        return self.made_good(self.within_limit([-units for units in original], before[1]), before)

    def made_good(self, undone: list[int], before: list[int]) -> list[int]:
        after = [b + u for b, u in zip(before, undone)]
        lacks = [self.up(-after[account]) for account in (1, 2, 3)]
        kept = 0 if self.policy["shortfall"] == "house" else min(self.cut(max(after[2], 0)), lacks[0])
        good = (0, lacks[0], lacks[1] - kept, lacks[2], kept - sum(lacks), 0, 0, 0)
        return [units + more for units, more in zip(undone, good)]

    def adjust(self, moved: list[int], before: list[int]) -> list[int]:
        by = 0 if moved[2] else moved[1] + moved[3]
        return possible(self.within_limit([0, by, moved[2], 0, -by - moved[2], 0, 0, 0], before[1]), before)

    def transfer(self, kind: str, moved: list[int], before: list[int]) -> list[int]:
        if kind == "transfer_out":
            left = [min(units, 0) for units in moved[1:4]]
            return possible([0, *left, 0, 0, 0, -sum(left)], before)
        came = [max(units, 0) for units in moved[1:5]]
        return self.within_limit([0, *came, 0, 0, -sum(came)], before[1])

    def due(self, kind: str, moved: list[int], before: list[int], original: list[int] | None) -> list[int] | None:
        if kind == "adjust" or kind in TRANSFERS:
            return self.adjust(moved, before) if kind == "adjust" else self.transfer(kind, moved, before)
        inside, house = [max(units, 0) for units in moved[1:4]], max(-moved[4], 0)
        owed, paid, back = max(moved[5], 0), max(moved[6], 0), min(max(-moved[6], 0), max(before[6], 0))
        source = [-owed, 0, 0, 0] if any(moved[1:3]) else [0, 0, 0, -owed]
        if kind == "coin_in":
            return self.coin_in(moved, before)
        if kind in CORRECTING:
            return None if original is None else self.contra(original, before)
        return {
            "opening": [0, self.seed, 0, 0, -self.seed, 0, 0, 0],
            "take_over": [0, *inside, -house, 0, 0, house - sum(inside)],
            "award": [0, *moved[1:4], -owed - sum(moved[1:4]), owed, 0, 0],
            "difference": self.made_good([0, *source, owed, 0, 0], before),
            "pay": [0, 0, 0, 0, 0, -paid, paid, 0],
            "receipt": [0, 0, 0, 0, back, 0, -back, 0],
        }.get(kind, [0] * 8)


def plus(one: list[int], other: list[int]) -> list[int]:
    return [a + b for a, b in zip(one, other)]


class Share:
    """What one seat is due: the movement of its award, and what its page says of it."""

    def __init__(self, seat: int, cause: int | None, line: PayRow, amount: int, moved: list[int]) -> None:
        self.whose, self.line, self.amount, self.moved = (seat, cause), line, amount, moved
        self.basis: int | None = None
        self.seed = self.reserve_released = self.overflow_returned = self.from_reserve = self.from_house = 0
        self.advance = [0] * 8

    def cover(self, lack: list[int]) -> None:
        self.moved = plus(self.moved, lack)
        self.from_reserve, self.from_house = self.from_reserve - lack[2], self.from_house - lack[4]

    def page(self) -> dict[str, str]:
        names = ("seed", "reserve_released", "overflow_returned", "from_reserve", "from_house")
        return {name: text_of(getattr(self, name)) for name in names}


class Settling:
    """One act, award by award, each from what the one before it left. Balances are lists in the order of ACCOUNTS."""

    def __init__(self, live: list[int], stood: list[int], ranked: tuple[int, int, list], judged: VersionTerms) -> None:
        self.live, self.terms = list(live), judged
        self.meter, self.reserve = stood[1] + ranked[0], max(stood[2] + ranked[1], 0)
        self.overflow, self.shares = stood[3], []
        for overflow, returned in ranked[2]:
            self.take_back(overflow, returned)

    def take_back(self, overflow: int, returned: int) -> None:
        """A reset takes the newest of the overflow, and what lay there at the frozen entry for want of newer."""
        self.overflow -= max(returned - max(overflow - self.overflow, 0), 0)

    def settle(self, hits: list[tuple], seats: list[int], in_force: VersionTerms, reset_by: VersionTerms) -> dict:
        """`hits` are (seat, line, amount that was fixed at J-POT or None)."""
        self.in_force, self.reset_by = in_force, reset_by
        hits = self.in_order(self.within_aggregate(hits))
        top = [hit for hit in hits if hit[1].part == 1]
        if self.terms.policy["order"] == "equal_shares" and len(top) > 1:
            self.settle_shared(top, [hit for hit in hits if hit[1].part != 1])
            for hit in [*top, *(hit for hit in hits if hit[1].part != 1)]:
                self.envy(hit, seats)
        else:
            for hit in hits:
                share = self.count(hit)
                self.make_good(share)
                if hit[1].part == 1:
                    self.reset(share)
                self.restart(share)
                self.post(share)
                self.envy(hit, seats)
        return {share.whose: share for share in self.shares}

    def in_order(self, hits: list[tuple]) -> list[tuple]:
        return sorted(hits, key=lambda hit: hit[0], reverse=self.terms.policy["order"] != "clockwise")

    def within_aggregate(self, hits: list[tuple]) -> list[tuple]:
        """Fixed awards above the table's aggregate are shared pro rata; odd cents to the largest remainders."""
        terms = self.terms
        due = {s: max(terms.pays(line, 0), terms.best_below(line, 0)) for s, line, _ in hits if line.part is None}
        most, total = int(Fraction(terms.aggregate or 0) * UNIT), sum(due.values())
        if terms.aggregate is None or total <= most:
            return [(seat, line, fixed) for seat, line, fixed in hits]
        exact = {seat: Fraction(units * most, total * terms.cent) for seat, units in due.items()}
        cents = {seat: int(part) for seat, part in exact.items()}
        left = most // terms.cent - sum(cents.values())
        for seat in sorted(exact, key=lambda seat: (cents[seat] - exact[seat], seat))[:left]:
            cents[seat] += 1
        cut = {seat: count * terms.cent for seat, count in cents.items()}
        return [(seat, line, cut.get(seat) if fixed is None else fixed) for seat, line, fixed in hits]

    def count(self, hit: tuple, shared: tuple[int, int, int] | None = None) -> Share:
        """A part of the frozen meter; what the next row adds to it, and a number for one, draw on the running meter.

        `shared` is an equal share, the basis it was divided from, and what the other shares still take.
        """
        seat, line, fixed = hit
        own, basis, held = shared or (0, self.terms.cut(max(self.meter, 0)), 0)
        own = own if shared else self.terms.pays(line, basis)
        due = max(own, self.terms.best_below(line, basis)) if fixed is None else fixed
        if line.part is None:
            return self.draw(seat, None, line, due, self.live)
        never_less = self.terms.policy.get("row") == "never_less" and line is not self.terms.lines[-1]
        part = min(own, due) if never_less else due
        share = Share(seat, None, line, due, [0, -part, 0, 0, 0, part, 0, 0])
        share.basis = basis
        if due > part:
            left = plus(self.live, share.moved)
            left[1] -= held
            beside = self.draw(seat, None, line, due - part, left)
            share.moved = plus(share.moved, beside.moved)
            share.from_reserve, share.from_house = beside.from_reserve, beside.from_house
        return share

    def draw(self, seat: int, cause: int | None, line: PayRow, due: int, live: list[int]) -> Share:
        if line.source == "tray":
            return Share(seat, cause, line, due, [0, 0, 0, 0, -due, due, 0, 0])
        share = Share(seat, cause, line, due, [0, -due, 0, 0, 0, due, 0, 0])
        share.cover(self.terms.lack(due - min(due, self.terms.cut(max(live[1], 0))), live[2]))
        return share

    def make_good(self, share: Share) -> None:
        """Before the reset: a new meter never begins below its seed because the old one lacked something."""
        after = plus(self.live, share.moved)
        if after[1] < 0:
            share.cover(self.terms.lack(-after[1], after[2]))

    def reset(self, share: Share) -> None:
        by, left = self.reset_by, plus(self.live, share.moved)
        kept = 0 if by.policy["overflow_at_reset"] == "all" else self.overflow
        released, returned = max(min(self.reserve + share.moved[2], left[2]), 0), max(left[3] - kept, 0)
        share.seed, share.reserve_released, share.overflow_returned = by.seed, released, returned
        raised = [0, by.seed + released + returned, -released, -returned, -by.seed, 0, 0, 0]
        share.moved = plus(share.moved, by.within_limit(raised, left[1]))

    def restart(self, share: Share) -> None:
        if share.line.source == "meter" and share.amount:
            share.advance = self.in_force.advance(plus(self.live, share.moved))

    def post(self, share: Share) -> None:
        moved = plus(share.moved, share.advance)
        self.take_back(self.live[3], share.overflow_returned)
        self.live = plus(self.live, moved)
        self.meter, self.reserve = self.meter + moved[1], self.reserve + moved[2]
        self.in_force = self.reset_by if share.seed else self.in_force
        self.shares.append(share)

    def settle_shared(self, top: list[tuple], lower: list[tuple]) -> None:
        """Equal shares of the whole meter, odd cents stay; the lower rows; one reset with the last of them."""
        basis = self.terms.cut(max(self.meter, 0))
        each = self.terms.cut(basis // len(top))
        for place, hit in enumerate([*top, *lower], 1):
            held = each * max(len(top) - place, 0)
            share = self.count(hit, (each, basis, held) if hit[1].part == 1 else None)
            self.make_good(share)
            if place == len(top) + len(lower):
                self.reset(share)
            self.post(share)

    def envy(self, hit: tuple, seats: list[int]) -> None:
        for seat, *_ in self.in_order([(seat,) for seat in seats if seat != hit[0] and hit[1].envy is not None]):
            share = self.draw(seat, hit[0], hit[1], hit[1].envy, self.live)
            self.restart(share)
            self.post(share)


class HitOnBooks:
    """A win: its row, and what its entries make of it."""

    def __init__(
        self, row: dict, state: str, seq: int, balances: list[int], line: PayRow | None, terms: object
    ) -> None:
        self.row, self.state, self.rank, self.frozen = row, state, seq, (seq, balances)
        self.part = line is not None and line.part is not None
        self.at_approval = terms is not None and terms.policy["freeze"] == "approval"
        self.place = (row["table"], row["round"])
        self.front = self.award = self.lit = None


class ApprovedTogether:
    """What was logged together of one round, and where the jackpot stood then."""

    def __init__(self, place: tuple, logged: tuple, in_force: str) -> None:
        self.place, self.logged, self.in_force, self.in_force_at_award = place, logged, in_force, ""
        self.hits: list[HitOnBooks] = []
        self.paid: list[tuple[dict, list[int], list[int]]] = []

    def has(self, win: int) -> bool:
        return any(hit.row["id"] == win for hit in self.hits)

    def source(self, hit: HitOnBooks) -> HitOnBooks | None:
        return next((each for each in self.hits if each.row["id"] == hit.row["envy_of"]), None)

    def whose(self, hit: HitOnBooks) -> tuple[int, int | None]:
        source = self.source(hit)
        return hit.row["seat"], source and source.row["seat"]


def win_name(row: dict) -> str:
    return f"slip {row['slip']}" if row["slip"] else f"hit {row['table']}/{row['round']}/{row['seat']}"


def amount_of(row: dict) -> str | None:
    return row["amount"] and text_of(units_of(row["amount"]))


def none(value: object) -> object:
    return "none" if value is None else value


class AwardLedger:
    """Every award of one jackpot counted again from its entries: its rank, its frozen entry, what was due."""

    def __init__(self, code: str, versions: dict[str, tuple[str, VersionTerms | None]]) -> None:
        self.code, self.versions = code, versions
        self.rows: dict[int, dict] = {}
        self.places: set[tuple] = set()
        self.coin_ins: dict[tuple, list[tuple[int, str, str]]] = defaultdict(list)
        self.hits: dict[int, HitOnBooks] = {}
        self.open: dict[int, HitOnBooks] = {}
        self.at: dict[tuple, list[HitOnBooks]] = defaultdict(list)
        self.ranked: list[tuple[int, int, bool, list[int]]] = []
        self.acts: dict[tuple, ApprovedTogether] = {}
        self.paying, self.logging, self.returned = None, None, {}
        self.says, self.mark_says, self.in_force = 0, 0, ""

    def terms(self, version: object) -> VersionTerms | None:
        return self.versions.get(str(version), ("", None))[1]

    def line(self, row: dict) -> PayRow | None:
        terms = self.terms(row["version"])
        return terms and terms.line(row["hand"])

    def entry(self, plain: dict, moved: list[int], before: list[int], in_force: str) -> None:
        kind, place = plain["kind"], (plain["table"], plain["round"])
        if kind == "coin_in" and place in self.places:
            self.coin_ins[place].append((plain["seq"], str(plain["version"]), plain["request"]))
        if self.paying and not (kind in ("award", "advance") and self.paying.has(plain["win"])):
            self.judge()
        if kind != "log":
            self.logging = None
        if plain["win"] is not None:
            self.in_force = in_force
            self.of_win(plain, moved, before)

    def of_win(self, plain: dict, moved: list[int], before: list[int]) -> None:
        where, row, kind = f"{self.code}/{plain['seq']}", self.rows.get(plain["win"]), plain["kind"]
        if row is None:
            found("win", where, "its win", f"a hit of {self.code}", "none")
            return
        of_row, of_entry = f"{row['table']}/{row['round']}", f"{plain['table']}/{spelt(plain['round'])}"
        same("win", where, f"the round of {win_name(row)}", of_entry, of_row)
        hit = self.hits.get(plain["win"])
        if hit is None:
            hit = self.begin(plain, row, before)
        elif kind in LIFE:
            states, leads_to = LIFE[kind]
            if hit.state in states:
                hit.state = leads_to
            else:
                instead = f"{kind} of a win that is {hit.state}"
                found("win", where, f"what became of {win_name(row)}", "the next step of a win", instead)
        if hit is not None:
            self.stand(hit)
            self.happened(where, plain, hit, moved, before)

    def stand(self, hit: HitOnBooks) -> None:
        self.open.pop(hit.row["id"], None)
        if hit.state in OPEN:
            self.open[hit.row["id"]] = hit

    def begin(self, plain: dict, row: dict, before: list[int]) -> HitOnBooks | None:
        first = "difference" if row["difference_of"] else "log" if row["envy_of"] else "mark"
        if plain["kind"] != first:
            found("win", f"{self.code}/{plain['seq']}", f"the first entry of {win_name(row)}", first, plain["kind"])
            return None
        line, terms = self.line(row) if first == "mark" else None, self.terms(row["version"])
        if first == "mark" and line is None and terms is not None:
            found("win", f"{self.code} {win_name(row)}", "its hand", "a line of its version", row["hand"])
        if first == "mark" and row.get("said"):
            self.check_marked(plain, row)
        state = {"difference": "owed", "log": "logged", "mark": "marked"}[first]
        hit = HitOnBooks(row, state, plain["seq"], before, line, terms)
        lit = self.lit_for(hit) if first == "mark" and row["seat"] else None
        if lit is not None and row["mark"] == lit.rank:
            hit.lit, hit.rank, hit.frozen = lit, lit.rank, lit.frozen
        self.hits[row["id"]] = hit
        self.at[hit.place].append(hit)
        return hit

    def check_marked(self, plain: dict, row: dict) -> None:
        """From the first mark that seals seat and hand on, every one must."""
        whole = {"act": "mark", "win": row["id"], "seat": row["seat"], "line": row["hand"], "said": row["said"]}
        forms = [row["said"], digest_of(whole)]
        says = forms.index(plain["request"]) if plain["request"] in forms else -1
        if says < self.mark_says:
            where, told = f"{self.code}/{plain['seq']}", f"seat {row['seat']}, {row['hand']}: {forms[-1]}"
            found("win", where, f"what was marked as {win_name(row)}", f"a request of {plain['request']}", told)
        self.mark_says = max(self.mark_says, says)

    def lit_for(self, hit: HitOnBooks) -> HitOnBooks | None:
        """A hand key that was lit before its seats were said gives them its rank, while it is on."""
        same = [each for each in self.at[hit.place] if each.row["hand"] == hit.row["hand"]]
        held = [each.lit for each in same if each.state == "marked"]
        lit = [each for each in same if not each.row["seat"] and (each.state == "marked" or each in held)]
        return lit[-1] if lit else None

    def happened(self, where: str, plain: dict, hit: HitOnBooks, moved: list[int], before: list[int]) -> None:
        kind, row = plain["kind"], hit.row
        if kind in ("pass_queue", "rejoin"):
            hit.front = plain["seq"] if kind == "pass_queue" else None
        elif kind == "log":
            self.check_day(where, plain, row)
            self.log(where, plain, hit, before)
        elif kind in ("award", "advance"):
            self.pay(where, plain, hit, moved, before)
        elif kind == "difference" and row["difference_of"]:
            hit.award = plain["seq"]
            self.check_day(where, plain, row)
            self.check_amount(where, row, moved[5])
            self.check_difference(where, row)
        elif kind == "pay":
            self.check_amount(where, row, moved[6])
        elif kind == "back_out":
            if (plain["corrects"] or 0) != (hit.award or 0):
                due = f"{self.code}/{hit.award}" if hit.award else "none, it had not moved"
                what = f"the award of {win_name(row)} that it corrects"
                found("win", where, what, due, plain["corrects"] or "none")
            if hit.award is None:
                self.acts.pop(hit.place, None)

    def check_day(self, where: str, plain: dict, row: dict) -> None:
        same("win", where, f"the gaming day of {win_name(row)}", plain["day"], none(row["day"]))

    def check_amount(self, where: str, row: dict, units: int) -> None:
        same("win", where, f"the amount of {win_name(row)}", text_of(units), none(amount_of(row)))

    def check_difference(self, where: str, row: dict) -> None:
        terms, line = self.terms(row["version"]), self.line(row)
        if terms is None:
            return
        try:
            page = row["page"]["difference"]
            basis, was = (int(Fraction(page[name]) * UNIT) for name in ("basis", "was"))
            share = terms.pays(line, basis)
            own = share if page["sharers"] == 1 else terms.cut(share // page["sharers"])
            due = max(own, terms.best_below(line, basis)) - was
        except WRONG:
            found("win", where, f"the page of {win_name(row)}", "how its difference was counted", "none")
            return
        same("win", where, f"the difference that {win_name(row)} pays", text_of(due), none(amount_of(row)))

    def log(self, where: str, plain: dict, hit: HitOnBooks, before: list[int]) -> None:
        act = self.logging
        if act is None or act.place != hit.place:
            act = self.begin_act(where, plain, hit, before)
        act.hits.append(hit)
        row, amount = hit.row, amount_of(hit.row)
        asked = {"act": "log", "win": row["id"], "by": "approval", "why": ""}
        sealed = {name: row[name] for name in ("seat", "envy_of", "number", "slip")}
        full, people = {**asked, **sealed, "line": row["hand"], "amount": amount}, row["approved"]
        forms = [digest_of(each) for each in (asked, full, {**full, "people": people})]
        says = forms.index(plain["request"]) if plain["request"] in forms else -1
        if says < self.says:
            by = ", ".join(map(str, people)) or "nobody"
            said = f"seat {row['seat']}, {row['hand']}, slip {row['slip']}, {none(amount)}, by {by}: {forms[-1]}"
            found("win", where, f"what was approved as {win_name(row)}", f"a request of {plain['request']}", said)
        elif says == 2 and not (people or row["envy_of"]):
            found("win", where, f"who approved {win_name(row)}", "a person", "nobody")
        self.says = max(self.says, says)

    def begin_act(self, where: str, plain: dict, hit: HitOnBooks, before: list[int]) -> ApprovedTogether:
        """Rank and frozen entry: the earliest standing mark of a part. A tray hit gives no rank."""
        act = ApprovedTogether(hit.place, (plain["seq"] - 1, before), str(plain["version"]))
        mine = [each for each in self.open.values() if each.place == act.place]
        mine = [each for each in mine if each is hit or each.state == "asked"]
        parts = [each for each in mine if each.part]
        act.ranked, act.rank = bool(parts), min(each.rank for each in parts or mine)
        act.front = any(each.front for each in mine)
        frozen = min((each.frozen for each in parts or mine), key=lambda point: point[0])
        act.frozen = act.logged if hit.at_approval else frozen
        counted = [(moved, self.returned.get(seq, (0, 0))) for seq, rank, front, moved in self.ranked
                   if seq > act.frozen[0] and (rank < act.rank or (parts and front))]  # fmt: skip
        act.moved = *(sum(moved[at] for moved, _ in counted) for at in (1, 2)), [each for _, each in counted]
        first = self.in_front_of(act.place, parts)
        if first is not None:
            mark = f"round {first.place[0]}/{first.place[1]}, marked at {self.code}/{first.rank}"
            own = f"round {act.place[0]}/{act.place[1]}, marked at {self.code}/{act.rank}"
            found("award", where, "which hit comes first", mark, own)
        self.logging = self.acts[act.place] = act
        return act

    def in_front_of(self, place: tuple, own: list[HitOnBooks]) -> HitOnBooks | None:
        """The earliest part of the round that had to be settled before: logged, let pass last, or marked earlier."""
        rounds: dict[tuple, list[HitOnBooks]] = defaultdict(list)
        for hit in self.open.values():
            if own and hit.part and hit.place != place:
                rounds[hit.place].append(hit)
        mine = max((hit.front or 0 for hit in own), default=0)
        rank, at_approval = min((hit.rank for hit in own), default=0), any(hit.at_approval for hit in own)
        before = []
        for parts in rounds.values():
            logged, front = any(hit.state == "logged" for hit in parts), max(hit.front or 0 for hit in parts)
            first, late = min(parts, key=lambda hit: hit.rank), any(hit.at_approval for hit in parts)
            ahead = not late and (at_approval or first.rank < rank) if front == mine else front > mine
            if logged or ahead:
                before.append((not logged, -front, late, first.rank, first))
        return min(before, key=lambda turn: turn[:4])[-1] if before else None

    def pay(self, where: str, plain: dict, hit: HitOnBooks, moved: list[int], before: list[int]) -> None:
        act = self.acts.get(hit.place)
        if plain["kind"] == "award":
            hit.award = plain["seq"]
            self.check_amount(where, hit.row, moved[5])
        if act is None or not act.has(hit.row["id"]):
            return
        if self.paying is None:
            self.paying, act.in_force_at_award = act, self.in_force
        act.paid.append((plain, moved, before))
        if act.ranked:
            self.ranked.append((plain["seq"], act.rank, act.front, moved))

    def judge(self) -> None:
        """The whole act, now that all of it has been read."""
        act, self.paying = self.paying, None
        self.acts.pop(act.place, None)
        for hit in act.hits:
            rank = (act.source(hit) or hit).rank
            row, where = hit.row, f"{self.code} {win_name(hit.row)}"
            said = (("the entry of its mark", rank, "mark"), ("its frozen entry", act.frozen[0], "frozen"))
            for what, due, name in (*said, ("whether later hits count it", act.ranked, "ranked")):
                same("win", where, what, due, row[name])
        if act.front:
            self.freeze_anew(act)
        own = [hit for hit in act.hits if not hit.row["envy_of"]]
        last = act.paid[-1][0]["version"]
        versions = (own[0].row["version"] if own else "", act.in_force, act.in_force_at_award, last)
        terms = [self.terms(version) for version in versions]
        if all(terms) and all(self.line(hit.row) for hit in own):
            self.settle_again(act, own, terms, self.seats_of(act))

    def freeze_anew(self, act: ApprovedTogether) -> None:
        """Every round that the act has passed counts from where the act counted."""
        for place, hits in self.at.items():
            waiting = [hit for hit in hits if hit.state in OPEN and not hit.row["envy_of"]]
            parts = [hit.frozen[0] for hit in waiting if hit.part]
            if place != act.place and parts and min(parts) < act.frozen[0]:
                for hit in hits:
                    if hit.state in (*OPEN, "assigned") and hit.frozen[0] < act.frozen[0]:
                        hit.frozen = act.frozen

    def seats_of(self, act: ApprovedTogether) -> list[int]:
        """Who had a coin-in, told by its sealed request: no other seats give it."""
        earlier = [coin_in for coin_in in self.coin_ins[act.place] if coin_in[0] <= act.logged[0]]
        if not earlier:
            found(
                "award", f"round {act.place[0]}/{act.place[1]}", "the coin-in of its hits", "an earlier entry", "none"
            )
            return sorted({hit.row["seat"] for hit in act.hits})
        _, version, request = earlier[-1]
        chosen = (seats for count in range(1, 10) for seats in combinations("123456789", count))
        asked = (["coin_in", *act.place, "".join(seats)] for seats in chosen)
        seats = next((each[3] for each in asked if digest_of(each) == request), "")
        for hit in act.hits:
            where = f"{self.code} {win_name(hit.row)}"
            if str(hit.row["seat"]) not in seats:
                found("win", where, "its seat", f"one with a coin-in: {seats or 'none'}", hit.row["seat"])
            if str(hit.row["version"]) != version:
                named = [self.versions[str(each)][0] for each in (version, hit.row["version"])]
                found("win", where, "the terms that judge it", *named)
        return [int(seat) for seat in seats]

    def settle_again(self, act: ApprovedTogether, own: list[HitOnBooks], terms: list, seats: list[int]) -> None:
        """Amounts as at approval, movements as at the award; a reset obeys the terms that its entry names."""
        judged, at_log, at_award, reset_by = terms
        hits = [(hit.row["seat"], self.line(hit.row), None) for hit in own]
        amounts = {act.whose(hit): hit.row["amount"] and units_of(hit.row["amount"]) for hit in act.hits}
        for by in (at_log, reset_by):  # a version that began to wait between J-POT and RUN had no part in the first
            fixed = Settling(act.logged[1], act.frozen[1], act.moved, judged).settle(hits, seats, at_log, by)
            if amounts == {whose: share.amount for whose, share in fixed.items()}:
                break
        hits = [(seat, line, fixed[seat, None].amount) for seat, line, _ in hits]
        now = Settling(act.paid[0][2], act.frozen[1], act.moved, judged).settle(hits, seats, at_award, reset_by)
        where = f"{self.code}/{act.paid[-1][0]['seq']}"
        digests = [self.versions[str(each)][0] for each in (act.in_force_at_award, act.paid[-1][0]["version"])]
        if len(set(digests)) > 1 and not any(share.seed for share in now.values()):
            found("award", where, "the terms it names", *digests)
        self.compare(act, fixed, now, at_award, reset_by)

    def compare(
        self, act: ApprovedTogether, fixed: dict, now: dict, at_award: VersionTerms, reset_by: VersionTerms
    ) -> None:
        whose = {hit.row["id"]: act.whose(hit) for hit in act.hits}
        rows = {hit.row["id"]: hit.row for hit in act.hits}
        places, due = list(now), dict(now)
        advanced = {plain["win"] for plain, *_ in act.paid if plain["kind"] == "advance"}
        awards = [each for each in act.paid if each[0]["kind"] == "award"]
        after = {plain["win"]: plus(before, moved) for plain, moved, before in act.paid}
        for place, (plain, moved, before) in enumerate(awards, 1):
            where, row = f"{self.code}/{plain['seq']}", rows[plain["win"]]
            name, share = win_name(row), due.pop(whose[plain["win"]], None)
            if share is None:
                found("award", where, f"the award of {name}", "none", movement_text(moved))
                continue
            self.returned[plain["seq"]] = before[3], share.overflow_returned
            same("award", where, f"the place of {name} in its act", places.index(share.whose) + 1, place)
            same("award", where, f"what {name} moved", movement_text(share.moved), movement_text(moved))
            if any(share.advance) and plain["win"] not in advanced:
                seed = f"an advance of {text_of((reset_by if share.seed else at_award).seed)}"
                found("win", where, f"what follows {name}, which left the meter dry", seed, "none")
            basis = fixed[share.whose].basis
            page = {"basis": basis if basis is None else text_of(basis), **share.page()}
            stood = zip(("meter_before", "meter_after", "reserve_after"), (before[1], *after[row["id"]][1:3]))
            page.update({what: text_of(units) for what, units in stood if what in row["page"]})
            for what, printed in page.items():
                if row["page"].get(what) != printed:
                    instead = row["page"].get(what) or "none"
                    found("win", where, f"{what.replace('_', ' ')} on the page of {name}", printed or "none", instead)
        for (seat, _), share in due.items():
            where = f"{self.code}/{act.paid[-1][0]['seq']}"
            found("award", where, f"the award of seat {seat}", movement_text(share.moved), "none")

    def close(self) -> None:
        if self.paying:
            self.judge()
        for number, row in self.rows.items():
            where, hit = f"{self.code} {win_name(row)}", self.hits.get(number)
            if hit is None:
                found("win", where, "its entries", "the mark, log or difference it began with", "none")
                continue
            said = [("its state", hit.state, "state"), ("the award entry it names", hit.award, "award")]
            said.append(("the entry that let it pass", hit.front, "front"))
            if hit.state in ("marked", "asked"):
                said += [("the entry of its mark", hit.rank, "mark"), ("its frozen entry", hit.frozen[0], "frozen")]
            for what, due, name in said:
                same("win", where, what, none(due), none(row[name]))


class JackpotLedger:
    """One jackpot's entries in the order of their numbers, each judged against the stored one before it."""

    def __init__(self, code: str) -> None:
        self.code = code
        self.versions: dict[str, tuple[str, VersionTerms | None]] = {}
        self.heads: dict[int, list[tuple[str, str]]] = defaultdict(list)
        self.standing: dict[str, object] | None = None
        self.entries = self.seq = self.at = 0
        self.seal, self.in_force = "00" * 32, ""
        self.balances = [0] * 8
        self.movements, self.corrected, self.paid, self.transfers = {}, {}, set(), {}
        self.owed = self.due_next = 0
        self.advanced, self.repaid, self.awarded = {}, {}, (None, 0)
        self.awards, self.in_force_before = AwardLedger(code, self.versions), ""
        self.acts, self.payments, self.receipts = {}, {}, {}
        self.signed_entries, self.window_entries, self.taken = [], [], None

    def version(self, plain: dict[str, object]) -> None:
        where, terms = f"{self.code} version {plain['number']}", str(plain["terms"])
        expected = hashlib.sha256(terms.encode()).hexdigest() if terms.isascii() else "a text of ASCII only"
        same("version", where, "the digest of its terms", expected, plain["digest"])
        known = VersionTerms(terms) if expected == plain["digest"] else None
        self.versions[str(plain["number"])] = (str(plain["digest"]), known)

    def entry(self, plain: dict[str, object]) -> None:
        seq, at = int(spelt(plain["seq"])), microseconds(plain["at"])
        where, version, kind = f"{self.code}/{seq}", spelt(plain["version"]), plain["kind"]
        self.in_force_before = self.in_force
        moved, after = ",".join(plain["movement"]), ",".join(plain["after"])
        same("gap", where, "the number", self.seq + 1, seq)
        digest, terms = self.versions.get(version, ("", None))
        if version not in self.versions:
            found("version", where, "its version", "a version of this jackpot", "none known")
        else:
            self.check_seal(where, plain, at, digest, moved, after)
            if self.in_force not in ("", version) and kind not in ("award", "back_out", "configure"):
                found("version", where, "the terms it names", "those of the entry before", f"other terms, at a {kind}")
            else:
                self.in_force = version
        self.check_money(where, plain, terms, moved)
        if at < self.at:
            found("time", where, "its time (µs)", f"{self.at} or later", at)
        due_days = days_at(at, self.standing["clocks"]) if self.standing else [plain["day"]]
        if plain["day"] not in due_days:
            found("day", where, "its gaming day", due_days[0], plain["day"])
        self.check_heads(where, seq, plain["seal"])
        self.entries, self.seq, self.at, self.seal = self.entries + 1, seq, at, plain["seal"]

    def check_seal(self, where: str, plain: dict, at: int, digest: str, moved: str, after: str) -> None:
        fields = ("v1", self.seal, self.code, str(plain["seq"]), plain["kind"], plain["key"], str(at), plain["day"])
        about = (plain["table"], spelt(plain["round"]), spelt(plain["win"]), spelt(plain["corrects"]))
        fields += (*about, digest, moved, after, plain["request"])
        expected = hashlib.sha256("|".join(fields).encode()).hexdigest()
        same("seal", where, "the seal over what it says and the seal before", expected, plain["seal"])

    def check_money(self, where: str, plain: dict, terms: VersionTerms | None, text: str) -> None:
        self.movements[plain["seq"]] = [0] * 8
        try:
            moved, after = [units_of(t) for t in plain["movement"]], [units_of(t) for t in plain["after"]]
        except ValueError:
            moved, after = [], []
        if len(moved) != 8 or len(after) != 8:
            found("unreadable", where, "its amounts", "8 amounts with 8 decimals, twice", text)
            return
        before, self.balances = self.balances, after
        for name, b, m, a in zip(ACCOUNTS, before, moved, after):
            if b + m != a:
                found("balance", where, f"{name} after it", text_of(b + m), text_of(a))
        if sum(moved):
            found("sum", where, "its movement adds up to", "0.00", text_of(sum(moved)))
            self.awards.entry(plain, [0] * 8, before, self.in_force_before)
            return
        if plain["kind"] == "take_over":
            self.taken = moved
        elif plain["kind"] in (*SIGNED, "back_out"):
            self.signed_entries.append((plain, moved, before, terms))
        if plain["kind"] in ("pay", "back_out", "receipt"):
            self.window_entries.append((plain, moved))
        self.check_repaid(where, plain["kind"])
        self.check_rule(where, plain, terms, moved, before)
        self.movements[plain["seq"]] = moved
        self.note_advance(plain, terms, moved)
        self.awards.entry(plain, moved, before, self.in_force_before)

    def check_repaid(self, where: str, kind: str) -> None:
        """While the house's advance is owed, the entry after a coin-in is what it repays."""
        if self.due_next and kind != "repay":
            repays = movement_text([0, -self.due_next, 0, 0, self.due_next, 0, 0, 0])
            found("rule", where, "what repays the house advance", f"repay, {repays}", kind or "none")

    def note_advance(self, plain: dict, terms: VersionTerms | None, moved: list[int]) -> None:
        kind, seq, win, self.due_next = plain["kind"], plain["seq"], plain["win"], 0
        if kind == "coin_in" and self.owed and terms is not None:
            self.due_next = min(terms.spots(moved) * terms.repay_part, self.owed, max(moved[1], 0))
        elif kind == "award":
            self.awarded = (win, seq)
        elif kind == "advance":
            self.owed, self.advanced[win] = self.owed - moved[4], -moved[4]
        elif kind == "repay":
            self.owed, self.repaid[seq] = self.owed - moved[4], moved[4]
        elif kind == "back_out":
            self.owed -= min(self.advanced.pop(win, 0), self.owed)
        elif kind in CORRECTING:
            self.owed += self.repaid.pop(plain["corrects"], 0)

    def lent(self, plain: dict, terms: VersionTerms, before: list[int]) -> list[int]:
        """What an advance, right after the award that left the meter dry, or a repayment must move."""
        if plain["kind"] == "repay":
            return [0, -self.due_next, 0, 0, self.due_next, 0, 0, 0]
        return terms.advance(before) if self.awarded == (plain["win"], plain["seq"] - 1) else [0] * 8

    def check_rule(
        self, where: str, plain: dict, terms: VersionTerms | None, moved: list[int], before: list[int]
    ) -> None:
        kind = plain["kind"]
        if kind not in KINDS or (kind in FIRST) != (plain["seq"] == 1):
            wanted = "opening or take_over" if plain["seq"] == 1 else "a kind that may follow entry 1"
            found("rule", where, "its kind", wanted, kind)
            return
        if kind in TRANSFERS:
            self.transfers[plain["seq"]] = (kind, plain["key"], moved[7])
        original = self.original(where, plain)
        lent = terms is not None and kind in ("advance", "repay")
        due = self.lent(plain, terms, before) if lent else terms and terms.due(kind, moved, before, original)
        if due and due != moved:
            found("rule", where, f"what its {kind} moved", movement_text(due), movement_text(moved))
        if kind == "pay" and due == moved:
            self.paid.add(plain["win"])

    def original(self, where: str, plain: dict) -> list[int] | None:
        kind, corrects = plain["kind"], plain["corrects"]
        if kind not in CORRECTING:
            if corrects:
                found("correction", where, "a correction by its kind", "none", f"{kind} of {corrects}")
            return None
        if plain["win"] is not None and corrects is None and kind != "recount":
            return [0] * 8
        original = self.movements.get(corrects or 0)
        if original is None:
            found("correction", where, "the entry it corrects", "an earlier entry", corrects or "none")
        elif corrects in self.corrected:
            other = f"{self.code}/{self.corrected[corrects]}"
            found("correction", where, f"what corrects {self.code}/{corrects}", other, "this one too")
        self.corrected.setdefault(corrects or 0, plain["seq"])
        if original and kind == "back_out":
            back = min(self.advanced.get(plain["win"], 0), self.owed)
            original = [original[0], original[1] + back, *original[2:4], original[4] - back, *original[5:]]
            if plain["win"] in self.paid:
                return [*original[:4], original[4] + original[5], 0, *original[6:]]
        return original

    def check_heads(self, where: str, seq: int, seal: str) -> None:
        for head_seal, head_meter in self.heads.pop(seq, ()):
            if head_seal != seal:
                found("published head", where, "the seal published for it", head_seal, seal)
            elif head_meter != text_of(self.balances[1]):
                found("published head", where, "the meter published for it", head_meter, text_of(self.balances[1]))

    def close(self) -> None:
        if (row := self.standing) is None:
            found("jackpot row", self.code, "the jackpot's row", "a line in the file", "none")
            return
        at = 0 if row["last_at"] is None else microseconds(row["last_at"])
        said = {"names another last entry": (self.seq, row["last_seq"]), "holds another seal": (self.seal, row["seal"])}
        for what, (ours, theirs) in {**said, "holds another time (µs)": (self.at, at)}.items():
            same("jackpot row", self.code, f"the jackpot's row {what}", ours, theirs)
        for name, ours, text in zip(ACCOUNTS, self.balances, row["balances"]):
            same("jackpot row", self.code, f"{name} in the jackpot's row", text_of(ours), text_of(units_of(text)))
        self.check_repaid(f"{self.code}/{self.seq}", "")
        self.awards.close()
        self.check_signed()
        self.check_reading(row["reading"])
        self.check_receipts()
        self.check_payments(row["taxes"])
        advance = text_of(units_of(row.get("advance", "0.00000000")))
        same("jackpot row", self.code, "the house advance still owed", text_of(self.owed), advance)
        for seq in sorted(self.heads):
            seal = f"an entry with seal {self.heads[seq][0][0]}"
            found("published head", f"{self.code}/{seq}", "a published head names this entry", seal, "no such entry")

    def check_signed(self) -> None:
        """Every entry that takes two people has what they signed, and the amount is that."""
        for plain, moved, before, terms in self.signed_entries:
            where, kind, act = f"{self.code}/{plain['seq']}", plain["kind"], self.acts.pop(plain["seq"], None)
            if act and act.get("request") and act["request"] != plain["request"]:
                found("adjustment", where, f"the words of {act['name']}", act["request"], plain["request"])
            if act and act.get("day") and act["day"] != plain["day"]:
                found("adjustment", where, f"the gaming day of {act['name']}", plain["day"], act["day"])
            if act is None:
                if kind in SIGNED:
                    found("adjustment", where, f"who signed this {kind}", "a request that was approved", "none")
            elif kind not in SIGNED_AS[act["kind"]]:
                found("adjustment", where, f"the entry of {act['name']}", act["kind"], kind)
            elif kind == "adjust" and act["amount"] is not None and terms is not None:
                by, kept = units_of(act["amount"]), act["account"] == "reserve"
                wanted = [0, 0 if kept else by, by if kept else 0, 0, -by, 0, 0, 0]
                due = movement_text(terms.adjust(wanted, before))
                same("adjustment", where, f"what {act['name']} moved", due, movement_text(moved))
            elif kind == "difference":
                owes = units_of(act["amount"]) if act["pays"] and act["amount"] is not None else 0
                same("adjustment", where, f"what {act['name']} owes", text_of(owes), text_of(moved[5]))
        for seq, act in sorted(self.acts.items()):
            found("adjustment", f"{self.code}/{seq}", f"the entry of {act['name']}", act["kind"], "none of its kind")

    def check_reading(self, reading: dict | None) -> None:
        """Entry 1 of a jackpot that ran elsewhere before brings what two people read there."""
        if self.taken is None or reading is None:
            return
        read = [int(Fraction(reading[name]) * UNIT) for name in ("meter", "reserve", "overflow", "house_seed")]
        due = movement_text([0, *read[:3], -read[3], 0, 0, read[3] - sum(read[:3])])
        same(
            "adjustment", f"{self.code}/1", "what the reading of the old system brings", due, movement_text(self.taken)
        )

    def check_payments(self, taxes: list[dict]) -> None:
        """Each payment has a record of its sum, split as the tax of its day says."""
        for plain, moved in ((plain, moved) for plain, moved in self.window_entries if plain["kind"] == "pay"):
            where, paid = f"{self.code}/{plain['seq']}", self.payments.pop(plain["seq"], None)
            if paid is not None:
                self.check_payment(where, plain, moved, paid, taxes)
            else:
                found("payment", where, "the record of this payment", "one", "none")
        for seq, paid in sorted(self.payments.items()):
            found("payment", f"{self.code}/{seq}", f"the entry of slip {paid['slip']}", "a payment", "none")

    def check_payment(self, where: str, plain: dict, moved: list[int], paid: dict, taxes: list[dict]) -> None:
        gross, withheld, net = (units_of(paid[name]) for name in ("gross", "withheld", "net"))
        win = self.awards.rows.get(plain["win"])
        said = [
            ("the seal in the record of", plain["seal"], paid["entry_seal"]),
            ("the gaming day of", plain["day"], paid["day"]),
            ("the sum of", text_of(moved[6]), text_of(gross)),
        ]
        if win is not None:
            said.append(("the slip of", win["slip"], paid["slip"]))
        terms = None if win is None else self.awards.terms(win["version"])
        if terms is not None:
            due, reported = self.split(win, terms, gross, paid, taxes)
            said += [
                ("what was withheld of", text_of(due), text_of(withheld)),
                ("what the player got of", text_of(gross - due), text_of(net)),
                ("whether", reported, paid["reported"]),
            ]
        for what, expected, instead in said:
            whole = "whether this payment is reported" if what == "whether" else f"{what} this payment"
            same("payment", where, whole, expected, instead)

    def check_receipts(self) -> None:
        """What came back over the windows: paid, backed out, and then back, with the tax at the last of it."""
        paid, undone, came_back = {}, set(), Counter()
        for plain, moved in self.window_entries:
            where, win, record = f"{self.code}/{plain['seq']}", plain["win"], None
            if plain["kind"] == "pay":
                paid[win] = self.payments.get(plain["seq"])
            elif plain["kind"] == "back_out":
                undone.add(win)
            else:
                record = self.receipts.pop(plain["seq"], None)
                payment = paid.get(win) if win in undone else None
                if record is None or payment is None:
                    what = "the record of this receipt" if record is None else "the payment in error that comes back"
                    found("payment", where, what, "one", "none")
                    continue
                self.check_receipt(where, plain, moved, record, payment, came_back)
        for seq, record in sorted(self.receipts.items()):
            what = f"the entry of the receipt for slip {record['slip']}"
            found("payment", f"{self.code}/{seq}", what, "a receipt", "none")

    def check_receipt(
        self, where: str, plain: dict, moved: list[int], record: dict, payment: dict, came_back: Counter[object]
    ) -> None:
        gross, withheld, net = (units_of(record[name]) for name in ("gross", "withheld", "net"))
        win, owed = plain["win"], units_of(payment["net"])
        came_back[win] += net
        last = came_back[win] == owed and not came_back[win, "whole"]
        came_back[win, "whole"] += last
        released = units_of(payment["withheld"]) if last else 0
        for what, expected, instead in (
            ("the seal in the record of this receipt", plain["seal"], record["entry_seal"]),
            ("the gaming day of this receipt", plain["day"], record["day"]),
            ("the sum of this receipt", text_of(-moved[6]), text_of(gross)),
            ("what came over the window", text_of(gross - withheld), text_of(net)),
            ("what it gives back of the tax withheld", text_of(released), text_of(withheld)),
            ("what came back of the payment", text_of(min(came_back[win], owed)), text_of(came_back[win])),
            ("the slip of this receipt", self.awards.rows.get(win, {}).get("slip"), record["slip"]),
        ):
            same("payment", where, what, expected, instead)

    def split(self, win: dict, terms: VersionTerms, gross: int, paid: dict, taxes: list[dict]) -> tuple[int, bool]:
        """The newest rule that had begun on the day of payment; the rest of an award pays what the whole owes more."""
        rules = sorted((rule for rule in taxes if rule["begins"] <= paid["day"]), key=lambda rule: rule["begins"])
        if not rules:
            return 0, False
        cent, told = UNIT // 10 ** paid["digits"], win["page"].get("difference")
        was = int(Fraction(told["was"]) * UNIT) if told else 0
        before = withheld_of(was, terms.wager, rules[-1], cent)[0] if told else 0
        whole, reported = withheld_of(was + gross, terms.wager, rules[-1], cent)
        return (min(max(whole - before, 0), gross) if told else whole), reported


def check_transfers(books: dict[str, JackpotLedger]) -> None:
    """Each of the two entries of a transfer names the other, and what one lost the other got."""
    for code, seq, kind, key, outside in [(c, s, *t) for c, b in books.items() for s, t in b.transfers.items()]:
        where, named = f"{code}/{seq}", TRANSFER.fullmatch(key)
        if named is None or named[2] != ("to" if kind == TRANSFERS[0] else "from"):
            found("transfer", where, "the entry it names", "transfer/7/to/GRAND/45 or …/from/…", key)
        elif named[3] in books and books[named[3]].standing is not None:
            back = "from" if kind == TRANSFERS[0] else "to"
            expected = (TRANSFERS[kind == TRANSFERS[0]], f"transfer/{named[1]}/{back}/{code}/{seq}", -outside)
            other = books[named[3]].transfers.get(int(named[4]))
            if other != expected:
                told_of = "none" if other is None else f"{other[0]} {other[1]} of {text_of(other[2])}"
                wanted = f"{expected[0]} {expected[1]} of {text_of(expected[2])}"
                found("transfer", where, f"its other entry {named[3]}/{named[4]}", wanted, told_of)


Round = namedtuple("Round", "table number revision seats wager state entries request gaming_day kept_back further")
Entry = namedtuple("Entry", "jackpot seq kind key corrects version request day contributed")


class RoundLedger:
    def __init__(self) -> None:
        self.rounds: dict[tuple[str, int], Round] = {}
        self.entries: dict[tuple[str, int], list[Entry]] = defaultdict(list)

    def check(self, books: dict[str, JackpotLedger]) -> None:
        for name in sorted(self.rounds.keys() | self.entries.keys()):
            round_, entries = self.rounds.get(name), self.entries.get(name, [])
            if round_ is not None:
                self.check_one(f"{name[0]}/{name[1]}", round_, entries, books)
            for entry in entries if round_ is None else ():
                found("round", named(entry), "its round", f"round {name[0]}/{name[1]}", "no such round")

    def check_one(self, name: str, round_: Round, entries: list[Entry], books: dict[str, JackpotLedger]) -> None:
        corrected = {f"{entry.jackpot}/{entry.corrects}" for entry in entries if entry.corrects is not None}
        coin_ins = [entry for entry in entries if entry.kind == "coin_in"]
        there = {named(entry) for entry in coin_ins}
        taken_back = there | {named(entry) for entry in entries if entry.kind == "repay"}
        self.check_listed(name, round_, there, books)
        for entry in coin_ins:
            self.check_coin_in(name, round_, entry, named(entry) in corrected, books)
        for entry in entries:
            original = f"{entry.jackpot}/{entry.corrects}"
            if entry.kind in CORRECTING[:2] and entry.corrects is not None and original not in taken_back:
                found("correction", named(entry), "the entry it corrects", "a coin-in of its round", original)
        for entry in entries:
            before = next((c for c in coin_ins if (c.jackpot, c.seq) == (entry.jackpot, entry.seq - 1)), None)
            if entry.kind == "repay" and (before is None or entry.key != f"{before.key}/repay"):
                found("round", named(entry), "the coin-in it follows", "the one before it", entry.key)
            elif entry.kind == "repay" and (named(before) in corrected) != (named(entry) in corrected):
                other = ("its contra", "none") if named(before) in corrected else ("no contra", "a contra")
                found("correction", named(entry), f"what {named(before)} repaid", *other)

    def check_listed(self, name: str, round_: Round, there: set[str], books: dict[str, JackpotLedger]) -> None:
        kept = round_.kept_back in ("waiting", "refused")  # on its round, and on no meter before it is accepted
        played = ", ".join([round_.seats] * bool(round_.seats) + [f"{x['wager']} {x['seats']}" for x in round_.further])
        if bool(played and not kept) != bool(round_.entries):
            none = f"no entry, its coin-in is {round_.kept_back}" if kept else "no entry, for no seat"
            seats = none if kept or not played else f"entries for seats {played}"
            found("round", f"round {name}", "its entries", seats, " ".join(round_.entries) or "none")
        for each in () if kept else round_.further:  # another wager's entry does not stand for it
            for code in sorted(set(each["jackpots"]) - {listed.partition("/")[0] for listed in round_.entries}):
                found("round", f"round {name}", f"{each['wager']} on {code}", f"an entry for {each['seats']}", "none")
        for listed in round_.entries:
            if listed not in there and listed.partition("/")[0] in books:
                found("round", f"round {name}", f"its entry {listed}", "its coin-in", "none of this round")

    def check_coin_in(
        self, name: str, round_: Round, entry: Entry, corrected: bool, books: dict[str, JackpotLedger]
    ) -> None:
        where, revision, state = named(entry), round_.revision, round_.state
        late = round_.kept_back == "accepted" and entry.day >= round_.gaming_day  # posted when it was accepted
        if entry.key == f"{name}/1" and entry.day != round_.gaming_day and not late:
            found("round", where, f"the gaming day of round {name}", entry.day, round_.gaming_day)
        if entry.key not in {f"{name}/{known}" for known in range(1, revision + 1)}:
            found("round", where, "the coin-in it names", f"{name}/1 to {revision}", entry.key)
            return
        if entry.key != f"{name}/{revision}":
            if not corrected:
                found("correction", where, "a coin-in that was counted again", "its contra", "none")
            return
        if corrected != (state == "void"):
            expected, instead = ("its contra", "none") if state == "void" else ("no contra", "a contra")
            found("correction", where, f"the coin-in of a round that is {state}", expected, instead)
        if where not in round_.entries:
            found("round", where, f"round {name} lists", where, " ".join(round_.entries) or "no entry")
        self.check_amount(name, round_, entry, books)

    def check_amount(self, name: str, round_: Round, entry: Entry, books: dict[str, JackpotLedger]) -> None:
        where, place = named(entry), ["coin_in", round_.table, round_.number]
        beside = [[each["wager"], each["seats"]] for each in sorted(round_.further, key=lambda each: each["wager"])]
        # The first wager's chips stand on the round; an entry names the seats of the wager that fed its jackpot.
        own = next((each for each in round_.further if entry.jackpot in each["jackpots"]), None)
        chip, seats = (round_.wager, round_.seats) if own is None else (own["chip"], own["seats"])
        due, whole = digest_of([*place, seats]), digest_of([*place, round_.seats, *beside])
        if entry.request != due or round_.request != whole:
            whose = ("entry", due, entry.request) if entry.request != due else ("round", whole, round_.request)
            found("round", where, f"the request in the {whose[0]}, for seats {seats or 'none'}", *whose[1:])
        terms = books[entry.jackpot].versions.get(str(entry.version), ("", None))[1]
        if terms is None:
            return
        if terms.wager != units_of(chip):
            found("round", where, f"the wager of round {name}", text_of(terms.wager), text_of(units_of(chip)))
        contributed = -len(seats) * (terms.meter_part + terms.reserve_part)
        if contributed != units_of(entry.contributed):
            what = f"what seats {seats or 'none'} of round {name} contribute"
            found("round", where, what, text_of(contributed), text_of(units_of(entry.contributed)))


def named(entry: Entry) -> str:
    return f"{entry.jackpot}/{entry.seq}"


class BankedHands:
    """Hands that players banked: their turn, their total action, the fee and how far the bank's wager reached."""

    def __init__(self) -> None:
        self.before: dict[str, list[dict]] = {}

    def take(self, plain: dict) -> None:
        where = f"{plain['table']}/{plain['number']}"
        spots = [(seat, wagers, more[0] if more else 1) for seat, wagers, *more in plain["spots"]]
        action = sum(cents(amount) for _, wagers, _ in spots for amount in wagers.values())
        told = ["action", *(plain[name] for name in ("table", "number", "banker", "bank_wager", "spots"))]
        self.same(where, "its total action", action, cents(plain["action"]))
        self.same(where, "its fee", self.fee(plain, action, sum(players for *_, players in spots)), cents(plain["fee"]))
        if digest_of(told) != plain["request"]:
            found("banked hand", where, "the digest of what was told", digest_of(told), plain["request"])
        if plain["settled"] is not None:
            self.settled(where, plain, spots)
        self.turn(where, plain)

    def turn(self, where: str, plain: dict) -> None:
        # By the newest hand that stood when it was told; one that is void now may have stood then.
        before = self.before.get(plain["table"], [])
        turns = {hand["in_a_row"] + 1 if hand["banker"] == plain["banker"] else 1 for hand in before}
        turns |= set() if before and before[0]["state"] != "void" else {1}
        if plain["in_a_row"] not in turns or plain["in_a_row"] > 2:
            found("banked hand", where, "which hand in a row its player-dealer banks", sorted(turns), plain["in_a_row"])
        self.before[plain["table"]] = [*before, plain] if plain["state"] == "void" else [plain]

    def same(self, where: str, what: str, expected: int, instead: int) -> None:
        if expected != instead:
            found("banked hand", where, what, text_of(expected), text_of(instead))

    def fee(self, plain: dict, action: int, players: int) -> int:
        if plain["basis"] == "action":
            return max((fee for start, fee in plain["brackets"] if start * UNIT <= action), default=0) * UNIT
        return cents(plain["rule_fee"]) * {"hand": 1, "player": players}.get(plain["basis"], 0)

    def settled(self, where: str, plain: dict, spots: list) -> None:
        has = wager = cents(plain["bank_wager"])
        sums = {"collected": 0, "paid": 0, "uncovered": 0}
        for seat, name, _, told, moved in plain["settled"]["order"]:
            due = cents(told)
            # It pays what it has, and takes no more than makes it twice what it was; empty it is out of the hand.
            reach = 0 if has == 0 else min(due, has) if due > 0 else -min(-due, 2 * wager - has)
            self.same(where, f"what moved of {name} of seat {seat}", reach, cents(moved))
            has -= reach
            sums["paid" if reach > 0 else "collected"] += abs(reach)
            sums["uncovered"] += abs(due - reach)
        for name, units in sums.items():
            self.same(
                where,
                "what nobody covered" if name == "uncovered" else f"what its bank {name}",
                units,
                cents(plain["settled"][name]),
            )
        down = {(seat, name, amount) for seat, wagers, _ in spots for name, amount in wagers.items()}
        order = [(seat, name, stake) for seat, name, stake, *_ in plain["settled"]["order"]]
        if {part for part in order if part[1] != "play"} != down or len(order) != len(set(order)):
            found("banked hand", where, "which wagers were settled", "each that lay there, once", order)
        seats = list(dict.fromkeys(seat for seat, *_ in order))
        if seats != sorted(seats, key=lambda seat: (seat < plain["banker"], seat)):
            found("banked hand", where, "the order of its spots", "from the left of the button", seats)


def cents(text: str) -> int:
    """Of an amount as it was told: whole cents, or more decimals where there are any."""
    return int(Fraction(text) * UNIT)


class Export:
    def __init__(self, folder: Path) -> None:
        self.folder, self.evidence, self.hands = folder, set(), BankedHands()
        self.books: dict[str, JackpotLedger] = {}
        self.rounds, self.counts, self.ended = RoundLedger(), Counter(), False

    def of(self, code: str) -> JackpotLedger:
        if code not in self.books:
            self.books[code] = JackpotLedger(code)
        return self.books[code]

    def take(self, number: int, text: bytes) -> None:
        try:
            plain = json.loads(text)
            self.counts[plain["line"]] += 1
            kind = "fact" if plain["line"] in FACTS else plain["line"]
            getattr(self, f"take_{kind}")(plain)
        except WRONG as problem:
            found("unreadable", f"line {number}", "the line", "a line of an export", repr(problem))

    def take_header(self, plain: dict) -> None:
        same("unreadable", "the file", "its format", FORMAT, plain["format"])

    def take_fact(self, plain: dict) -> None:
        if plain["line"] == "jackpot":
            self.of(plain["code"]).standing = plain
        elif plain["line"] == "version":
            self.of(plain["jackpot"]).version(plain)
        elif plain["line"] == "head":
            self.of(plain["jackpot"]).heads[plain["seq"]].append((plain["seal"], plain["meter"]))
        elif plain["line"] == "win":
            self.win(plain)
        elif plain["line"] == "act":
            known = SIGNED_AS[plain["kind"]] and (plain["amount"] is None or [units_of(plain["amount"])])
            self.of(plain["jackpot"]).acts[plain["entry"]] = {**plain, "known": bool(known)}
        elif plain["line"] in ("payment", "receipt"):
            date.fromisoformat(plain["day"])
            getattr(self.of(plain["jackpot"]), f"{plain['line']}s")[plain["entry"]] = plain
        else:
            told = {"kept_back": "", "further": [], **plain}
            self.rounds.rounds[plain["table"], plain["number"]] = Round(*(told[name] for name in Round._fields))

    def win(self, plain: dict) -> None:
        awards = self.of(plain["jackpot"]).awards
        for name in ("id", "seat", "round", "version"):
            int(spelt(plain[name]))
        awards.rows[plain["id"]] = {"approved": [], **plain, "page": dict(plain["page"])}
        awards.places.add((plain["table"], plain["round"]))

    def take_entry(self, plain: dict) -> None:
        self.of(plain["jackpot"]).entry(plain)
        if plain["round"] is not None:
            entry = Entry(*(plain[name] for name in Entry._fields[:-1]), plain["movement"][0])
            self.rounds.entries[plain["table"], plain["round"]].append(entry)

    def take_hand(self, plain: dict) -> None:
        self.hands.take(plain)

    def take_evidence(self, plain: dict) -> None:
        content = self.content_of(Path(plain["file"]).name)
        instead = "no file" if content is None else hashlib.sha256(content).hexdigest()
        self.evidence.add(f"evidence/{Path(plain['file']).name}")
        if instead != plain["sha256"]:
            names = ", ".join(use["name"] for use in (*plain["requests"], *plain.get("rounds", ())))
            found("evidence", f"evidence/{plain['file']}", names, plain["sha256"], instead)

    def content_of(self, name: str) -> bytes | None:
        path = self.folder / "evidence" / name
        return path.read_bytes() if path.is_file() else None

    def take_end(self, plain: dict) -> None:
        self.ended = True
        for kind in COUNTED:
            same("unreadable", "the file", f"how many {kind} lines it has", plain.get(kind, 0), self.counts[kind])

    def close(self) -> None:
        if not self.ended:
            found("unreadable", "the file", "its last line", "the count of its lines", "none: the file is cut short")
        for books in self.books.values():
            books.close()
        check_transfers(self.books)
        self.rounds.check(self.books)


def content_within(parcel: zipfile.ZipFile, names: set[str], name: str) -> bytes | None:
    return parcel.read(f"evidence/{name}") if f"evidence/{name}" in names else None


class Parcel:
    """A ZIP of a period: each section against the manifest, and what two sections tell of one thing against both."""

    def __init__(self, export: Export) -> None:
        self.export, self.digest, self.told = export, "", []
        self.chained: defaultdict[str, dict[int, dict]] = defaultdict(dict)

    def read(self, path: Path) -> None:
        try:
            with zipfile.ZipFile(path) as parcel:
                text = parcel.read(MANIFEST)
                manifest, self.digest = json.loads(text), hashlib.sha256(text).hexdigest()
                same("parcel", MANIFEST, "its format", PARCEL, manifest["format"])
                names = set(parcel.namelist())
                self.export.content_of = partial(content_within, parcel, names)
                # What was published of the books is known before the books are read.
                for each in sorted(manifest["sections"], key=lambda each: each["section"] != "heads"):
                    self.section(parcel, each)
                listed = {each["file"] for each in manifest["sections"]} | self.export.evidence
                for name in sorted(names - listed - {MANIFEST}):
                    found("parcel", name, "a file of the parcel", "a section of the manifest", "none")
        except BROKEN as problem:
            found("parcel", MANIFEST, "its bytes", "a manifest that can be read", repr(problem))

    def section(self, parcel: zipfile.ZipFile, listed: dict) -> None:
        name, digest, count = listed["section"], hashlib.sha256(), 0
        try:
            with parcel.open(listed["file"]) as file:
                for count, text in enumerate(file, 1):
                    digest.update(text)
                    self.line(name, count, text)
        except BROKEN as problem:
            found("parcel", f"section {name}", "its bytes", "a file that can be read", repr(problem))
            return
        same("parcel", f"section {name}", "the digest of its bytes", listed["sha256"], digest.hexdigest())
        same("parcel", f"section {name}", "how many lines it has", listed["lines"], count)

    def line(self, name: str, number: int, text: bytes) -> None:
        if name == "books":
            self.export.take(number, text)
            return
        try:
            plain = json.loads(text)
            if name == "heads":
                self.export.take_fact({**plain, "line": "head"})
            elif name == "evidence":
                self.export.take_evidence(plain)
            elif name == "trail" and plain.get("sealed"):
                self.chained[plain["sealed"]["chain"]][plain["sealed"]["number"]] = plain
            elif name in ("wins", "slips", "versions"):
                self.told.append((name, number, plain))
        except WRONG as problem:
            found("unreadable", f"section {name}, line {number}", "the line", "a line of a parcel", repr(problem))

    def prove_trail(self) -> None:
        """Each line under its seal and behind the line before it; a number left out is a line that is missing."""
        for chain, lines in self.chained.items():
            name, last = f"trail {chain or 'of the server'}", None
            for number, plain in sorted(lines.items()):
                sealed, where = plain["sealed"], f"{name} {number}"
                said = {word: plain[word] for word in SEALED_OF_TRAIL} | {"at": microseconds(plain["at"])}
                text = json.dumps(said, sort_keys=True, separators=(",", ":"))
                seal = hashlib.sha256(f"t1|{sealed['before']}|{chain}|{number}|{text}".encode("ascii")).hexdigest()
                same("trail", where, f"the seal of line {plain['line']}", sealed["seal"], seal)
                if last is not None and (number, sealed["before"]) != (last["number"] + 1, last["seal"]):
                    found("trail", where, "what it follows", f"number {last['number'] + 1}", f"number {number}")
                last = sealed

    def close(self) -> None:
        """Wins, slips and terms of the period are those of the books; the trail is whole."""
        try:
            self.prove_trail()
        except WRONG as problem:
            found("unreadable", "section trail", "the lines", "lines of a parcel", repr(problem))
        for name, number, plain in self.told:
            where, books = f"section {name}, line {number}", self.export.of(plain["jackpot"])
            if name == "versions":
                ours = books.versions.get(str(plain["number"]), ("none", None))[0]
                told = hashlib.sha256(plain["terms"].encode()).hexdigest()
                if not ours == told == plain["digest"]:
                    found("parcel", where, f"terms {plain['number']} of {plain['jackpot']}", ours, told)
                continue
            row = books.awards.rows.get(plain["id"], {})
            for what in ("slip", "state", "amount"):
                same("parcel", where, f"the {what} of {win_name(row) if row else 'a slip'}", row.get(what), plain[what])


def say(export: Export) -> None:
    for kind, where, what, expected, instead in findings:
        print(f"[{kind}] {where}: {what}: expected {expected}, found {instead}")
    for kind, count in (counts - Counter(dict.fromkeys(counts, LISTED))).items():
        print(f"[{kind}] and {count:,} more of this kind")
    for code, books in export.books.items():
        entries = "1 entry" if books.entries == 1 else f"{books.entries:,} entries"
        print(f"{code}: {entries}, last seal {books.seal}, meter {text_of(books.balances[1])}")
    total, rounds = sum(counts.values()), f"{len(export.rounds.rounds):,} rounds"
    print(f"{rounds}. {total:,} findings: these books do NOT prove." if total else f"{rounds}. Nothing disagrees.")


def main() -> int:
    parser = argparse.ArgumentParser(description="Verifies an export of Fairmeter's books.")
    parser.add_argument("export", help="the file that manage.py export wrote, or a parcel (ZIP)")
    parser.add_argument("--heads", help="published heads that you kept yourself, one JSON object a line")
    asked = parser.parse_args()
    export = Export(Path(asked.export).parent)
    for text in Path(asked.heads).read_bytes().splitlines() if asked.heads else ():
        export.take_fact({"line": "head", **json.loads(text)})
    path, parcel = Path(asked.export), Parcel(export)
    with path.open("rb") as file:
        if is_parcel := file.read(2) == b"PK":
            parcel.read(path)
        else:
            file.seek(0)
            for number, text in enumerate(file, 1):
                export.take(number, text)
    export.close()
    parcel.close()
    say(export)
    if is_parcel:
        print(f"The digest of this parcel is {parcel.digest}. Whoever made it knows it by the same.")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
