"""What every award must have been: frozen entry, basis, order and reset counted again, from the entries alone.

An act is what was approved together of one round on one jackpot. It is judged when its last award has been read; plain
coin-ins change nothing of it, so they never come here.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Final, NamedTuple, assert_never

from jackpot.books.rules.entry_kind import EntryKind, known_kind
from jackpot.books.rules.movement import Balances, Movement
from jackpot.money import text_of_units
from jackpot.proof.rules.acts import LoggedAct, PaidEntry, TermsOfAct, check_difference, check_row, judge
from jackpot.proof.rules.findings import Findings, Promise
from jackpot.proof.rules.hits import BookedHit, FrozenPoint, Place, RankedMoves, StandingHits, WinFound
from jackpot.terms.rules.paytable import NotAPayTable, PartOfMeter, PayLine
from jackpot.terms.rules.terms import Terms
from jackpot.wins.rules.rank import PaidAct
from jackpot.wins.rules.win_life import WinState

if TYPE_CHECKING:
    from jackpot.proof.rules.proof import EntryRow, KnownVersion

SEATS: Final = "123456789"
PAYING: Final = frozenset({EntryKind.AWARD, EntryKind.ADVANCE})


class CoinInOfHit(NamedTuple):
    """The coin-in of a round that had a hit: its terms judge the hit, its request holds the seats."""

    seq: int
    version: str
    request: str


class AwardProof:
    """Counts one jackpot's awards again, from the entries of its wins in the order of their numbers."""

    def __init__(
        self, code: str, wins: Mapping[str, WinFound], versions: Mapping[str, KnownVersion],
        coin_ins: Mapping[Place, Sequence[CoinInOfHit]], findings: Findings,
    ) -> None:  # fmt: skip
        self.code = code
        self.wins = wins
        self.versions = versions
        self.coin_ins = coin_ins
        self.findings = findings
        self.hits = StandingHits()
        self.ranked = RankedMoves()
        self.acts: dict[Place, LoggedAct] = {}
        self.paying: LoggedAct | None = None
        self.in_force = ""
        self._logging: LoggedAct | None = None
        self._says = self._mark_says = 0

    def entry(self, row: EntryRow, moved: Movement, before: Balances, in_force: str) -> None:
        """Takes every entry that is not a plain coin-in; `in_force` is the version before it."""
        # The act is over with the first entry that pays nothing of it: all that it is judged by has been read.
        if self.paying is not None and not (row.kind in PAYING and self._is_of(self.paying, row.win)):
            self._judge()
        # What was logged together stands side by side: anything between begins another act.
        if row.kind != EntryKind.LOG:
            self._logging = None
        if row.win:
            self.in_force = in_force
            self._of_win(row, moved, before)

    def close(self) -> None:
        """After the last entry: every row must say what its entries led to."""
        if self.paying is not None:
            self._judge()
        for win in self.wins.values():
            where, hit = f"{self.code} {win.name}", self.hits.all.get(win.id)
            if hit is None:
                self.findings.add(
                    Promise.WIN, where, "its entries", "the mark, log or difference it began with", "none"
                )
                continue
            said = {
                "its state": (hit.state.value, win.state), "the award entry it names": (hit.award_seq, win.award_seq),
                "the entry that let it pass": (hit.front, win.front),
            }  # fmt: skip
            if hit.state in (WinState.MARKED, WinState.ASKED):
                said["the entry of its mark"] = hit.rank, win.mark_seq
                said["its frozen entry"] = hit.frozen.seq, win.frozen_seq
            for what, (expected, found) in said.items():
                if expected != found:
                    self.findings.add(Promise.WIN, where, what, _or_none(expected), _or_none(found))

    def _of_win(self, row: EntryRow, moved: Movement, before: Balances) -> None:
        where, win = f"{self.code}/{row.seq}", self.wins.get(row.win)
        if win is None:
            self.findings.add(Promise.WIN, where, "its win", f"a hit of {self.code}", "none")
            return
        if (row.table, row.round) != win.place:
            expected = f"{row.table}/{row.round}"
            self.findings.add(Promise.WIN, where, f"the round of {win.name}", expected, "/".join(win.place))
        hit = self.hits.all.get(row.win)
        if hit is None:
            hit = self._begin(row, win, before)
        elif not self.hits.step(hit, row.kind):
            found = f"{row.kind} of a win that is {hit.state.value}"
            self.findings.add(Promise.WIN, where, f"what became of {win.name}", "the next step of a win", found)
        if hit is not None:
            self._happened(row, hit, moved, before)

    def _happened(self, row: EntryRow, hit: BookedHit, moved: Movement, before: Balances) -> None:
        match kind := known_kind(row.kind):
            case EntryKind.PASS_QUEUE | EntryKind.REJOIN:
                hit.front = row.seq if kind is EntryKind.PASS_QUEUE else None
            case EntryKind.LOG:
                self._log(row, hit, before)
            case EntryKind.AWARD | EntryKind.ADVANCE:
                self._pay(PaidEntry(row, moved, before), hit)
            case EntryKind.DIFFERENCE if hit.win.difference_of:
                self._check_day(row, hit.win)
                self._difference(row, hit, moved)
            case EntryKind.BACK_OUT:
                self._backed_out(row, hit)
            case EntryKind.PAY:
                self._amount(f"{self.code}/{row.seq}", hit.win, moved.paid)
            case (
                EntryKind.MARK | EntryKind.UNMARK | EntryKind.ASSIGN | EntryKind.ASK | EntryKind.RELEASE
                | EntryKind.OUTRANK | EntryKind.REJECT | EntryKind.FALL | EntryKind.PARK | EntryKind.CLAIM
                | EntryKind.OVERRIDE | EntryKind.VOID | EntryKind.DIFFERENCE
                # of no hit; that such an entry names one is found elsewhere
                | None | EntryKind.OPENING | EntryKind.TAKE_OVER | EntryKind.COIN_IN | EntryKind.RECOUNT
                | EntryKind.REPAY | EntryKind.RECEIPT | EntryKind.CONFIGURE | EntryKind.ADJUST | EntryKind.TRANSFER_OUT
                | EntryKind.TRANSFER_IN | EntryKind.SUSPEND | EntryKind.RESUME | EntryKind.RETIRE
            ):  # fmt: skip
                pass  # what it made of the hit is its next step, taken already
            case _:
                assert_never(kind)

    def _begin(self, row: EntryRow, win: WinFound, before: Balances) -> BookedHit | None:
        begins: dict[str, WinState] = {EntryKind.MARK: WinState.MARKED}
        if win.envy_of:
            begins = {EntryKind.LOG: WinState.LOGGED}
        if win.difference_of:
            begins = {EntryKind.DIFFERENCE: WinState.OWED}
        state = begins.get(row.kind)
        if state is None:
            where = f"{self.code}/{row.seq}"
            self.findings.add(Promise.WIN, where, f"the first entry of {win.name}", next(iter(begins)), row.kind)
            return None
        line = None if win.envy_of or win.difference_of else self._line(win)
        if line is None and state is WinState.MARKED and self._terms(win.version) is not None:
            self.findings.add(Promise.WIN, f"{self.code} {win.name}", "its hand", "a line of its version", win.line)
        part = line is not None and isinstance(line.award, PartOfMeter)
        if state is WinState.MARKED:
            self._check_marked(row, win)
        terms = self._terms(win.version)
        at_approval = terms is not None and terms.policy.freeze == "approval"
        return self.hits.begin(BookedHit(win, state, row.seq, FrozenPoint(row.seq, before), part, at_approval))

    def _log(self, row: EntryRow, hit: BookedHit, before: Balances) -> None:
        act = self._logging
        if act is None or act.place != hit.win.place:
            act = self._begin_act(row, hit, before)
        act.hits.append(hit)
        self._check_logged(row, hit.win)
        self._check_day(row, hit.win)

    def _check_day(self, row: EntryRow, win: WinFound) -> None:
        """A win counts for the day on which its amount was fixed."""
        if win.day != row.day:
            where, what = f"{self.code}/{row.seq}", f"the gaming day of {win.name}"
            self.findings.add(Promise.WIN, where, what, row.day, _or_none(win.day or None))

    def _begin_act(self, row: EntryRow, hit: BookedHit, before: Balances) -> LoggedAct:
        """Frozen entry and order, as they were when the first of the act was logged."""
        place, stood = hit.win.place, FrozenPoint(row.seq - 1, before)
        # The hit itself is logged by now; those of its act that follow are still asked for.
        mine = [each for each in self.hits.of(place) if each is hit or each.state is WinState.ASKED]
        parts = [each for each in mine if each.part]
        # The earliest mark of a part ranks and freezes the round; only without a part the earliest of all.
        frozen = stood if hit.at_approval else min((each.frozen for each in parts or mine), key=lambda point: point.seq)
        paid_as = PaidAct(min(each.rank for each in parts or mine), any(each.front for each in mine))
        moved = self.ranked.since(frozen.seq, paid_as.mark, part=bool(parts))
        act = LoggedAct(place, stood, row.version, frozen, paid_as, bool(parts), moved)
        first = self.hits.in_front_of(place)
        if first is not None:
            expected = f"round {'/'.join(first.win.place)}, marked at {self.code}/{first.rank}"
            found = f"round {'/'.join(place)}, marked at {self.code}/{paid_as.mark}"
            self.findings.add(Promise.AWARD, f"{self.code}/{row.seq}", "which hit comes first", expected, found)
        self._logging = self.acts[place] = act
        return act

    def _check_marked(self, row: EntryRow, win: WinFound) -> None:
        """From the first `mark` that seals seat and hand on, every one must; a file from before does not tell."""
        forms = win.marked_requests
        says = forms.index(row.request) if row.request in forms else -1
        if win.said and says < self._mark_says:
            where, found = f"{self.code}/{row.seq}", f"seat {win.seat}, {win.line}: {forms[-1]}"
            self.findings.add(
                Promise.WIN, where, f"what was marked as {win.name}", f"a request of {row.request}", found
            )
        self._mark_says = max(self._mark_says, says)

    def _check_logged(self, row: EntryRow, win: WinFound) -> None:
        """From the first `log` that seals seat, hand, slip and amount on, every one must; and so with who approved."""
        where, forms = f"{self.code}/{row.seq}", win.logged_requests
        says = forms.index(row.request) if row.request in forms else -1
        if says < self._says:
            found = f"{_approved(win)}: {forms[-1]}"
            what = f"what was approved as {win.name}"
            self.findings.add(Promise.WIN, where, what, f"a request of {row.request}", found)
        elif row.request == forms[-1] and not (win.approved or win.envy_of):
            self.findings.add(Promise.WIN, where, f"who approved {win.name}", "a person", "nobody")
        self._says = max(self._says, says)

    def _pay(self, paid: PaidEntry, hit: BookedHit) -> None:
        row, act = paid.row, self.acts.get(hit.win.place)
        if row.kind == EntryKind.AWARD:
            hit.award_seq = row.seq
            self._amount(f"{self.code}/{row.seq}", hit.win, paid.moved.winners)
        if act is None or not self._is_of(act, row.win):
            return
        # Before its first award: the reset in there may put other terms in force.
        if self.paying is None:
            self.paying, act.in_force_at_award = act, self.in_force
        act.paid.append(paid)
        if act.ranked:
            self.ranked.add(row.seq, act.paid_as, paid.moved)

    def _amount(self, where: str, win: WinFound, moved: int) -> None:
        if moved != win.amount:
            instead = "none" if win.amount is None else text_of_units(win.amount)
            self.findings.add(Promise.WIN, where, f"the amount of {win.name}", text_of_units(moved), instead)

    def _difference(self, row: EntryRow, hit: BookedHit, moved: Movement) -> None:
        hit.award_seq = row.seq
        self._amount(f"{self.code}/{row.seq}", hit.win, moved.winners)
        terms = self._terms(hit.win.version)
        if terms is not None:
            check_difference(f"{self.code}/{row.seq}", hit.win, terms, self.findings)

    def _backed_out(self, row: EntryRow, hit: BookedHit) -> None:
        if int(row.corrects or 0) != (hit.award_seq or 0):
            expected = f"{self.code}/{hit.award_seq}" if hit.award_seq else "none, it had not moved"
            where, what = f"{self.code}/{row.seq}", f"the award of {hit.win.name} that it corrects"
            self.findings.add(Promise.WIN, where, what, expected, row.corrects or "none")
        # Logged and never moved, with the key at JPH: its round may be approved anew, as another act.
        if hit.award_seq is None:
            self.acts.pop(hit.win.place, None)

    def _judge(self) -> None:
        """The whole act, now that all of it has been read."""
        act, self.paying = self.paying, None
        assert act is not None, "only an act that pays is judged"
        self.acts.pop(act.place, None)
        for hit in act.hits:
            check_row(self.code, act, hit, self.findings)
        if act.paid_as.front:
            self.hits.freeze_anew(act.place, act.frozen)
        own = [hit for hit in act.hits if not hit.win.envy_of]
        if not own:
            return  # envied seats alone: the hit they are paid for has no mark, and was named at its first entry
        named = (own[0].win.version, act.in_force, act.in_force_at_award, act.paid[-1].row.version)
        terms = [self._terms(version) for version in named]
        known = [each for each in terms if each is not None]
        if len(known) == len(named) and all(self._line(hit.win) for hit in own):
            resets = judge(self.code, act, TermsOfAct(*known), self._seats(act), self.findings)
            self.ranked.resets += [(seq, act.paid_as, each) for seq, each in resets if act.ranked]

    def _seats(self, act: LoggedAct) -> Sequence[int]:
        """Who had a coin-in, told by its sealed request; and by whose terms the hits are judged."""
        # A recount counts the round's coin-in anew: the last one before the approval says who played.
        earlier = [coin_in for coin_in in self.coin_ins.get(act.place, ()) if coin_in.seq <= act.logged.seq]
        coin_in = earlier[-1] if earlier else None
        where = f"round {'/'.join(act.place)}"
        if coin_in is None:
            self.findings.add(Promise.AWARD, where, "the coin-in of its hits", "an earlier entry", "none")
            return sorted({hit.win.seat for hit in act.hits})
        seats = asked_seats(act.place, coin_in.request)
        for hit in act.hits:
            if str(hit.win.seat) not in seats:
                where = f"{self.code} {hit.win.name}"
                self.findings.add(
                    Promise.WIN, where, "its seat", f"one with a coin-in: {seats or 'none'}", hit.win.seat
                )
            if hit.win.version != coin_in.version:
                versions = [self.versions[each].digest for each in (coin_in.version, hit.win.version)]
                self.findings.add(Promise.WIN, f"{self.code} {hit.win.name}", "the terms that judge it", *versions)
        return [int(seat) for seat in seats]

    def _line(self, win: WinFound) -> PayLine | None:
        terms = self._terms(win.version)
        try:
            return None if terms is None else terms.pay_table.line(win.line)
        except NotAPayTable:
            return None

    def _terms(self, version: str) -> Terms | None:
        known = self.versions.get(version)
        return None if known is None else known.terms

    @staticmethod
    def _is_of(act: LoggedAct, win_id: str) -> bool:
        return any(hit.win.id == win_id for hit in act.hits)


def asked_seats(place: Place, request: str) -> str:
    """The seats whose coin-in was asked for: no other seats give its request."""
    # At most 511 sets of nine seats: quick enough to try, as nobody reads them back out of a digest.
    asked = f'["coin_in","{place[0]}",{place[1]},"'
    for count in range(1, len(SEATS) + 1):
        for seats in map("".join, combinations(SEATS, count)):
            if hashlib.sha256(f'{asked}{seats}"]'.encode()).hexdigest() == request:
                return seats
    return ""


def _or_none(value: object) -> object:
    return "none" if value is None else value


def _approved(win: WinFound) -> str:
    amount = "none" if win.amount is None else text_of_units(win.amount)
    people = ", ".join(map(str, win.approved)) or "nobody"
    return f"seat {win.seat}, {win.line}, slip {win.slip}, {amount}, by {people}"
