"""The computation of an award, so that it can be done again by hand from what the page prints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, assert_never

from accounting.paper.printing.difference import difference_rows, of_the_meter, wager_words
from jackpot.money import ZERO, Money
from jackpot.property.models.property import Property
from jackpot.terms.rules.paytable import ForOne, PartOfMeter
from jackpot.web.templatetags.figures import exact, money
from jackpot.wins.models import Win
from jackpot.wins.rules.award_record import AwardRecord

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
        return [*difference_rows(win, house), *_shortfall(win.record, house)]
    record, terms = win.record, win.version.value
    rows = [("Pay table", f"{terms.pay_table.code}, terms {win.version.number} ({win.version.digest[:12]})")]
    if record.basis is not None:
        rows.append(("Basis", f"{money(record.basis, house)}, the meter cut to the cent"))
    rows.append(("Pays", _pays(win, record, house)))
    rows.append(("Wager", wager_words(record, house)))
    rows.append(("Paid from", "the meter" if record.source == "meter" else "the tray (house)"))
    rows += _next_row(record, house)
    rows += _cut(win, record, house)
    rows += _shortfall(record, house)
    rows.append(("Order", _order(win, act)))
    rows += _together(win, act, house)
    rows.append(("Frozen", f"{FREEZE_WORDS[record.freeze]}, entry {_frozen(win, act):,} of {win.jackpot.code}"))
    return rows


def meter_rows(win: Win, house: Property, reserve_moved: Money) -> Rows:
    """Before, what left it, what the reset put in, after; to the last decimal that the books hold."""
    record, meter = win.record, win.record.meter
    if meter is None:
        return [("Meter", "moves when the key is turned to RUN")]
    before, after, reserve_after = meter.before, meter.after, meter.reserve_after
    seed, released, returned = record.drawn.seed, record.drawn.reserve_released, record.drawn.overflow_returned
    advance = record.drawn.advance
    # The record keeps what came in and where the meter stood; what the award took of it is the rest.
    taken = before - after + seed + released + returned + advance
    rows = [("Meter before", exact(before, house)), ("Taken for this award", exact(-taken, house))]
    if seed or released or returned:
        rows += [("Seed from the house", exact(seed, house)), ("From the reserve", exact(released, house))]
        rows += [("Overflow returned", exact(returned, house))] if returned else []
    rows += [("House advance", exact(advance, house))] if advance else []
    return [
        *rows,
        ("Meter after", exact(after, house)),
        ("Reserve before", exact(reserve_after - reserve_moved, house)),
        ("Reserve moved", exact(reserve_moved, house)),
        ("Reserve after", exact(reserve_after, house)),
    ]


def _pays(win: Win, record: AwardRecord, house: Property) -> str:
    if record.envy:
        return "a fixed sum to every other seat with coin-in (envy)"
    match record.pays:
        case ForOne(times):
            return f"{record.pays}: {money(record.wager, house)} × {times:,}"
        case PartOfMeter():
            whole = of_the_meter(record.pays)
            return f"{whole}, in equal shares" if _is_shared(win, record, record.pays) else whole
        case _:
            assert_never(record.pays)


def _is_shared(win: Win, record: AwardRecord, pays: PartOfMeter) -> bool:
    """All of the meter, yet less than the basis: the top award was hit several times."""
    own = win.amount_money if record.next_row is None else record.next_row.own
    return pays.is_all and own != record.basis


def _next_row(record: AwardRecord, house: Property) -> Rows:
    """A higher hand that is lifted to what a lower one would get: what it pays by itself, and which row lifts it."""
    row = record.next_row
    if row is None or not row.lifts:
        return []
    match row.pays:
        case ForOne():
            pays = str(row.pays)
        case PartOfMeter():
            pays = f"{row.pays}, of {money(row.basis, house)}"
        case _:
            assert_never(row.pays)
    worth, own = money(row.worth, house), money(row.own, house)
    return [("Never less", f"than {row.name}, {worth} ({pays}); by its own row {own}")]


def _cut(win: Win, record: AwardRecord, house: Property) -> Rows:
    """A fixed award that the table's aggregate cut says so, with what the whole round may come to."""
    most = win.version.value.aggregate
    # An aggregate never cuts a part of the meter, so there is nothing to tell of it.
    if most is None or record.envy or isinstance(record.pays, PartOfMeter) or win.amount_money == record.uncut:
        return []
    uncut = money(record.uncut, house)
    return [("Aggregate", f"{money(most, house)} for a table and round, shared in proportion; uncut {uncut}")]


def _shortfall(record: AwardRecord, house: Property) -> Rows:
    if record.source != "meter":
        return []
    parts = {"the reserve": record.drawn.from_reserve, "the house": record.drawn.from_house}
    drawn = [f"{money(amount, house)} from {source}" for source, amount in parts.items() if amount]
    return [("Shortfall", " and ".join(drawn))] if drawn else []


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
    return f"{win.place} of {len(act)} in this round, {ORDER_WORDS[win.record.order]}"
