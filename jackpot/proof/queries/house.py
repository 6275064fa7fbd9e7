"""What the proof must know of a jackpot's house: its clocks, its tax, and what its windows paid."""

from __future__ import annotations

from babel.numbers import get_currency_precision

from jackpot.books.models.jackpot import Jackpot
from jackpot.books.rules.seal import microseconds
from jackpot.money import units_of
from jackpot.proof.rules.days import GamingClock
from jackpot.proof.rules.payments import PaymentFound
from jackpot.proof.rules.receipts import ReceiptFound
from jackpot.proof.rules.signed import TakenReading
from jackpot.property.models.property import Property
from jackpot.property.queries import tax_rules
from jackpot.property.rules.tax import TaxRule
from jackpot.trail.models import Trail
from jackpot.wins.models import Payment, WindowReceipt

COLUMNS = ("time_zone", "day_roll_minutes")


def clocks_of(house: Property) -> list[GamingClock]:
    """Told backwards from the clock that goes now, by what the trail holds of every change."""
    going, clocks = {name: str(getattr(house, name)) for name in COLUMNS}, []
    # Out of the trail, which is sealed: the house's row knows only how its clock goes now.
    for changed in Trail.objects.filter(act="alter_property", subject=house.code).order_by("-id"):
        before = {name: text for name, text in changed.details.get("before", {}).items() if name in COLUMNS}
        if before:
            clocks.append(_clock(microseconds(changed.at), going))
            going |= before
    return [_clock(0, going), *reversed(clocks)]


def _clock(since: int, going: dict[str, str]) -> GamingClock:
    return GamingClock(since, going["time_zone"], int(going["day_roll_minutes"]))


def reading_of(jackpot: Jackpot) -> TakenReading | None:
    """As the trail holds it, where the jackpot ran on another system before."""
    taken = Trail.objects.filter(act="take_over", subject=jackpot.code).order_by("id").first()
    told = {} if taken is None else taken.details.get("reading", {})
    return TakenReading(*(told[name] for name in TakenReading._fields)) if told else None


def taxes_of(house: Property) -> list[TaxRule]:
    return list(tax_rules(house))


def payments_of(jackpot: Jackpot) -> list[PaymentFound]:
    """Every record of a payment, in the order in which they were written."""
    rows = Payment.objects.filter(win__jackpot=jackpot).select_related("premises", "tax_rule", "payer").order_by("id")
    return [
        PaymentFound(
            row.entry, row.entry_seal, row.slip, row.gaming_day, units_of(row.gross), units_of(row.withheld),
            units_of(row.net), row.reported, get_currency_precision(row.premises.currency),
            row.seal == row.seal_found(),
        )
        # Judged here, where the payer's name is at hand: an export carries no names, so nobody can do it there.
        for row in rows.iterator(chunk_size=2_000)
    ]  # fmt: skip


def receipts_of_jackpot(jackpot: Jackpot) -> list[ReceiptFound]:
    """Every record of money that came back, in the order in which they were written."""
    rows = WindowReceipt.objects.filter(payment__win__jackpot=jackpot).select_related("payment", "premises", "taker")
    return [
        ReceiptFound(
            row.entry, row.entry_seal, row.payment.slip, row.gaming_day, units_of(row.gross), units_of(row.withheld),
            units_of(row.net), row.seal == row.seal_found(),
        )
        for row in rows.order_by("id").iterator(chunk_size=2_000)
    ]  # fmt: skip
