"""The proof of one round: its entries are there, and say the seats, wager and version that it was played with."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Sequence
from typing import Final, NamedTuple

from jackpot.books.rules.entry_kind import EntryKind
from jackpot.money import text_of_units
from jackpot.proof.rules.findings import Findings, Promise
from jackpot.terms.rules.terms import Terms

ROUND_CORRECTIONS: Final = frozenset({EntryKind.VOID, EntryKind.RECOUNT})


class RoundFound(NamedTuple):
    """A round as it stands; `entries` are the “GRAND/412” that it says are its coin-ins."""

    table: str
    number: int
    revision: int
    seats: str
    wager: int
    state: str
    entries: tuple[str, ...]
    request: bytes
    day: str
    kept_back: str = ""

    @property
    def name(self) -> str:
        return f"{self.table}/{self.number}"

    @property
    def raises_no_meter(self) -> bool:
        """Kept back and not accepted, or without a chip."""
        return not self.seats or self.kept_back in ("waiting", "refused")


class EntryFound(NamedTuple):
    """An entry that names a round; amounts in units."""

    jackpot: str
    seq: int
    kind: str
    key: str
    contributed: int
    corrects: int | None
    request: bytes
    terms: Terms | None
    day: str

    @property
    def name(self) -> str:
        return f"{self.jackpot}/{self.seq}"


def check_round(
    name: str, round_: RoundFound | None, entries: Sequence[EntryFound], scope: Collection[str], findings: Findings
) -> None:
    """Judges one round and every entry that names it; `scope` holds the jackpots that are read at all."""
    if round_ is None:
        for entry in entries:
            findings.add(Promise.ROUND, entry.name, "its round", f"round {name}", "no such round")
        return
    corrected = {f"{entry.jackpot}/{entry.corrects}" for entry in entries if entry.corrects is not None}
    coin_ins = [entry for entry in entries if entry.kind == EntryKind.COIN_IN]
    _check_listed(round_, coin_ins, scope, findings)
    for entry in coin_ins:
        _check_coin_in(round_, entry, entry.name in corrected, findings)
        if entry.key == f"{round_.name}/1" and not _is_its_day(round_, entry):
            findings.add(Promise.ROUND, entry.name, f"the gaming day of round {round_.name}", entry.day, round_.day)
    if len(coin_ins) != len(entries):
        _check_corrections(
            entries, {entry.name for entry in entries if entry.kind in (EntryKind.COIN_IN, EntryKind.REPAY)}, findings
        )
        _check_repayments(entries, coin_ins, corrected, findings)


def _check_listed(
    round_: RoundFound, coin_ins: Sequence[EntryFound], scope: Collection[str], findings: Findings
) -> None:
    if round_.raises_no_meter == bool(round_.entries):
        none = f"no entry, its coin-in is {round_.kept_back}" if round_.seats else "no entry, for no seat"
        seats = none if round_.raises_no_meter else f"entries for seats {round_.seats}"
        findings.add(Promise.ROUND, f"round {round_.name}", "its entries", seats, " ".join(round_.entries) or "none")
    there = {entry.name for entry in coin_ins}
    for listed in round_.entries:
        if listed not in there and listed.partition("/")[0] in scope:
            findings.add(
                Promise.ROUND, f"round {round_.name}", f"its entry {listed}", "its coin-in", "none of this round"
            )


def _check_coin_in(round_: RoundFound, entry: EntryFound, corrected: bool, findings: Findings) -> None:
    if entry.key != f"{round_.name}/{round_.revision}":
        if not _is_earlier(round_, entry):
            wanted = f"{round_.name}/1 to {round_.revision}"
            findings.add(Promise.ROUND, entry.name, "the coin-in it names", wanted, entry.key)
        elif not corrected:
            findings.add(Promise.CORRECTION, entry.name, "a coin-in that was counted again", "its contra", "none")
        return
    if corrected != (round_.state == "void"):
        expected, found = ("its contra", "none") if round_.state == "void" else ("no contra", "a contra")
        findings.add(Promise.CORRECTION, entry.name, f"the coin-in of a round that is {round_.state}", expected, found)
    if entry.name not in round_.entries:
        listed = " ".join(round_.entries) or "no entry"
        findings.add(Promise.ROUND, entry.name, f"round {round_.name} lists", entry.name, listed)
    _check_amount(round_, entry, findings)


def _check_amount(round_: RoundFound, entry: EntryFound, findings: Findings) -> None:
    """Seats, wager and version: what the round was played with is what the entry contributed."""
    due = asked(round_.table, round_.number, round_.seats)
    if not due == entry.request == round_.request:
        whose, found = ("entry", entry.request) if entry.request != due else ("round", round_.request)
        what = f"the request in the {whose}, for seats {round_.seats or 'none'}"
        findings.add(Promise.ROUND, entry.name, what, due.hex(), found.hex())
    if entry.terms is None:
        return
    if entry.terms.wager.units != round_.wager:
        expected, found_wager = text_of_units(entry.terms.wager.units), text_of_units(round_.wager)
        findings.add(Promise.ROUND, entry.name, f"the wager of round {round_.name}", expected, found_wager)
    contributed = -len(round_.seats) * (entry.terms.meter_part.units + entry.terms.reserve_part.units)
    if contributed != entry.contributed:
        what = f"what seats {round_.seats or 'none'} of round {round_.name} contribute"
        findings.add(Promise.ROUND, entry.name, what, text_of_units(contributed), text_of_units(entry.contributed))


def _check_corrections(entries: Sequence[EntryFound], coin_ins: Collection[str], findings: Findings) -> None:
    for entry in entries:
        corrected = f"{entry.jackpot}/{entry.corrects}"
        if entry.kind in ROUND_CORRECTIONS and entry.corrects is not None and corrected not in coin_ins:
            findings.add(Promise.CORRECTION, entry.name, "the entry it corrects", "a coin-in of its round", corrected)


def _check_repayments(
    entries: Sequence[EntryFound], coin_ins: Sequence[EntryFound], corrected: Collection[str], findings: Findings
) -> None:
    """What repaid a house advance stands right after its coin-in, and is taken back with it."""
    by_name = {entry.name: entry for entry in coin_ins}
    for entry in entries:
        if entry.kind != EntryKind.REPAY:
            continue
        coin_in = by_name.get(f"{entry.jackpot}/{entry.seq - 1}")
        if coin_in is None or entry.key != f"{coin_in.key}/repay":
            findings.add(Promise.ROUND, entry.name, "the coin-in it follows", "the one before it", entry.key)
        elif (coin_in.name in corrected) != (entry.name in corrected):
            expected, found = ("its contra", "none") if coin_in.name in corrected else ("no contra", "a contra")
            findings.add(Promise.CORRECTION, entry.name, f"what {coin_in.name} repaid", expected, found)


def asked(table: str, number: int, seats: str) -> bytes:
    """`request_digest` for a million rounds: the same text, written out instead of serialised."""
    return hashlib.sha256(f'["coin_in","{table}",{number},"{seats}"]'.encode()).digest()


def _is_its_day(round_: RoundFound, entry: EntryFound) -> bool:
    """What was kept back is posted when it is accepted: on the day of its round, or later."""
    return entry.day >= round_.day if round_.kept_back == "accepted" else entry.day == round_.day


def _is_earlier(round_: RoundFound, entry: EntryFound) -> bool:
    name, _, revision = entry.key.rpartition("/")
    return name == round_.name and revision.isdecimal() and 1 <= int(revision) < round_.revision
