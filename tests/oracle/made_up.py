"""A winner who had too little because the meter was wrong: what is due, who pays it, and what then rests on what."""

from __future__ import annotations

from dataclasses import replace

from tests.oracle.floor import Act, Expected, Floor, Hit, no
from tests.oracle.ledger import Gift, Ledger
from tests.oracle.settling import Moved, Payment
from tests.oracle.sheet import Sheet, cents_up, cut, units

STANDING = ("owed", "paid")


def underpaid(floor: Floor, win: Hit, act: Act) -> Expected:
    """Two people say what the meter must have been; the row's part of it, less what the winner had, is paid once."""
    if win.rest_of is not None:
        return no("rest")
    if win.payment is None or not win.payment.at:
        return no("not_moved")
    if win.payment.basis is None:
        return no("fixed")
    ledger, sheet = floor.ledgers[win.jackpot], floor.ledgers[win.jackpot].counted[win.place].sheet
    basis = cut(units(act["reading"]))
    if sheet.limit is not None and basis > sheet.limit:
        return no("limit")
    basis_was, had = had_before(floor, win)
    owed = due_from(sheet, win, basis) - had
    if basis <= basis_was or owed <= 0:
        return no("nothing_due")
    gift, against = None, ""
    if act["account"] == "meter":
        if floor.open_on(win.jackpot):
            return no("hits_open")
        gift = gift_of(ledger, act)
        against = why_not(floor, win, gift, owed)
    if win.state not in STANDING or against:
        return no("not_standing" if win.state not in STANDING else against)
    return Expected(True, pages=[make_up(floor, win, owed, basis, gift)])


def rests_on(floor: Floor, win: Hit) -> bool:
    """A page is undone before what it counts from: a rest before its award, a later rest before an earlier one."""
    pages = rests_of(floor, win.rest_of or win)
    return any(page.number > win.number for page in pages)


def rests_of(floor: Floor, win: Hit) -> list[Hit]:
    return [hit for hit in floor.hits if hit.rest_of is win and hit.state in STANDING]


def had_before(floor: Floor, win: Hit) -> tuple[int, int]:
    """The meter that the winner's last page counts from, and what all pages came to."""
    pages = rests_of(floor, win)
    assert win.payment is not None
    last = pages[-1].payment if pages else win.payment
    assert last is not None
    assert last.basis is not None
    return last.basis, win.payment.amount + sum(page.payment.amount for page in pages if page.payment is not None)


def due_from(sheet: Sheet, win: Hit, basis: int) -> int:
    row = sheet.line(win.code)
    assert row is not None
    assert win.payment is not None
    return max(cut(sheet.pays(row, basis) // win.payment.sharers), sheet.least(row, basis))


def gift_of(ledger: Ledger, act: Act) -> Gift | None:
    return ledger.gifts[-1 - act["gift"] % len(ledger.gifts)] if ledger.gifts else None


def why_not(floor: Floor, win: Hit, gift: Gift | None, owed: int) -> str:
    """The meter gives only what somebody gave it since, once, and not after it was won as a whole."""
    if gift is None:
        return "cause"
    assert win.payment is not None
    if gift.at < win.payment.at:
        return "before"
    own = [hit for hit in floor.hits if hit.jackpot == win.jackpot and hit.state in STANDING]
    if any(hit.payment is not None and hit.payment.resets and hit.payment.at > gift.at for hit in own):
        return "won_since"
    used = sum(hit.payment.amount for hit in own if hit.gift is gift and hit.payment is not None)
    return "given" if owed > gift.gave - used else ""


def make_up(floor: Floor, win: Hit, owed: int, basis: int, gift: Gift | None) -> Hit:
    ledger = floor.ledgers[win.jackpot]
    payment = Payment(win.seat, win.code, owed, paid_from(ledger, owed, gift), basis=basis)
    page = replace(win, part=False, front=0, state="owed", payment=payment, slip=0, rest_of=win, gift=gift)
    floor.numbers += 1
    page.number = floor.numbers
    floor.hits.append(page)
    ledger.make_up(payment)
    return page


def paid_from(ledger: Ledger, owed: int, gift: Gift | None) -> Moved:
    """Out of the house; or out of the meter, which what is in force now makes good as after an award."""
    if gift is None:
        return Moved(house=-owed, winners=owed)
    lack = cents_up(owed - ledger.meter)
    kept = 0 if ledger.sheet.shortfall == "house" else min(cut(ledger.reserve), lack)
    return Moved(meter=lack - owed, reserve=-kept, house=kept - lack, winners=owed)
