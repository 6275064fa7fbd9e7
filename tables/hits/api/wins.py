from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any, ClassVar, Final

from babel.numbers import get_currency_precision
from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from jackpot.adjusting.actions.back_out import back_out
from jackpot.answers.api import KEY, answer_once
from jackpot.evidence.api import EvidenceWord, JsonWithFile, file_told
from jackpot.money import Money
from jackpot.payees.actions import pay_slip
from jackpot.payees.rules import LONGEST_ADDRESS, LONGEST_NAME, PayeeNumber, read_payees
from jackpot.people.actions.presence import CardSource, card_with_pin, typed_here
from jackpot.people.models import Card
from jackpot.refusals import NotAllowed, NotAllowedNow, NotFound
from jackpot.web.api.doors import Door, ListDoor, NumberedAsked, OneDoor
from jackpot.web.api.fields import AmountText, AmountWritten, WholeNumber
from jackpot.web.api.filters import AmountsAsked, DaysAsked, PersonAsked, TotalsAsked, person_named, spans, wanted
from jackpot.wins.models import Win
from jackpot.wins.rules.win_life import WinState
from tables.hits.actions import hit
from tables.hits.queries import hit_lists
from tables.hits.queries.verifying import amounts_asked

CODE: Final = r"^[A-Z0-9][A-Z0-9-]{0,19}$"


class ReceiptText(serializers.Serializer[Any]):
    """What came back of a payment in error. Sealed and never changed."""

    number = serializers.IntegerField(help_text="1, 2, 3 … of its slip.")
    gross = AmountText()
    withheld = AmountText(help_text="What had been withheld and is not owed as tax any more: with the last of it.")
    net = AmountText(help_text="What came over the window.")
    method = serializers.CharField()
    reference = serializers.CharField()
    place = serializers.CharField()
    taker = serializers.CharField(source="taker.username")
    taker_name = serializers.CharField()
    taken_at = serializers.DateTimeField()
    gaming_day = serializers.DateField()
    entry = serializers.IntegerField()
    seal = serializers.CharField()


class PaymentText(serializers.Serializer[Any]):
    """What a window made of a slip, by the tax rule of the gaming day of payment. Sealed and never changed."""

    gross = AmountText(source="sum.gross")
    withheld = AmountText(source="sum.withheld")
    net = AmountText(source="sum.net", help_text="What the player got.")
    tax_rule = serializers.DateField(
        source="tax_rule.begins", default=None, allow_null=True, help_text="Gaming day its rule begins."
    )
    reported = serializers.BooleanField()
    form_seen = serializers.BooleanField()
    method = serializers.CharField()
    cheque = serializers.CharField()
    place = serializers.CharField()
    payer = serializers.CharField(source="payer.username")
    payer_name = serializers.CharField()
    gaming_day = serializers.DateField()
    entry = serializers.IntegerField()
    seal = serializers.CharField()
    receipts = ReceiptText(source="receipts.all", many=True, help_text="What came back, where it was paid in error.")


class WinText(serializers.Serializer[Any]):
    """A hit, from its mark to its payment. Its amount is fixed at approval; while it is asked for, it is as of now."""

    id = serializers.IntegerField(help_text="Our own number of the hit; numbers and slips are given at approval.")
    number = serializers.IntegerField(allow_null=True)
    slip = serializers.IntegerField(allow_null=True)
    jackpot = serializers.CharField(source="jackpot.code")
    table = serializers.CharField(source="table_code")
    round = serializers.IntegerField(source="round_number")
    seat = serializers.IntegerField()
    hand = serializers.CharField(source="line")
    name = serializers.CharField(source="line_name")
    state = serializers.CharField(help_text=", ".join(state.value for state in WinState))
    amount = serializers.SerializerMethodField(help_text="Fixed at approval; while asked for, as every sign judges it.")
    place = serializers.IntegerField(allow_null=True, help_text="Its place in the order of its act.")
    mark_entry = serializers.IntegerField(source="mark_seq", help_text="Entry of its mark: its rank.")
    award_entry = serializers.IntegerField(source="award_seq", allow_null=True)
    marked_at = serializers.DateTimeField()
    marked_by = serializers.CharField()
    logged_at = serializers.DateTimeField(allow_null=True)
    moved_at = serializers.DateTimeField(allow_null=True)
    paid_at = serializers.DateTimeField(allow_null=True)
    paid_by = serializers.CharField()
    gaming_day = serializers.DateField(allow_null=True)
    payment = PaymentText(allow_null=True, help_text="How it was paid; null while it is not.")
    difference_of = serializers.IntegerField(
        source="difference_of_id", allow_null=True, help_text="The win whose difference this page pays."
    )
    adjustment = serializers.IntegerField(source="adjustment_id", allow_null=True, help_text="Who decided that.")
    cards_checked = serializers.BooleanField(help_text="The cards were entered and prove the line.")
    cards = serializers.SerializerMethodField(help_text="The hand as it was known at the approval.")

    @extend_schema_field(AmountText(allow_null=True))
    def get_amount(self, win: Win) -> str | None:
        amount = win.amount_money
        if win.state == WinState.ASKED:
            amount = self._asked_here.get(win.pk)
        return None if amount is None else str(amount)

    @cached_property
    def _asked_here(self) -> dict[int, Money]:
        """Of every hit that is told with this one: the open pots are asked once for a list, not once for a row."""
        told: Any = self.instance if self.parent is None else self.parent.instance
        return amounts_asked([told] if isinstance(told, Win) else told)

    @extend_schema_field({"type": "object", "nullable": True})
    def get_cards(self, win: Win) -> Any:
        hand = None if win.paper is None else win.record.cards
        return None if hand is None else hand.plain()


class ApprovalCard(serializers.Serializer[Any]):
    """A card as a person types it or a program sends it, and its PIN: a number alone approves nothing."""

    card = serializers.CharField(max_length=200)
    pin = serializers.CharField(max_length=20, required=False, default="", allow_blank=True)


class ApprovalWord(serializers.Serializer[Any]):
    """A card with its PIN; or the password of whoever is signed in, whose own card then counts."""

    card = serializers.CharField(max_length=200, required=False, default="", allow_blank=True)
    pin = serializers.CharField(max_length=20, required=False, default="", allow_blank=True)
    password = serializers.CharField(
        max_length=200, required=False, default="", allow_blank=True, trim_whitespace=False,
        help_text="Your own, instead of card and PIN.",
    )  # fmt: skip


class RejectWord(serializers.Serializer[Any]):
    reason = serializers.CharField(max_length=200)
    cards = serializers.ListField(
        child=ApprovalCard(), min_length=2, max_length=2, required=False,
        help_text="Of a late claim: an executive's card and a second person's.",
    )  # fmt: skip


class QueueWord(serializers.Serializer[Any]):
    """The override of the order: an executive's card and a second person's."""

    cards = serializers.ListField(child=ApprovalCard(), min_length=2, max_length=2)
    reason = serializers.CharField(max_length=200)


class OverrideWord(QueueWord):
    """The same, with the file on which the two say it."""

    file = EvidenceWord(required=False, help_text="A picture or a scan; its digest is sealed with the override.")


class PayeeWord(serializers.Serializer[Any]):
    """Somebody who is paid a reported win, as their document says. Sealed at once; no answer and no list repeats it."""

    name = serializers.CharField(max_length=LONGEST_NAME)
    address = serializers.CharField(max_length=LONGEST_ADDRESS)
    document = serializers.ChoiceField(choices=[kind.value for kind in PayeeNumber], default=PayeeNumber.SSN.value)
    document_number = serializers.CharField(max_length=40)
    amount = AmountWritten(
        max_length=40, required=False, allow_blank=True, help_text="The share of the gross, where several are named."
    )


class PayWord(serializers.Serializer[Any]):
    method = serializers.ChoiceField(choices=["cash", "cheque"], default="cash")
    cheque = serializers.CharField(max_length=40, required=False, default="", allow_blank=True)
    place = serializers.CharField(
        max_length=40, required=False, default="", allow_blank=True, help_text="The window that pays."
    )
    form_seen = serializers.BooleanField(
        default=False, help_text="Identity and form are in hand: needed where the slip has to be reported."
    )
    payees = PayeeWord(
        many=True, required=False, help_text="Whom it is paid to: needed where the tax rule of the day names a form."
    )


class BackOutWord(ApprovalCard):
    """The person who is signed in asks, the card's owner approves: two people."""

    reason = serializers.CharField(max_length=200)
    evidence = serializers.CharField(max_length=200)
    differences_seen = serializers.BooleanField(default=False)


class DecidedText(serializers.Serializer[Any]):
    """What came of it. `missing` names what is still needed; `wins` are there when nothing is."""

    ok = serializers.BooleanField(default=True)
    repeat = serializers.BooleanField(default=False, help_text="true: the stored answer of the same key.")
    who = serializers.CharField(required=False)
    missing = serializers.CharField(required=False, allow_null=True)
    total = serializers.CharField(required=False)
    wins = serializers.ListField(child=serializers.DictField(), required=False)
    rejected = serializers.IntegerField(required=False)


class WinsAsked(AmountsAsked, DaysAsked, PersonAsked, TotalsAsked, NumberedAsked):
    order = serializers.ChoiceField(choices=["id", "-id"], default="-id")
    state = serializers.ChoiceField(choices=[state.value for state in WinState], required=False)
    table = serializers.RegexField(CODE, required=False)
    jackpot = serializers.RegexField(CODE, required=False)
    # The largest whole number that every reader of JSON holds exactly.
    round = WholeNumber(min_value=1, max_value=2**53 - 1, required=False)
    slip = WholeNumber(min_value=1, max_value=2**53 - 1, required=False)


class Wins(ListDoor):
    """Hits and wins, newest first. Amounts and gaming days are those of the approval: a hit without one has neither.
    `person` marked it, asked for it, signed for it or paid it."""

    serializer_class = WinText
    asks = WinsAsked
    key = "id"
    sums: ClassVar[Mapping[str, str]] = {"amount": "amount"}
    currency = "jackpot__premises__currency"

    def get_queryset(self) -> QuerySet[Win]:
        columns = {
            "state": "state", "table": "table_code", "jackpot": "jackpot__code", "round": "round_number",
            "slip": "slip", **spans(amount="amount", day="gaming_day"),
        }  # fmt: skip
        rows = hit_lists.wins_of(self.request.user).filter(**wanted(self.asked, columns))
        if "person" in self.asked:
            rows = rows.filter(hit_lists.touched_by(person_named(self.request.user, self.asked["person"])))
        return rows


class OneWin(OneDoor):
    """One hit."""

    serializer_class = WinText
    lookup_field = "id"

    def get_queryset(self) -> QuerySet[Win]:
        return hit_lists.wins_of(self.request.user)


class OneSlip(OneWin):
    """One hit by the one public number of a win: its slip, as paper, cage and auditors call it. A slip is of one house;
    who belongs to several gets that of the first house that has it."""

    def get_object(self) -> Win:
        number = int(self.kwargs["slip"])
        row: Win | None = self.get_queryset().filter(slip=number).order_by("premises_id").first()
        if row is None:
            raise NotFound(f"There is no slip {number} here. GET /api/v1/wins/ lists the wins with their slips.")
        return row


class ThisWin(Door):
    """A door behind one hit; each act says whose verb opens it."""

    def win(self) -> Win:
        return get_object_or_404(hit_lists.wins_of(self.request.user), id=int(self.kwargs["id"]))

    def place(self) -> dict[str, Any]:
        win = self.win()
        return {"table_code": win.table_code, "round_number": win.round_number}


class ApproveWin(ThisWin):
    """A card accepts the whole act of this hit's round. Who may, the act's sum decides."""

    serializer_class = ApprovalWord
    verbs: ClassVar[Mapping[str, tuple[str, ...]]] = {"POST": ("approve",)}

    @extend_schema(request=ApprovalWord, responses=DecidedText, parameters=[KEY])
    def post(self, request: Request, **__: str) -> Response:
        body, place = dict(self.sent_fields()), self.place()
        # The password proves the person and is no word of the act: it goes with the source.
        source = typed_here(request, body.pop("password"))
        return answer_once(request, lambda: hit.swipe(**place, **body, source=source))


class Reject(ThisWin):
    """Not confirmed: every asked hit of the round falls, nothing moved."""

    serializer_class = RejectWord
    verbs: ClassVar[Mapping[str, tuple[str, ...]]] = {"POST": ("verify",)}

    @extend_schema(request=RejectWord, responses=DecidedText)
    def post(self, request: Request, **_: str) -> Response:
        person: Any = request.user
        body = self.sent_fields()
        cards = [(each["card"], each["pin"]) for each in body.get("cards", ())]
        told: dict[str, Any] = {"why": body["reason"], "cards": cards, "source": typed_here(request)}
        fallen = hit.reject(**self.place(), by=person, **told)
        return Response({"ok": True, "rejected": fallen["rejected"]})


class Pass(ThisWin):
    """Lets this round's hits be settled before an earlier one: an executive and a second person, with the reason."""

    serializer_class = OverrideWord
    parser_classes = [JsonWithFile]
    verbs: ClassVar[Mapping[str, tuple[str, ...]]] = {"POST": ("approve",)}

    @extend_schema(request=OverrideWord, responses=DecidedText)
    def post(self, request: Request, **__: str) -> Response:
        body = dict(self.sent_fields())
        file = file_told(body)
        return Response({"ok": True, **hit.pass_queue(**self.place(), **by_two(request, body), file=file)})


class Rejoin(ThisWin):
    """Withdraws the override of the order: the same two people, with the reason. The hits wait again by their marks."""

    serializer_class = QueueWord
    verbs: ClassVar[Mapping[str, tuple[str, ...]]] = {"POST": ("approve",)}

    @extend_schema(request=QueueWord, responses=DecidedText)
    def post(self, request: Request, **__: str) -> Response:
        return Response({"ok": True, **hit.rejoin_queue(**self.place(), **by_two(request, self.sent_fields()))})


class Pay(ThisWin):
    """Pays this win's slip. A second payment is refused with when, where and by whom it was paid."""

    serializer_class = PayWord
    verbs: ClassVar[Mapping[str, tuple[str, ...]]] = {"POST": ("pay",)}

    @extend_schema(request=PayWord, responses=DecidedText, parameters=[KEY])
    def post(self, request: Request, **_: str) -> Response:
        body, win = self.sent_fields(), self.win()
        slip, house = win.slip, win.premises
        if slip is None:
            raise NotAllowedNow("This hit has no slip yet. It is paid after its approval.", "not_payable")
        payer: Any = request.user
        digits = get_currency_precision(win.jackpot.premises.currency)
        payees = read_payees(body.get("payees", ()), digits)
        told = {word: value for word, value in body.items() if word != "payees"}

        def pay() -> dict[str, Any]:
            paid = pay_slip(slip=slip, payer=payer, premises=house, payees=payees, **told)
            return {"wins": [hit.win_plain(paid)]}

        return answer_once(request, pay)


class BackOut(ThisWin):
    """Undoes a logged win by its exact contra: reason, evidence, and an executive's card as the second person."""

    serializer_class = BackOutWord
    verbs: ClassVar[Mapping[str, tuple[str, ...]]] = {"POST": ("approve", "override")}

    @extend_schema(request=BackOutWord, responses=DecidedText, parameters=[KEY])
    def post(self, request: Request, **_: str) -> Response:
        body = self.sent_fields()
        win, person = self.win(), request.user
        source = typed_here(request)
        return answer_once(request, lambda: _backed_out(win, person, dict(body), source))


def by_two(request: Request, body: Mapping[str, Any]) -> dict[str, Any]:
    """Two cards and a reason, as an override takes them."""
    cards = [(each["card"], each["pin"]) for each in body["cards"]]
    return {"cards": cards, "reason": body["reason"], "source": typed_here(request)}


def _backed_out(win: Win, person: Any, body: dict[str, Any], source: CardSource) -> dict[str, Any]:
    told: dict[str, Any] = {"swipe": body.pop("card"), "pin": body.pop("pin"), "source": source}
    pin_from = win.jackpot.premises.thresholds.pin_from_level
    # A second person shows to be there whatever the threshold: a card's number that was typed proves nobody's presence.
    card = card_with_pin(**told, pin_from_level=pin_from, always=True)
    if card.level < Card.Level.EXECUTIVE:
        raise NotAllowed("A back-out needs an executive's card as the second signature.", "level")
    undone = back_out(win_id=win.id, requested_by=person, approved_by=card.operator, card=card, **body)
    return {"wins": [hit.win_plain(undone)]}
