"""Wins against their entries: each award is one entry, of the amount that the win's page and the rule give."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from jackpot.books.models.entry import Entry
from jackpot.books.models.jackpot import Jackpot
from jackpot.money import Money, text_of_units, units_of
from jackpot.proof.rules.findings import Findings, Kind
from jackpot.proof.rules.proof import KnownVersion
from jackpot.terms.rules.next_row import at_least, pays
from jackpot.terms.rules.paytable import ForOne, NotAPayTable, PartOfMeter
from jackpot.terms.rules.terms import Terms
from jackpot.wins.models import Win
from jackpot.wins.rules.win_life import WinState

MOVED: Final = frozenset({WinState.OWED, WinState.PAID})


def prove_wins(jackpot: Jackpot, versions: Mapping[str, KnownVersion], findings: Findings) -> None:
    """Every entry of a win against the win, and every win that moved the meter against its entry."""
    wins = {win.id: win for win in Win.objects.filter(jackpot=jackpot).select_related("version").order_by("id")}
    awarded: set[int] = set()
    rows = Entry.objects.filter(jackpot=jackpot, kind="advance", win_id__isnull=False)
    advanced = {win_id for win_id in rows.values_list("win_id", flat=True) if win_id is not None}
    entries = Entry.objects.filter(jackpot=jackpot, win_id__isnull=False).order_by("seq")
    for entry in entries.iterator(chunk_size=2_000):
        where = f"{jackpot.code}/{entry.seq}"
        win = wins.get(entry.win_id or 0)
        if win is None:
            findings.add(Kind.WIN, where, "its win", f"win {entry.win_id} of {jackpot.code}", "no such win")
            continue
        _check_entry(where, entry, win, findings)
        if entry.kind == "difference" and win.difference_of_id is not None:
            awarded.add(win.id)
            version = versions.get(str(win.version_id))
            if version is not None and version.terms is not None:
                _check_difference(where, win, version.terms, findings)
        if entry.kind == "award":
            awarded.add(win.id)
            version = versions.get(str(win.version_id))
            if version is not None and version.terms is not None:
                _check_rule(where, win, version.terms, findings)
            _check_seed(where, win, versions.get(str(entry.version_id)), findings)
            _check_restart(where, entry, win, versions.get(str(entry.version_id)), advanced, findings)
    for win in wins.values():
        if win.state in MOVED and win.id not in awarded:
            findings.add(Kind.WIN, _named(jackpot, win), f"the award of a win that is {win.state}", "its entry", "none")


def _check_entry(where: str, entry: Entry, win: Win, findings: Findings) -> None:
    moved, amount = entry.movement, 0 if win.amount is None else units_of(win.amount)
    made_up = entry.kind == "difference" and win.difference_of_id is not None  # a note names the winner, not a page
    told = moved.winners if made_up else {"award": moved.winners, "pay": moved.paid}.get(entry.kind)
    if told is not None and told != amount:
        what = f"the amount of win {win.number or win.id}"
        findings.add(Kind.WIN, where, what, text_of_units(told), text_of_units(amount))
    seq = entry.seq if made_up else {"award": entry.seq, "back_out": entry.corrects}.get(entry.kind)
    if seq is not None and seq != win.award_seq:
        findings.add(Kind.WIN, where, f"the award entry of win {win.number or win.id}", seq, win.award_seq)


def _check_rule(where: str, win: Win, terms: Terms, findings: Findings) -> None:
    demanded = _demanded(win, terms)
    if demanded is not None and win.amount is not None and demanded != Money(units_of(win.amount)):
        findings.add(
            Kind.WIN, where, f"what {win.line_name} pays by its version", demanded, Money(units_of(win.amount))
        )


def _check_difference(where: str, win: Win, terms: Terms, findings: Findings) -> None:
    """The part of the basis as it would have been, less what the winner had been told before."""
    paper: Mapping[str, Any] = win.paper["difference"]
    award = terms.pay_table.line(win.line).award
    assert isinstance(award, PartOfMeter), "only a part of the meter has a difference"
    whole = Money.of(paper["basis"]).share(award.part, terms.rounding, terms.digits)
    would_be = whole if paper["sharers"] == 1 else Money(whole.units // paper["sharers"]).shown(terms.digits)
    demanded = would_be - Money.of(paper["was"])
    if win.amount_money != demanded:
        findings.add(Kind.WIN, where, f"the difference of win {paper['win']}", demanded, win.amount_money)


def _check_seed(where: str, win: Win, version: KnownVersion | None, findings: Findings) -> None:
    """A reset is the first act of the terms that its entry names: it posts their seed."""
    paper: Mapping[str, Any] = win.paper
    posted = Money.of(paper.get("seed", "0"))
    if posted and version is not None and version.terms is not None and posted != version.terms.seed:
        findings.add(Kind.WIN, where, f"the seed that win {win.number} posted", version.terms.seed, posted)


def _demanded(win: Win, terms: Terms) -> Money | None:
    """The award by the pay line; a part counts from the basis that the page prints.

    An equal share and a share of an aggregate follow from their whole round, not from one win.
    """
    try:
        line = terms.pay_table.line(win.line)
    except NotAPayTable:
        return Money(0)
    if win.envy_of_id is not None:
        return line.envy
    paper: Mapping[str, Any] = win.paper
    basis = Money.of((paper.get("next_row") or paper).get("basis") or "0")
    match line.award:
        case ForOne() if terms.aggregate is None:
            return at_least(line, pays(line, basis, terms), basis, terms)
        case PartOfMeter() if terms.policy.order != "equal_shares" and paper.get("basis"):
            return at_least(line, pays(line, basis, terms), basis, terms)
        case _:
            return None


def _check_restart(
    where: str, entry: Entry, win: Win, version: KnownVersion | None, advanced: set[int], findings: Findings
) -> None:
    """An award that leaves the meter without a cent is followed by the advance, where the terms in force restart it.

    Equal shares of the whole meter are followed by their reset instead.
    """
    terms = version and version.terms
    if terms is None or terms.policy.dry_meter == "stay" or win.version.value.policy.order == "equal_shares":
        return
    dry = entry.movement.meter < 0 and not Money(entry.after.meter).shown(terms.digits)
    if dry and win.id not in advanced:
        expected = f"an advance of {terms.seed}"
        findings.add(Kind.WIN, where, f"what follows win {win.number}, which left the meter dry", expected, "none")


def _named(jackpot: Jackpot, win: Win) -> str:
    return f"{jackpot.code} win {win.number or win.id}"
