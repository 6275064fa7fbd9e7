"""Payments over the API: what the window made of each slip, with what was withheld, and their exact totals."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Final

from django.db.models import QuerySet
from rest_framework import serializers

from jackpot.property.queries import of_house
from jackpot.web.api.doors import ListDoor, NumberedAsked
from jackpot.web.api.fields import WholeNumber
from jackpot.web.api.filters import (
    AmountsAsked,
    DaysAsked,
    MomentsAsked,
    PersonAsked,
    TotalsAsked,
    person_named,
    spans,
    wanted,
)
from jackpot.wins.models import Payment
from tables.hits.api.wins import PaymentText

CODE: Final = r"^[A-Z0-9][A-Z0-9-]{0,19}$"
METHODS: Final = ("cash", "cheque")


class PaidSlipText(PaymentText):
    """One slip paid at a window. Gross is what the books moved, net what the player got."""

    id = serializers.IntegerField(help_text="Our own number of the payment; pages go by it.")
    slip = serializers.IntegerField()
    premises = serializers.CharField(source="premises.code")
    jackpot = serializers.CharField(source="win.jackpot.code")
    name = serializers.CharField(source="win.line_name", help_text="The hand.")
    paid_at = serializers.DateTimeField()


class PaymentsAsked(AmountsAsked, DaysAsked, MomentsAsked, PersonAsked, TotalsAsked, NumberedAsked):
    order = serializers.ChoiceField(choices=["id", "-id"], default="-id")
    jackpot = serializers.RegexField(CODE, required=False)
    slip = WholeNumber(min_value=1, max_value=2**53 - 1, required=False)
    method = serializers.ChoiceField(choices=METHODS, required=False)


class Payments(ListDoor):
    """Slips paid at the window, newest first. Amounts are the gross; `person` paid them; days are those of payment."""

    serializer_class = PaidSlipText
    asks = PaymentsAsked
    key = "id"
    verbs: ClassVar[Mapping[str, tuple[str, ...]]] = {"GET": ("read_books", "pay")}
    sums: ClassVar[Mapping[str, str]] = {"gross": "gross", "withheld": "withheld", "net": "net"}
    currency = "premises__currency"

    def get_queryset(self) -> QuerySet[Payment]:
        columns = {
            "jackpot": "win__jackpot__code", "slip": "slip", "method": "method",
            **spans(amount="gross", day="gaming_day", moment="paid_at"),
        }  # fmt: skip
        rows = Payment.objects.select_related("premises", "win__jackpot", "tax_rule", "payer")
        rows = of_house(rows, self.request.user).filter(**wanted(self.asked, columns))
        if "person" in self.asked:
            rows = rows.filter(payer=person_named(self.request.user, self.asked["person"]))
        return rows
