#!/usr/bin/env python3
"""Verifies an export of Fairmeter's books. One file, standard library only; it shares no line with the program.

    python3 verify_books.py EXPORT [--heads HEADS]

EXPORT is what `manage.py export -o FILE` wrote; HEADS is a copy of heads.jsonl, or of lines of it, that you kept
yourself. Every row that disagrees is named, and the exit status is then 1. docs/books.md describes it field by field.
"""

# ruff: noqa: B905, T201, UP017 - it prints, and a stranger's Python may be older than ours
from __future__ import annotations

import argparse
import hashlib
import json
import re
import sys
from collections import Counter, defaultdict, namedtuple
from datetime import datetime, timedelta, timezone
from fractions import Fraction
from pathlib import Path

FORMAT = "fairmeter books 1"
ACCOUNTS = ("contributed", "meter", "reserve", "overflow", "house", "winners", "paid", "outside")
COUNTED = ("jackpot", "version", "head", "round", "entry")
FIRST, CORRECTING = ("opening", "take_over"), ("void", "recount", "back_out")
MARKING = ("mark", "unmark", "assign", "ask", "release", "outrank", "reject", "fall", "claim")
ORDERING = (*MARKING, "park", "pass_queue", "rejoin", "override", "log")
STATES, TRANSFERS = ("suspend", "resume", "retire"), ("transfer_out", "transfer_in")
TRANSFER = re.compile(r"transfer/([0-9]+)/(to|from)/([A-Z0-9-]+)/([0-9]+)")
AMOUNT = re.compile(r"-?(0|[1-9][0-9]*)\.[0-9]{8}")
EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
UNIT, LISTED = 10**8, 100
WRONG = (KeyError, TypeError, ValueError, AttributeError, ArithmeticError)

findings: list[tuple[str, str, str, str, str]] = []
counts: Counter[str] = Counter()


def found(kind: str, where: str, what: str, expected: object, instead: object) -> None:
    counts[kind] += 1
    if counts[kind] <= LISTED:
        findings.append((kind, where, what, str(expected), str(instead)))


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


def told(movement: list[int]) -> str:
    touched = [f"{name} {'+' if u > 0 else ''}{text_of(u)}" for name, u in zip(ACCOUNTS, movement) if u]
    return ", ".join(touched) or "nothing"


def possible(moved: list[int], before: list[int]) -> list[int]:
    """Nothing where an account that is never below zero would be."""
    return moved if all(b + u >= 0 for b, u in zip(before[1:4], moved[1:4])) else [0] * 8


class Terms:
    def __init__(self, text: str) -> None:
        plain = json.loads(text)
        self.wager, self.seed = (int(Fraction(plain[term]) * UNIT) for term in ("wager", "seed"))
        self.limit = None if plain["limit"] is None else int(Fraction(plain["limit"]) * UNIT)
        meter, reserve = (self.wager * Fraction(plain[rate]) / 100 for rate in ("rate", "reserve_rate"))
        self.meter_part, self.reserve_part = int(meter), int(reserve)
        self.repay_part = int(meter * Fraction(plain.get("repay_rate", 0)) / 100)
        self.policy, self.cent = plain["policy"], UNIT // 10 ** plain["digits"]
        self.revenue = self.policy["overflow"] == "revenue"
        self.restarts = self.policy.get("dry_meter") == "restart"

    def above_limit(self, meter_after: int, raised_by: int) -> int:
        if self.limit is None or meter_after <= self.limit:
            return 0
        return min(raised_by, meter_after - self.limit)

    def spots(self, moved: list[int]) -> int:
        each = self.meter_part + self.reserve_part
        return max(-moved[0] // each, 1) if each else 1

    def advance(self, before: list[int]) -> list[int]:
        """A dry meter that restarts: the seed, lent by the house, what the limit cuts off aside."""
        if not self.restarts or before[1] >= self.cent:
            return [0] * 8
        over = self.above_limit(before[1] + self.seed, self.seed)
        overflow, house = (0, over) if self.revenue else (over, 0)
        return [0, self.seed - over, 0, overflow, house - self.seed, 0, 0, 0]

    def coin_in(self, moved: list[int], before: list[int]) -> list[int]:
        spots = self.spots(moved)
        to_meter, to_reserve = spots * self.meter_part, spots * self.reserve_part
        over = self.above_limit(before[1] + to_meter, to_meter)
        overflow, house = (0, over) if self.revenue else (over, 0)
        return [-(to_meter + to_reserve), to_meter - over, to_reserve, overflow, house, 0, 0, 0]

    def contra(self, original: list[int], before: list[int]) -> list[int]:
        undone = [-units for units in original]
        over = self.above_limit(before[1] + undone[1], max(undone[1], 0))
        undone[1] -= over
        undone[4 if self.revenue else 3] += over
        return self.made_good(undone, before)

    def made_good(self, undone: list[int], before: list[int]) -> list[int]:
        after = [b + u for b, u in zip(before, undone)]
        lacks = [-(-max(-after[account], 0) // self.cent) * self.cent for account in (1, 2, 3)]
        kept = 0 if self.policy["shortfall"] == "house" else min(max(after[2], 0) // self.cent * self.cent, lacks[0])
        good = (0, lacks[0], lacks[1] - kept, lacks[2], kept - sum(lacks), 0, 0, 0)
        return [units + more for units, more in zip(undone, good)]

    def adjust(self, moved: list[int], before: list[int]) -> list[int]:
        by = 0 if moved[2] else moved[1] + moved[3]
        over = self.above_limit(before[1] + by, max(by, 0))
        overflow, house = (0, over) if self.revenue else (over, 0)
        return possible([0, by - over, moved[2], overflow, house - by - moved[2], 0, 0, 0], before)

    def transfer(self, kind: str, moved: list[int], before: list[int]) -> list[int]:
        if kind == "transfer_out":
            left = [min(units, 0) for units in moved[1:4]]
            return possible([0, *left, 0, 0, 0, -sum(left)], before)
        came = [max(units, 0) for units in moved[1:5]]
        over = self.above_limit(before[1] + came[0], came[0])
        came[0] -= over
        came[3 if self.revenue else 2] += over
        return [0, *came, 0, 0, -sum(came)]

    def due(self, kind: str, moved: list[int], before: list[int], original: list[int] | None) -> list[int] | None:
        if kind == "adjust" or kind in TRANSFERS:
            return self.adjust(moved, before) if kind == "adjust" else self.transfer(kind, moved, before)
        inside, house = [max(units, 0) for units in moved[1:4]], max(-moved[4], 0)
        owed, paid = max(moved[5], 0), max(moved[6], 0)
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
        }.get(kind, [0] * 8)


class Books:
    """One jackpot's entries in the order of their numbers, each judged against the stored one before it."""

    def __init__(self, code: str) -> None:
        self.code = code
        self.versions: dict[str, tuple[str, Terms | None]] = {}
        self.heads: dict[int, list[tuple[str, str]]] = defaultdict(list)
        self.standing: dict[str, object] | None = None
        self.entries = self.seq = self.at = 0
        self.seal, self.in_force = "00" * 32, ""
        self.balances = [0] * 8
        self.movements, self.corrected, self.paid, self.transfers = {}, {}, set(), {}
        self.owed = self.due_next = 0
        self.advanced, self.repaid, self.awarded = {}, {}, (None, 0)

    def version(self, plain: dict[str, object]) -> None:
        where, terms = f"{self.code} version {plain['number']}", str(plain["terms"])
        expected = hashlib.sha256(terms.encode()).hexdigest() if terms.isascii() else "a text of ASCII only"
        if expected != plain["digest"]:
            found("version", where, "the digest of its terms", expected, plain["digest"])
        known = Terms(terms) if expected == plain["digest"] else None
        self.versions[str(plain["number"])] = (str(plain["digest"]), known)

    def entry(self, plain: dict[str, object]) -> None:
        seq, at = int(spelt(plain["seq"])), microseconds(plain["at"])
        where, version, kind = f"{self.code}/{seq}", spelt(plain["version"]), plain["kind"]
        moved, after = ",".join(plain["movement"]), ",".join(plain["after"])
        if seq != self.seq + 1:
            found("gap", where, "the number", self.seq + 1, seq)
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
        self.check_heads(where, seq, plain["seal"])
        self.entries, self.seq, self.at, self.seal = self.entries + 1, seq, at, plain["seal"]

    def check_seal(self, where: str, plain: dict, at: int, digest: str, moved: str, after: str) -> None:
        fields = ("v1", self.seal, self.code, str(plain["seq"]), plain["kind"], plain["key"], str(at), plain["day"])
        about = (plain["table"], spelt(plain["round"]), spelt(plain["win"]), spelt(plain["corrects"]))
        fields += (*about, digest, moved, after, plain["request"])
        expected = hashlib.sha256("|".join(fields).encode()).hexdigest()
        if expected != plain["seal"]:
            found("seal", where, "the seal over what it says and the seal before", expected, plain["seal"])

    def check_money(self, where: str, plain: dict, terms: Terms | None, text: str) -> None:
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
            return
        self.check_repaid(where, plain["kind"])
        self.check_rule(where, plain, terms, moved, before)
        self.movements[plain["seq"]] = moved
        self.note_advance(plain, terms, moved)

    def check_repaid(self, where: str, kind: str) -> None:
        """While the house's advance is owed, the entry after a coin-in is what it repays."""
        if self.due_next and kind != "repay":
            repays = told([0, -self.due_next, 0, 0, self.due_next, 0, 0, 0])
            found("rule", where, "what repays the house advance", f"repay, {repays}", kind or "none")

    def note_advance(self, plain: dict, terms: Terms | None, moved: list[int]) -> None:
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

    def lent(self, plain: dict, terms: Terms, before: list[int]) -> list[int]:
        """What an advance, right after the award that left the meter dry, or a repayment must move."""
        if plain["kind"] == "repay":
            return [0, -self.due_next, 0, 0, self.due_next, 0, 0, 0]
        return terms.advance(before) if self.awarded == (plain["win"], plain["seq"] - 1) else [0] * 8

    def check_rule(self, where: str, plain: dict, terms: Terms | None, moved: list[int], before: list[int]) -> None:
        kind = plain["kind"]
        others = ("coin_in", "award", "advance", "repay", "pay", "adjust", "difference", "configure")
        known = kind in (*FIRST, *CORRECTING, *ORDERING, *STATES, *TRANSFERS, *others)
        if not known or (kind in FIRST) != (plain["seq"] == 1):
            wanted = "opening or take_over" if plain["seq"] == 1 else "a kind that may follow entry 1"
            found("rule", where, "its kind", wanted, kind)
            return
        if kind in TRANSFERS:
            self.transfers[plain["seq"]] = (kind, plain["key"], moved[7])
        original = self.original(where, plain)
        lent = terms is not None and kind in ("advance", "repay")
        due = self.lent(plain, terms, before) if lent else terms and terms.due(kind, moved, before, original)
        if due and due != moved:
            found("rule", where, f"what its {kind} moved", told(due), told(moved))
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
            if ours != theirs:
                found("jackpot row", self.code, f"the jackpot's row {what}", ours, theirs)
        for name, ours, text in zip(ACCOUNTS, self.balances, row["balances"]):
            if ours != units_of(text):
                found("jackpot row", self.code, f"{name} in the jackpot's row", text_of(ours), text_of(units_of(text)))
        self.check_repaid(f"{self.code}/{self.seq}", "")
        advance = units_of(row.get("advance", "0.00000000"))
        if self.owed != advance:
            found("jackpot row", self.code, "the house advance still owed", text_of(self.owed), text_of(advance))
        for seq in sorted(self.heads):
            seal = f"an entry with seal {self.heads[seq][0][0]}"
            found("published head", f"{self.code}/{seq}", "a published head names this entry", seal, "no such entry")


def check_transfers(books: dict[str, Books]) -> None:
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


Round = namedtuple("Round", "table number revision seats wager state entries request")
Entry = namedtuple("Entry", "jackpot seq kind key corrects version request contributed")


class Rounds:
    def __init__(self) -> None:
        self.rounds: dict[tuple[str, int], Round] = {}
        self.entries: dict[tuple[str, int], list[Entry]] = defaultdict(list)

    def check(self, books: dict[str, Books]) -> None:
        for name in sorted(self.rounds.keys() | self.entries.keys()):
            round_, entries = self.rounds.get(name), self.entries.get(name, [])
            if round_ is not None:
                self.check_one(f"{name[0]}/{name[1]}", round_, entries, books)
            for entry in entries if round_ is None else ():
                found("round", named(entry), "its round", f"round {name[0]}/{name[1]}", "no such round")

    def check_one(self, name: str, round_: Round, entries: list[Entry], books: dict[str, Books]) -> None:
        corrected = {f"{entry.jackpot}/{entry.corrects}" for entry in entries if entry.corrects is not None}
        coin_ins = [entry for entry in entries if entry.kind == "coin_in"]
        there = {named(entry) for entry in coin_ins}
        taken_back = there | {named(entry) for entry in entries if entry.kind == "repay"}
        if bool(round_.seats) != bool(round_.entries):
            seats = f"entries for seats {round_.seats}" if round_.seats else "no entry, for no seat"
            found("round", f"round {name}", "its entries", seats, " ".join(round_.entries) or "none")
        for listed in round_.entries:
            if listed not in there and listed.partition("/")[0] in books:
                found("round", f"round {name}", f"its entry {listed}", "its coin-in", "none of this round")
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

    def check_coin_in(self, name: str, round_: Round, entry: Entry, corrected: bool, books: dict[str, Books]) -> None:
        where, revision, state = named(entry), round_.revision, round_.state
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

    def check_amount(self, name: str, round_: Round, entry: Entry, books: dict[str, Books]) -> None:
        where, seats = named(entry), round_.seats
        asked = json.dumps(["coin_in", round_.table, round_.number, seats], separators=(",", ":"))
        due = hashlib.sha256(asked.encode()).hexdigest()
        if not due == entry.request == round_.request:
            whose = ("entry", entry.request) if entry.request != due else ("round", round_.request)
            found("round", where, f"the request in the {whose[0]}, for seats {seats or 'none'}", due, whose[1])
        terms = books[entry.jackpot].versions.get(str(entry.version), ("", None))[1]
        if terms is None:
            return
        if terms.wager != units_of(round_.wager):
            found("round", where, f"the wager of round {name}", text_of(terms.wager), text_of(units_of(round_.wager)))
        contributed = -len(seats) * (terms.meter_part + terms.reserve_part)
        if contributed != units_of(entry.contributed):
            what = f"what seats {seats or 'none'} of round {name} contribute"
            found("round", where, what, text_of(contributed), text_of(units_of(entry.contributed)))


def named(entry: Entry) -> str:
    return f"{entry.jackpot}/{entry.seq}"


class Export:
    def __init__(self) -> None:
        self.books: dict[str, Books] = {}
        self.rounds, self.counts, self.ended = Rounds(), Counter(), False

    def of(self, code: str) -> Books:
        if code not in self.books:
            self.books[code] = Books(code)
        return self.books[code]

    def take(self, number: int, text: bytes) -> None:
        try:
            plain = json.loads(text)
            self.counts[plain["line"]] += 1
            kind = "fact" if plain["line"] in ("jackpot", "version", "head", "round") else plain["line"]
            getattr(self, f"take_{kind}")(plain)
        except WRONG as problem:
            found("unreadable", f"line {number}", "the line", "a line of an export", repr(problem))

    def take_header(self, plain: dict) -> None:
        if plain["format"] != FORMAT:
            found("unreadable", "the file", "its format", FORMAT, plain["format"])

    def take_fact(self, plain: dict) -> None:
        if plain["line"] == "jackpot":
            self.of(plain["code"]).standing = plain
        elif plain["line"] == "version":
            self.of(plain["jackpot"]).version(plain)
        elif plain["line"] == "head":
            self.of(plain["jackpot"]).heads[plain["seq"]].append((plain["seal"], plain["meter"]))
        else:
            self.rounds.rounds[plain["table"], plain["number"]] = Round(*(plain[name] for name in Round._fields))

    def take_entry(self, plain: dict) -> None:
        self.of(plain["jackpot"]).entry(plain)
        if plain["round"] is not None:
            entry = Entry(*(plain[name] for name in Entry._fields[:-1]), plain["movement"][0])
            self.rounds.entries[plain["table"], plain["round"]].append(entry)

    def take_end(self, plain: dict) -> None:
        self.ended = True
        for kind in COUNTED:
            if plain[kind] != self.counts[kind]:
                found("unreadable", "the file", f"how many {kind} lines it has", plain[kind], self.counts[kind])

    def close(self) -> None:
        if not self.ended:
            found("unreadable", "the file", "its last line", "the count of its lines", "none: the file is cut short")
        for books in self.books.values():
            books.close()
        check_transfers(self.books)
        self.rounds.check(self.books)


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
    parser.add_argument("export", help="the file that manage.py export wrote")
    parser.add_argument("--heads", help="published heads that you kept yourself, one JSON object a line")
    asked, export = parser.parse_args(), Export()
    for text in Path(asked.heads).read_bytes().splitlines() if asked.heads else ():
        export.take_fact({"line": "head", **json.loads(text)})
    with Path(asked.export).open("rb") as file:
        for number, text in enumerate(file, 1):
            export.take(number, text)
    export.close()
    say(export)
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
