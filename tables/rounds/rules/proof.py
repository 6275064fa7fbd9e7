"""The proof of one round: its entries are there, and say the seats, wager and version that it was played with."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final, NamedTuple

from jackpot.books.rules.entry_kind import EntryKind
from jackpot.money import text_of_units
from jackpot.proof.rules.findings import Findings, Promise
from jackpot.terms.rules.terms import Terms
from tables.rounds.rules.further import FurtherSeats
from tables.rounds.rules.round import request_digest

ROUND_CORRECTIONS: Final = frozenset({EntryKind.VOID, EntryKind.RECOUNT})


class FurtherFound(NamedTuple):
    """The chips of a further wager in a round, and the codes of the jackpots that it fed."""

    wager: str
    chip: int
    seats: str
    jackpots: tuple[str, ...]


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
    further: tuple[FurtherFound, ...] = ()

    @property
    def name(self) -> str:
        return f"{self.table}/{self.number}"

    @property
    def raises_no_meter(self) -> bool:
        """Kept back and not accepted, or without a chip."""
        return not self.played or self.kept_back in ("waiting", "refused")

    @property
    def played(self) -> str:
        """Seats with a chip, wager by wager: “125, MEGA 26”."""
        return ", ".join(
            [*([self.seats] if self.seats else []), *(f"{each.wager} {each.seats}" for each in self.further)]
        )

    def wager_on(self, jackpot: str) -> tuple[int, str]:
        """Chip and seats of the wager that fed this jackpot."""
        fed = next((each for each in self.further if jackpot in each.jackpots), None)
        return (self.wager, self.seats) if fed is None else (fed.chip, fed.seats)

    @property
    def due(self) -> bytes:
        """The request that its seats must have been counted with."""
        further = [FurtherSeats(each.wager, each.seats) for each in self.further] if self.further else ()
        return request_digest(self.table, self.number, self.seats, further)


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
        none = f"no entry, its coin-in is {round_.kept_back}" if round_.played else "no entry, for no seat"
        seats = none if round_.raises_no_meter else f"entries for seats {round_.played}"
        findings.add(Promise.ROUND, f"round {round_.name}", "its entries", seats, " ".join(round_.entries) or "none")
    _check_every_further(round_, findings)
    there = {entry.name for entry in coin_ins}
    for listed in round_.entries:
        if listed not in there and listed.partition("/")[0] in scope:
            findings.add(
                Promise.ROUND, f"round {round_.name}", f"its entry {listed}", "its coin-in", "none of this round"
            )


def _check_every_further(round_: RoundFound, findings: Findings) -> None:
    """One entry for each jackpot that a further wager says it fed: another wager's entry does not stand for it."""
    listed = {entry.partition("/")[0] for entry in round_.entries}
    for each in () if round_.raises_no_meter else round_.further:
        for code in sorted(set(each.jackpots) - listed):
            wanted = f"an entry for {each.seats}"
            findings.add(Promise.ROUND, f"round {round_.name}", f"{each.wager} on {code}", wanted, "none")


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
    chip, seats = round_.wager_on(entry.jackpot)
    whole = round_.due
    due = request_digest(round_.table, round_.number, seats) if round_.further else whole
    for whose, wanted, found, of in (
        ("entry", due, entry.request, seats), ("round", whole, round_.request, round_.played)
    ):  # fmt: skip
        if found != wanted:
            what = f"the request in the {whose}, for seats {of or 'none'}"
            findings.add(Promise.ROUND, entry.name, what, wanted.hex(), found.hex())
            break
    # The version itself is a finding of its own already; without it nothing can be reckoned.
    if entry.terms is None:
        return
    if entry.terms.wager.units != chip:
        expected, found_wager = text_of_units(entry.terms.wager.units), text_of_units(chip)
        findings.add(Promise.ROUND, entry.name, f"the wager of round {round_.name}", expected, found_wager)
    contributed = -len(seats) * entry.terms.contribution.units
    if contributed != entry.contributed:
        what = f"what seats {seats or 'none'} of round {round_.name} contribute"
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


def _is_its_day(round_: RoundFound, entry: EntryFound) -> bool:
    """What was kept back is posted when it is accepted: on the day of its round, or later."""
    return entry.day >= round_.day if round_.kept_back == "accepted" else entry.day == round_.day


def _is_earlier(round_: RoundFound, entry: EntryFound) -> bool:
    name, _, revision = entry.key.rpartition("/")
    return name == round_.name and revision.isdecimal() and 1 <= int(revision) < round_.revision
