"""The proof of an exported file: the same rules, without our database."""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Mapping
from datetime import date, datetime
from pathlib import Path
from typing import Any, Final, Protocol

import orjson

from jackpot.adjusting.rules.adjusting import Adjusting
from jackpot.books.rules.movement import Balances
from jackpot.books.rules.seal import microseconds
from jackpot.money import Money
from jackpot.proof.queries.export import FORMAT
from jackpot.proof.queries.verdict import ProofReport, Proven
from jackpot.proof.queries.versions import known_version
from jackpot.proof.queries.wins import note_coin_ins
from jackpot.proof.rules.awards import AwardProof, CoinInOfHit
from jackpot.proof.rules.days import DayClock, GamingClock
from jackpot.proof.rules.findings import Promise
from jackpot.proof.rules.hits import Place, WinFound
from jackpot.proof.rules.payments import PaymentFound, check_payments
from jackpot.proof.rules.proof import EntryRow, JackpotProof, JackpotRow, KnownVersion, PublishedHead
from jackpot.proof.rules.receipts import ReceiptFound, check_receipts
from jackpot.proof.rules.signed import SignedAct, TakenReading, check_reading, check_signed
from jackpot.proof.rules.transfers import check_transfers
from jackpot.property.rules.tax import TaxRule

COUNTED: Final = (
    "jackpot",
    "version",
    "head",
    "round",
    "hand",
    "win",
    "act",
    "payment",
    "receipt",
    "entry",
    "evidence",
)
# Whatever a stranger's line may raise while it is read: it is one finding, never the end of the proof.
WRONG: Final = (KeyError, TypeError, ValueError, ArithmeticError, AttributeError)
Plain = Mapping[str, Any]


class RoundsListener(Protocol):
    """Whoever knows rounds hears the file's rounds and entries, and judges them at its end."""

    def round(self, plain: Plain) -> None: ...
    def hand(self, plain: Plain) -> None: ...
    def entry(self, plain: Plain, row: EntryRow, version: KnownVersion | None) -> None: ...
    def finish(self, scope: Collection[str], verdict: ProofReport) -> None: ...


class FileProof:
    """Takes an export line by line."""

    def __init__(self, rounds: RoundsListener, jackpot_codes: Collection[str] | None = None,
                 evidence: Path | None = None) -> None:  # fmt: skip
        self.verdict = ProofReport()
        self.rounds = rounds
        self.wanted = jackpot_codes
        self.evidence = evidence
        self.standings: dict[str, JackpotRow] = {}
        self.versions: dict[str, dict[str, KnownVersion]] = defaultdict(dict)
        self.heads: dict[str, dict[int, list[PublishedHead]]] = defaultdict(lambda: defaultdict(list))
        self.wins: dict[str, dict[str, WinFound]] = defaultdict(dict)
        self.places: dict[str, set[Place]] = defaultdict(set)
        self.coin_ins: dict[str, dict[Place, list[CoinInOfHit]]] = defaultdict(dict)
        self.acts: dict[str, list[SignedAct]] = defaultdict(list)
        self.payments: dict[str, list[PaymentFound]] = defaultdict(list)
        self.receipts: dict[str, list[ReceiptFound]] = defaultdict(list)
        self.clocks: dict[str, list[GamingClock]] = {}
        self.taxes: dict[str, list[TaxRule]] = {}
        self.readings: dict[str, TakenReading] = {}
        self.proofs: dict[str, JackpotProof] = {}
        self.found: dict[str, int] = Counter()
        self.counts: Counter[str] = Counter()
        self.ended = False
        self._takers: dict[str, Callable[[Plain], None]] = {
            "header": self._header, "jackpot": self._jackpot, "version": self._version, "head": self._head,
            "round": self._round, "hand": self._hand, "win": self._win, "act": self._act, "payment": self._payment,
            "receipt": self._receipt, "entry": self._entry, "end": self._end, "evidence": self._evidence,
        }  # fmt: skip

    def take(self, number: int, text: bytes) -> None:
        """One line; one that cannot be read is a finding and the next line goes on."""
        try:
            plain = orjson.loads(text)
            kind = plain["line"]
            taker = self._takers[kind]
            # Counted before it is understood: the end of the file says how many lines there were, readable or not.
            self.counts[kind] += 1
            taker(plain)
        except WRONG as problem:
            self.verdict.findings.add(
                Promise.UNREADABLE, f"line {number}", "the line", "a line of an export", repr(problem)
            )

    def finish(self) -> ProofReport:
        """After the last line: every jackpot must end where it says, every round agree, the file be whole."""
        if not self.ended:
            self.verdict.findings.add(
                Promise.UNREADABLE, "the file", "its last line", "the count of its lines", "none: the file is cut short"
            )
        for code, standing in self.standings.items():
            before = self.verdict.findings.total
            proof = self._proof(code)
            proof.close(standing)
            self._close(code, proof)
            found = self.found[code] + self.verdict.findings.total - before
            self.verdict.jackpots.append(Proven(code, proof.entries, proof.seq, proof.seal, proof.balances, found))
        transfers = [sent for proof in self.proofs.values() for sent in proof.transfers]
        check_transfers(transfers, self.standings.keys(), self.verdict.findings)
        for code in sorted(self.proofs.keys() - self.standings.keys()):
            self.verdict.findings.add(Promise.JACKPOT, code, "the jackpot's row", "a line in the file", "none")
        self.rounds.finish(self.standings.keys(), self.verdict)
        return self.verdict

    def _close(self, code: str, proof: JackpotProof) -> None:
        """What stands beside the entries: signed acts, and payments."""
        findings, versions = self.verdict.findings, self.versions[code]
        check_signed(code, proof.kept, self.acts[code], versions, findings)
        check_reading(code, proof.kept, self.readings.get(code), findings)
        about = self.wins[code], versions, self.taxes.get(code, [])
        check_payments(code, proof.kept, self.payments[code], about, findings)
        check_receipts(code, proof.kept, self.receipts[code], self.payments[code], self.wins[code], findings)

    def _header(self, plain: Plain) -> None:
        if plain["format"] != FORMAT:
            self.verdict.findings.add(Promise.UNREADABLE, "the file", "its format", FORMAT, plain["format"])

    def _wants(self, code: str) -> bool:
        return self.wanted is None or code in self.wanted

    def _jackpot(self, plain: Plain) -> None:
        if self._wants(plain["code"]):
            at = None if plain["last_at"] is None else microseconds(datetime.fromisoformat(plain["last_at"]))
            balances = Balances(*(Money.of(text).units for text in plain["balances"]))
            advance = Money.of(plain.get("advance", "0")).units  # a file from before there was such a thing has none
            self.clocks[plain["code"]] = [GamingClock(**clock) for clock in plain["clocks"]]
            self.taxes[plain["code"]] = [tax_of(rule) for rule in plain["taxes"]]
            if plain["reading"] is not None:
                self.readings[plain["code"]] = TakenReading(**plain["reading"])
            self.standings[plain["code"]] = JackpotRow(plain["last_seq"], plain["seal"], at, balances, advance)

    def _version(self, plain: Plain) -> None:
        code, number = plain["jackpot"], plain["number"]
        if self._wants(code):
            where = f"{code} version {number}"
            version = known_version(where, plain["terms"], plain["digest"], self.verdict.findings)
            self.versions[code][str(number)] = version

    def _head(self, plain: Plain) -> None:
        if self._wants(plain["jackpot"]):
            self.heads[plain["jackpot"]][plain["seq"]].append(PublishedHead(plain["seal"], plain["meter"]))

    def _round(self, plain: Plain) -> None:
        self.rounds.round(plain)

    def _hand(self, plain: Plain) -> None:
        self.rounds.hand(plain)

    def _win(self, plain: Plain) -> None:
        if self._wants(plain["jackpot"]):
            win = win_of(plain)
            self.wins[plain["jackpot"]][win.id] = win
            self.places[plain["jackpot"]].add(win.place)

    def _act(self, plain: Plain) -> None:
        if self._wants(plain["jackpot"]):
            amount = None if plain["amount"] is None else Money.of(plain["amount"]).units
            told = (plain["entry"], plain["name"], Adjusting(plain["kind"]).value, plain["account"])
            # A file from before acts told these has neither.
            spoken = plain.get("request", ""), plain.get("day", "")
            self.acts[plain["jackpot"]].append(SignedAct(*told, amount, plain["pays"], *spoken))

    def _payment(self, plain: Plain) -> None:
        if self._wants(plain["jackpot"]):
            self.payments[plain["jackpot"]].append(payment_of(plain))

    def _receipt(self, plain: Plain) -> None:
        if self._wants(plain["jackpot"]):
            self.receipts[plain["jackpot"]].append(receipt_of(plain))

    def _entry(self, plain: Plain) -> None:
        code = plain["jackpot"]
        if not self._wants(code):
            return
        row = row_of(plain)
        note_coin_ins(self.coin_ins[code], self.places[code], [row])
        before = self.verdict.findings.total
        self._proof(code).read([row])
        self.found[code] += self.verdict.findings.total - before
        if row.round:
            self.rounds.entry(plain, row, self.versions[code].get(row.version))

    def _evidence(self, plain: Plain) -> None:
        """The file lies beside the export, and is what its digest says."""
        assert self.evidence is not None, "whoever reads a file knows its folder"
        # Its name alone: no line of a stranger leads to a file outside the folder.
        instead = digest_of_file(self.evidence / Path(plain["file"]).name)
        if instead != plain["sha256"]:
            names = ", ".join(use["name"] for use in (*plain["requests"], *plain.get("rounds", ())))
            where = f"evidence/{plain['file']}"
            self.verdict.findings.add(Promise.EVIDENCE, where, names, plain["sha256"], instead)

    def _end(self, plain: Plain) -> None:
        self.ended = True
        for kind in COUNTED:
            if plain.get(kind, 0) != self.counts[kind]:  # a file from before there was such a line counts none
                self.verdict.findings.add(
                    Promise.UNREADABLE,
                    "the file",
                    f"how many {kind} lines it has",
                    plain.get(kind, 0),
                    self.counts[kind],
                )

    def _proof(self, code: str) -> JackpotProof:
        if code not in self.proofs:
            versions, findings = self.versions[code], self.verdict.findings
            awards = AwardProof(code, self.wins[code], versions, self.coin_ins[code], findings)
            days = DayClock(self.clocks[code]) if code in self.clocks else None
            self.proofs[code] = JackpotProof(code, versions, self.heads[code], findings, awards, days)
        return self.proofs[code]


def digest_of_file(path: Path) -> str:
    """Of what lies there, in words where nothing does."""
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return "no file"


def row_of(plain: Plain) -> EntryRow:
    """An entry's line as the sealed line spells it."""
    seq, at = plain["seq"], microseconds(datetime.fromisoformat(plain["at"]))
    # To Python a truth is a whole number, and 1.0 is 1: neither is what was sealed.
    if type(seq) is not int:
        raise TypeError(f"the number {seq!r} of an entry is no whole number")
    return EntryRow(
        seq, plain["kind"], plain["key"], at, plain["day"], plain["table"], _spelt(plain["round"]),
        _spelt(plain["win"]), _spelt(plain["corrects"]), _spelt(plain["version"]), ",".join(plain["movement"]),
        ",".join(plain["after"]), plain["request"], plain["seal"],
    )  # fmt: skip


def win_of(plain: Plain) -> WinFound:
    """A win's line; its numbers as entries spell them."""
    amount = None if plain["amount"] is None else Money.of(plain["amount"]).units
    return WinFound(
        _spelt(plain["id"]), plain["table"], _spelt(plain["round"]), int(_spelt(plain["seat"])), plain["hand"],
        _spelt(plain["version"]), plain["state"], plain["mark"], plain["frozen"], plain["ranked"], plain["front"],
        _spelt(plain["envy_of"]), _spelt(plain["difference_of"]), plain["number"], plain["slip"], amount,
        plain["award"], dict(plain["page"]), plain["day"] or "", plain.get("approved", ()),
        plain.get("said", ""),
    )  # fmt: skip


def payment_of(plain: Plain) -> PaymentFound:
    """A payment's line; its own seal is over names that do not leave the house, so it is not judged here."""
    gross, withheld, net = (Money.of(plain[name]).units for name in ("gross", "withheld", "net"))
    told = (plain["entry"], plain["entry_seal"], plain["slip"], date.fromisoformat(plain["day"]))
    return PaymentFound(*told, gross, withheld, net, plain["reported"], plain["digits"])


def receipt_of(plain: Plain) -> ReceiptFound:
    """A receipt's line; as with a payment's, its own seal is not judged here."""
    told = (plain["entry"], plain["entry_seal"], plain["slip"], date.fromisoformat(plain["day"]))
    gross, withheld, net = (Money.of(plain[name]).units for name in ("gross", "withheld", "net"))
    return ReceiptFound(*told, gross, withheld, net)


def tax_of(plain: Plain) -> TaxRule:
    above = None if plain["withhold_above"] is None else Money.of(plain["withhold_above"])
    told = (date.fromisoformat(plain["begins"]), Money.of(plain["minimum"]), plain["multiple"])
    return TaxRule(*told, above, plain["rate"], plain["wager_deducted"])


def _spelt(number: int | None) -> str:
    if number is None:
        return ""
    if type(number) is not int:
        raise TypeError(f"{number!r} is no whole number")
    return str(number)
