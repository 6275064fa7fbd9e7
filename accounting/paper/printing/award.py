"""The computation of an award, so that it can be done again by hand from what the page prints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from accounting.paper.printing.difference import difference_rows
from jackpot.money import ZERO, Money
from jackpot.property.models.property import Property
from jackpot.web.templatetags.figures import exact, money
from jackpot.wins.models import Win

Rows = list[tuple[str, str]]
ORDER_WORDS: Final = {
    "counter_clockwise": "from the dealer’s right, counter-clockwise",
    "clockwise": "from the dealer’s left, clockwise",
    "equal_shares": "a top award hit several times is shared equally",
}
FREEZE_WORDS: Final = {"mark": "at the mark", "approval": "at approval"}


def award_rows(win: Win, act: Sequence[Win], house: Property) -> Rows:
    """Pay table, basis, part or number for one, source, order and freeze."""
    if win.difference_of_id is not None:
        return [*difference_rows(win, house), *_shortfall(win, house)]
    paper, terms = win.paper, win.version.value
    rows = [("Pay table", f"{terms.pay_table.code}, terms {win.version.number} ({win.version.digest[:12]})")]
    if paper["basis"] is not None:
        rows.append(("Basis", f"{money(Money.of(paper['basis']), house)}, the meter cut to the cent"))
    rows.append(("Pays", _pays(win, house)))
    rows.append(("Wager", f"{money(Money.of(paper['wager']), house)}, not returned"))
    rows.append(("Paid from", "the meter" if paper["source"] == "meter" else "the tray (house)"))
    rows += _next_row(win, house)
    rows += _cut(win, house)
    rows += _shortfall(win, house)
    rows.append(("Order", _order(win, act)))
    rows += _together(win, act, house)
    rows.append(("Frozen", f"{FREEZE_WORDS[paper['freeze']]}, entry {_frozen(win, act):,} of {win.jackpot.code}"))
    return rows


def meter_rows(win: Win, house: Property, reserve_moved: Money) -> Rows:
    """Before, what left it, what the reset put in, after; to the last decimal that the books hold."""
    paper = win.paper
    if "meter_before" not in paper:
        return [("Meter", "moves when the key is turned to RUN")]
    before, after = Money.of(paper["meter_before"]), Money.of(paper["meter_after"])
    seed, released, returned = (Money.of(paper[word]) for word in ("seed", "reserve_released", "overflow_returned"))
    advance = Money.of(paper.get("advance", "0"))
    taken = before - after + seed + released + returned + advance
    rows = [("Meter before", exact(before, house)), ("Taken for this award", exact(-taken, house))]
    if seed or released or returned:
        rows += [("Seed from the house", exact(seed, house)), ("From the reserve", exact(released, house))]
        rows += [("Overflow returned", exact(returned, house))] if returned else []
    rows += [("House advance", exact(advance, house))] if advance else []
    reserve_after = Money.of(paper["reserve_after"])
    return [
        *rows,
        ("Meter after", exact(after, house)),
        ("Reserve before", exact(reserve_after - reserve_moved, house)),
        ("Reserve moved", exact(reserve_moved, house)),
        ("Reserve after", exact(reserve_after, house)),
    ]


def _pays(win: Win, house: Property) -> str:
    paper = win.paper
    if paper.get("envy"):
        return "a fixed sum to every other seat with coin-in (envy)"
    if paper["basis"] is None:
        return f"{paper['pays']}: {money(Money.of(paper['wager']), house)} × {str(paper['pays']).split(' ')[0]}"
    if _is_shared(win):
        return f"{paper['pays']} of the meter, in equal shares"
    part = str(paper["pays"])
    return part if part.endswith("meter") else f"{part} of the meter"


def _is_shared(win: Win) -> bool:
    """All of the meter, yet less than the basis: the top award was hit several times."""
    next_row = win.paper.get("next_row")
    own = Money.of(next_row["own"]) if next_row else win.amount_money
    return win.paper["pays"] == "100 %" and own != Money.of(win.paper["basis"])


def _next_row(win: Win, house: Property) -> Rows:
    """A higher hand that is lifted to what a lower one would get: what it pays by itself, and which row lifts it."""
    told = win.paper.get("next_row")
    if told is None or Money.of(told["worth"]) <= Money.of(told["own"]):
        return []
    own, worth = (money(Money.of(told[word]), house) for word in ("own", "worth"))
    pays = str(told["pays"])
    of_what = f", of {money(Money.of(told['basis']), house)}" if "for 1" not in pays else ""
    return [("Never less", f"than {told['name']}, {worth} ({pays}{of_what}); by its own row {own}")]


def _cut(win: Win, house: Property) -> Rows:
    """A fixed award that the table's aggregate cut says so, with what the whole round may come to."""
    most, paper = win.version.value.aggregate, win.paper
    if most is None or paper.get("envy") or paper["basis"] is not None:
        return []
    full = Money.of(paper["wager"]) * int(str(paper["pays"]).split(" ")[0].replace(",", ""))
    full = max(full, Money.of((paper.get("next_row") or {"worth": "0"})["worth"]))
    if win.amount_money == full:
        return []
    return [
        ("Aggregate", f"{money(most, house)} for a table and round, shared in proportion; uncut {money(full, house)}")
    ]


def _shortfall(win: Win, house: Property) -> Rows:
    if win.paper["source"] != "meter":
        return []
    parts = {"the reserve": Money.of(win.paper["from_reserve"]), "the house": Money.of(win.paper["from_house"])}
    told = [f"{money(amount, house)} from {source}" for source, amount in parts.items() if amount]
    return [("Shortfall", " and ".join(told))] if told else []


def _frozen(win: Win, act: Sequence[Win]) -> int:
    """A round counts from the earliest of its marks that stood."""
    return min((each.frozen_seq for each in act if each.jackpot_id == win.jackpot_id), default=win.frozen_seq)


def _together(win: Win, act: Sequence[Win], house: Property) -> Rows:
    """The other slips of the act and its sum, which decided who had to approve."""
    others = [f"slip {each.slip} seat {each.seat}" for each in act if each.pk != win.pk]
    if not others:
        return []
    total = sum((each.amount_money or ZERO for each in act), ZERO)
    return [("Together with", f"{', '.join(others)}; {money(total, house)} in all")]


def _order(win: Win, act: Sequence[Win]) -> str:
    if win.front_seq is not None:
        return "let pass the queue by an executive and a second person"
    if len(act) < 2:
        return "the only award of its round"
    return f"{win.place} of {len(act)} in this round, {ORDER_WORDS[win.paper['order']]}"
