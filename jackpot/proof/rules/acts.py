"""One act judged: what its hits must have got, in which order, and what their rows and pages say of it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from jackpot.books.rules.entry_kind import EntryKind
from jackpot.books.rules.kinds import spoken_movement
from jackpot.books.rules.movement import NOTHING, Balances, Movement
from jackpot.money import Money, text_of_units
from jackpot.proof.rules.findings import Findings, Promise
from jackpot.proof.rules.hits import BookedHit, CountedMoves, FrozenPoint, Place, WinFound
from jackpot.terms.rules.next_row import due_from
from jackpot.terms.rules.terms import Terms
from jackpot.wins.rules.rank import PaidAct
from jackpot.wins.rules.settlement import Award, Hit, OverflowReturn, Pot, settle, still_frozen

if TYPE_CHECKING:
    from jackpot.proof.rules.proof import EntryRow

PRINTED = ("seed", "reserve_released", "overflow_returned", "from_reserve", "from_house")
Whose = tuple[int, int | None]  # the seat, and for an envied one the seat whose hit it is paid for


class PaidEntry(NamedTuple):
    """An award or an advance as it is written."""

    row: EntryRow
    moved: Movement
    before: Balances


class TermsOfAct(NamedTuple):
    """By which a hit is judged; those in force at its approval and at its award; those a reset obeyed."""

    judged: Terms
    at_log: Terms
    at_award: Terms
    reset_by: Terms


@dataclass(slots=True)
class LoggedAct:
    """What was logged together of one round, and where the jackpot stood then."""

    place: Place
    logged: FrozenPoint
    in_force: str
    frozen: FrozenPoint
    paid_as: PaidAct
    ranked: bool
    moved: CountedMoves
    hits: list[BookedHit] = field(default_factory=list)
    paid: list[PaidEntry] = field(default_factory=list)
    in_force_at_award: str = ""

    def pot(self, live: Balances, in_force: Terms, reset_by: Terms) -> Pot:
        """What stood at the frozen entry, and what hits that rank before have moved since, as at approval."""
        stood = self.frozen.balances
        return Pot(
            live, stood.meter + self.moved.meter, max(stood.reserve + self.moved.reserve, 0),
            still_frozen(stood.overflow, self.moved.resets), reset_by, in_force,
        )  # fmt: skip

    def source(self, hit: BookedHit) -> BookedHit | None:
        """Whose hit an envied seat is paid for."""
        return next((each for each in self.hits if each.win.id == hit.win.envy_of), None)

    def whose(self, hit: BookedHit) -> Whose:
        source = self.source(hit)
        return hit.win.seat, None if source is None else source.win.seat


def judge(
    code: str, act: LoggedAct, terms: TermsOfAct, seats: Sequence[int], findings: Findings
) -> list[tuple[int, OverflowReturn]]:
    """Settles the act again: amounts as at approval, movements as at the award.

    Told are the resets that took overflow back, by the entry: what is frozen later counts on them.
    """
    lines = {hit.win.seat: terms.judged.pay_table.line(hit.win.line) for hit in act.hits if not hit.win.envy_of}
    fixed = _fixed(act, terms, [Hit(seat, line) for seat, line in lines.items()], seats)
    # As its first award found it: between J-POT and RUN coin-ins went on, and the fixed amounts draw on what is there.
    pot = act.pot(act.paid[0].before, terms.at_award, terms.reset_by)
    hits = [Hit(seat, line, fixed=fixed[seat, None].amount) for seat, line in lines.items()]
    due = {(award.seat, award.caused_by): award for award in settle(pot, hits, terms.judged, seats)}
    _check_terms(code, act, terms, due.values(), findings)
    whose = {hit.win.id: act.whose(hit) for hit in act.hits}
    places = {key: place for place, key in enumerate(due, start=1)}
    advanced = {paid.row.win for paid in act.paid if paid.row.kind == EntryKind.ADVANCE}
    awards, resets = [paid for paid in act.paid if paid.row.kind == EntryKind.AWARD], []
    for place, (row, moved, before) in enumerate(awards, start=1):
        where, win = f"{code}/{row.seq}", _named(act, row.win)
        award = due.pop(whose[row.win], None)
        if award is None:
            findings.add(Promise.AWARD, where, f"the award of {win.name}", "none", spoken_movement(moved))
            continue
        resets.append((row.seq, award.took_back(before)))
        if places[whose[row.win]] != place:
            findings.add(Promise.AWARD, where, f"the place of {win.name} in its act", places[whose[row.win]], place)
        if award.movement != moved:
            findings.add(
                Promise.AWARD, where, f"what {win.name} moved", spoken_movement(award.movement), spoken_movement(moved)
            )
        if award.advance != NOTHING and row.win not in advanced:
            expected = f"an advance of {(terms.reset_by if award.resets else terms.at_award).seed}"
            findings.add(Promise.WIN, where, f"what follows {win.name}, which left the meter dry", expected, "none")
        _check_page(where, win, {**_drawn(award, fixed[whose[row.win]].basis), **_moved(act, row.win, win)}, findings)
    # What is left was due, and nobody got it.
    for (seat, _), award in due.items():
        where = f"{code}/{act.paid[-1].row.seq}"
        findings.add(Promise.AWARD, where, f"the award of seat {seat}", spoken_movement(award.movement), "none")
    return resets


def _check_terms(
    code: str, act: LoggedAct, terms: TermsOfAct, due: Collection[Award], findings: Findings
) -> None:  # fmt: skip
    """Only a reset puts other terms in force."""
    if terms.at_award != terms.reset_by and not any(award.resets for award in due):
        where = f"{code}/{act.paid[-1].row.seq}"
        findings.add(Promise.AWARD, where, "the terms it names", terms.at_award.digest, terms.reset_by.digest)


def _fixed(act: LoggedAct, terms: TermsOfAct, hits: Sequence[Hit], seats: Sequence[int]) -> Mapping[Whose, Award]:
    """What the approval fixed. A version that began to wait between J-POT and RUN had no part in it."""
    paid = {act.whose(hit): hit.win.amount for hit in act.hits}
    told_then: Mapping[Whose, Award] = {}
    for reset_by in (terms.at_log, terms.reset_by):
        pot = act.pot(act.logged.balances, terms.at_log, reset_by)
        told_then = {(award.seat, award.caused_by): award for award in settle(pot, hits, terms.judged, seats)}
        if paid == {whose: award.amount.units for whose, award in told_then.items()}:
            break
    return told_then


def check_row(code: str, act: LoggedAct, hit: BookedHit, findings: Findings) -> None:
    """Rank, frozen entry and whether it counts for later ones, as the win's row says them."""
    win, of = hit.win, act.source(hit) or hit
    said = {
        "the entry of its mark": (of.rank, win.mark_seq), "its frozen entry": (act.frozen.seq, win.frozen_seq),
        "whether later hits count it": (act.ranked, win.ranked),
    }  # fmt: skip
    for what, (expected, found) in said.items():
        if expected != found:
            findings.add(Promise.WIN, f"{code} {win.name}", what, expected, found)


def check_difference(where: str, win: WinFound, terms: Terms, findings: Findings) -> None:
    """The part of the basis as it would have been, less what the winner had been told before."""
    try:
        page: Mapping[str, Any] = win.page["difference"]
        line, basis = terms.pay_table.line(win.line), Money.of(page["basis"])
        demanded = due_from(line, basis, page["sharers"], terms) - Money.of(page["was"])
    except (KeyError, TypeError, ValueError, ArithmeticError):
        findings.add(Promise.WIN, where, f"the page of {win.name}", "how its difference was counted", "none")
        return
    if win.amount != demanded.units:
        found = "none" if win.amount is None else text_of_units(win.amount)
        findings.add(Promise.WIN, where, f"the difference that {win.name} pays", demanded, found)


def _drawn(award: Award, basis: Money | None) -> Mapping[str, str | None]:
    return {"basis": None if basis is None else str(basis), **{name: str(getattr(award, name)) for name in PRINTED}}


def _moved(act: LoggedAct, win_id: str, win: WinFound) -> Mapping[str, str]:
    """The meter before and after, the advance of a dry one included; a file from before says nothing of it."""
    mine = [paid for paid in act.paid if paid.row.win == win_id]
    after = mine[-1].before.after(mine[-1].moved)
    stood = {"meter_before": mine[0].before.meter, "meter_after": after.meter, "reserve_after": after.reserve}
    return {what: text_of_units(units) for what, units in stood.items() if what in win.page}


def _check_page(where: str, win: WinFound, due: Mapping[str, str | None], findings: Findings) -> None:
    """What the page prints of the computation; the basis is that of the approval."""
    for what, expected in due.items():
        if win.page.get(what) != expected:
            found = win.page.get(what) or "none"
            findings.add(
                Promise.WIN, where, f"{what.replace('_', ' ')} on the page of {win.name}", expected or "none", found
            )


def _named(act: LoggedAct, win_id: str) -> WinFound:
    return next(hit.win for hit in act.hits if hit.win.id == win_id)
