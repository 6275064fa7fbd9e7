"""Books of hand-written slips over the API: how each stands, what happens to it, what became of each number."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from babel.numbers import get_currency_precision
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from jackpot.people.models import Operator
from jackpot.property.queries import house_of
from jackpot.reading import NotANumber, read_amount, read_zoned_moment
from jackpot.refusals import NotAllowedNow, NotFound, NotUnderstood
from jackpot.web.api.doors import Door
from jackpot.web.api.fields import WholeNumber
from tables.custody.actions import OtherPerson
from tables.slip_book.actions import BookFacts, HandSlipFacts, add_book, move_book, write_slip
from tables.slip_book.models import HandSlip, SlipBook
from tables.slip_book.queries import slip_books, standing_of
from tables.slip_book.rules import ADDS, LARGEST, READS, WRITES, BookAct, SlipWord

BOOK_ACTS = [act.value for act in BookAct]
SLIP_WORDS = [each.value for each in SlipWord]


class SlipBookText(serializers.Serializer[Any]):
    """One book as it stands."""

    code = serializers.CharField(source="book.code")
    prefix = serializers.CharField(source="book.prefix")
    first = serializers.IntegerField(source="book.first")
    last = serializers.IntegerField(source="book.last")
    digits = serializers.IntegerField(source="book.digits")
    out = serializers.BooleanField(help_text="It is handed out to a pit.")
    pit = serializers.CharField(source="last.pit", default="")
    next_blank = serializers.IntegerField(help_text="The first number that is still blank, as far as is known.")
    used = serializers.IntegerField()
    void = serializers.IntegerField()
    blank = serializers.IntegerField()
    missing = serializers.ListField(child=serializers.CharField(), help_text="Noted as missing.")
    unaccounted = serializers.ListField(
        source="checklist", child=serializers.CharField(), help_text="Nobody said what became of them."
    )


class SlipBookList(serializers.Serializer[Any]):
    """The register of a house; what was written number by number is the report `hand-slips`."""

    ok = serializers.BooleanField(default=True)
    books = SlipBookText(many=True)


class HandSlipText(serializers.Serializer[Any]):
    """What was written of one number."""

    ok = serializers.BooleanField(default=True)
    printed = serializers.CharField()
    word = serializers.ChoiceField(choices=SLIP_WORDS)
    slip = serializers.IntegerField(source="win.slip", default=None, allow_null=True)
    differs = serializers.BooleanField(help_text="It names another sum than the books: the win is contested.")
    outage_known = serializers.BooleanField(help_text="An outage of the table's box is known at that time.")


class SlipBookAsked(serializers.Serializer[Any]):
    """A book to put on the register."""

    code = serializers.CharField(max_length=20)
    prefix = serializers.CharField(max_length=8, help_text="What is printed before the numbers, such as M-.")
    first = WholeNumber(min_value=0, max_value=LARGEST)
    last = WholeNumber(min_value=0, max_value=LARGEST)
    digits = WholeNumber(min_value=1, max_value=9, help_text="With how many digits they are printed.")


class SecondPersonAsked(serializers.Serializer[Any]):
    """How the other person shows to be there: card and PIN, or name and password."""

    card = serializers.CharField(max_length=200, required=False, default="", allow_blank=True)
    pin = serializers.CharField(max_length=20, required=False, default="", allow_blank=True)
    username = serializers.CharField(max_length=60, required=False, default="", allow_blank=True)
    password = serializers.CharField(max_length=200, required=False, default="", allow_blank=True)


class SlipBookMoveAsked(SecondPersonAsked):
    """A book goes out to a pit or comes back, with its first blank number as it was read."""

    act = serializers.ChoiceField(choices=BOOK_ACTS)
    pit = serializers.CharField(max_length=40)
    next_blank = WholeNumber(min_value=0, max_value=LARGEST + 1)


class HandSlipAsked(SecondPersonAsked):
    """What became of a number; of a used one also what stands on the slip, and the slip number of its late win."""

    number = WholeNumber(min_value=0, max_value=LARGEST)
    word = serializers.ChoiceField(choices=SLIP_WORDS)
    why = serializers.CharField(max_length=120)
    slip = WholeNumber(min_value=1, max_value=2**53 - 1, required=False, allow_null=True, default=None)
    amount = serializers.CharField(max_length=40, required=False, default="", allow_blank=True)
    written_at = serializers.CharField(max_length=40, required=False, default="", allow_blank=True)
    written_by = serializers.CharField(max_length=100, required=False, default="", allow_blank=True)


class SlipBooks(Door):
    """Books of hand-written slips."""

    serializer_class = SlipBookAsked
    verbs: ClassVar[Mapping[str, tuple[str, ...]]] = {"GET": READS, "POST": (ADDS,)}

    @extend_schema(responses=SlipBookList, operation_id="slip_books_list")
    def get(self, request: Request, **_: str) -> Response:
        """By their codes, each with the numbers that are asked after."""
        assert self.asked is not None, "a question that is not understood is refused, not ignored"
        return _register(request)

    @extend_schema(request=SlipBookAsked, responses=SlipBookList, operation_id="slip_books_add")
    def post(self, request: Request, **_: str) -> Response:
        """Puts one on the register; the answer is the register."""
        house = house_of(request.user)
        if house is None:
            raise NotAllowedNow("There is no house here yet. Found one first.", "no_house")
        add_book(premises=house, facts=BookFacts(**dict(self.sent_fields())), by=_person(request))
        return _register(request)


class SlipBookMoves(Door):
    """Where one book goes."""

    serializer_class = SlipBookMoveAsked
    verbs: ClassVar[Mapping[str, tuple[str, ...]]] = {"POST": WRITES}

    @extend_schema(request=SlipBookMoveAsked, responses=SlipBookList, operation_id="slip_book_move")
    def post(self, request: Request, **_: str) -> Response:
        """Whoever is signed in and the other person; the answer is this book as it stands then."""
        told, book = dict(self.sent_fields()), _found(request, self.kwargs["code"])
        move_book(
            book=book, act=BookAct(told["act"]), pit=told["pit"], next_blank=told["next_blank"], by=_person(request),
            other=_other(request, told),
        )  # fmt: skip
        return _register(request, book.code)


class SlipBookSlips(Door):
    """What became of the numbers of one book."""

    serializer_class = HandSlipAsked
    verbs: ClassVar[Mapping[str, tuple[str, ...]]] = {"POST": WRITES}

    @extend_schema(request=HandSlipAsked, responses=HandSlipText, operation_id="slip_book_write")
    def post(self, request: Request, **_: str) -> Response:
        """One number is accounted for; a sum that is not that of the books contests the win."""
        told, book = dict(self.sent_fields()), _found(request, self.kwargs["code"])
        facts = HandSlipFacts(told["number"], SlipWord(told["word"]), told["why"])
        if facts.word is SlipWord.USED:
            try:
                amount = read_amount(
                    told["amount"], "sum on the slip", digits=get_currency_precision(book.premises.currency)
                )
                at = read_zoned_moment(told["written_at"], "time on the slip")
            except NotANumber as why:
                raise NotUnderstood(str(why), "amount") from None
            facts = HandSlipFacts(
                facts.number, facts.word, facts.why, told["slip"], amount, at, told["written_by"]
            )  # fmt: skip
        row = write_slip(book=book, facts=facts, by=_person(request), other=_other(request, told))
        return Response(HandSlipText(_plain(row)).data)


def _plain(row: HandSlip) -> dict[str, Any]:
    return {
        "ok": True, "printed": row.printed, "word": row.word, "win": {"slip": row.win.slip if row.win else None},
        "differs": row.differs, "outage_known": row.outage_id is not None,
    }  # fmt: skip


def _other(request: Request, told: Mapping[str, Any]) -> OtherPerson:
    shown = {name: told[name] for name in ("card", "pin", "username", "password")}
    return OtherPerson(**shown, address=str(request.META.get("REMOTE_ADDR", "")))


def _register(request: Request, code: str = "") -> Response:
    rows = slip_books(request.user)
    books = standing_of(rows.filter(code=code) if code else rows)
    return Response(SlipBookList({"ok": True, "books": books}).data)


def _found(request: Request, code: str) -> SlipBook:
    row = slip_books(request.user).filter(code=code).first()
    if row is None:
        raise NotFound("There is no such book on the register of your house.", "no_book")
    return row


def _person(request: Request) -> Operator:
    assert isinstance(request.user, Operator), "whoever is let in is a person"
    return request.user
