"""What every door of the API has in common: closed by default, bounded bodies, strict questions, pages by key."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property
from typing import Any, ClassVar, Final

from django.db.models import QuerySet
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiParameter
from rest_framework import generics, serializers
from rest_framework.exceptions import ParseError
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.pagination import BasePagination
from rest_framework.parsers import JSONParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.urls import replace_query_param

from jackpot.said_once import SaidTwice, refuse_twice
from jackpot.web.api.access import ANYONE, READERS, wanted_verbs
from jackpot.web.api.fields import LARGEST_KEY, RefusalText, WholeNumber
from jackpot.web.api.filters import totals_of, totals_schema
from jackpot.web.api.once import ACTING, MAY, acts_once
from jackpot.web.api.sentences import not_json

LARGEST_BODY: Final = 65_536
LARGEST_PAGE: Final = 500
DEEPEST: Final = 16
UNSPEAKABLE: Final = re.compile("[\x00\ud800-\udfff]")  # a body may hold a file: this is no place for a loop
PATH_WORDS: Final[Mapping[str, str]] = {
    "code": "Code of the thing, such as GRAND or UTH-04.",
    "number": "Number of the round at its table.",
    "day": "Gaming day, such as 2026-11-18.",
    "id": "Our own number of the hit or the request.",
    "receipt": "Number of the receipt among those of its slip: 1, 2, 3 …",
    "slip": "The one public number of a win, as its page and the cage have it.",
    "change": "Number of the request for other terms.",
    "sha256": "Digest of a file, 64 hexadecimal digits.",
    "username": "The name a person signs in with.",
}


class SmallJson(JSONParser):
    """JSON of at most 64 KiB; what is larger or nested without end is refused before it costs anything."""

    largest: ClassVar[int] = LARGEST_BODY

    def parse(self, stream: Any, media_type: Any = None, parser_context: Any = None) -> Any:
        from io import BytesIO

        body = stream.read(self.largest + 1)
        if len(body) > self.largest:
            raise ParseError(f"A request has at most {self.largest // 1024} KiB.")
        try:
            told = super().parse(BytesIO(body), media_type, parser_context)
            refuse_unspeakable(told)
            # By the text itself: the parser keeps the last of two equal names, and nobody would hear of the first.
            refuse_twice(body)
        except SaidTwice as why:
            raise ParseError(str(why)) from None
        except RecursionError:
            raise ParseError("This JSON is nested too deeply.") from None
        except ParseError as problem:
            raise not_json(problem) from None
        return told


def refuse_unspeakable(told: Any, depth: int = 0) -> None:
    """What no door means and no column holds: a NUL, half a character, lists in lists without end."""
    match told:
        case str():
            if UNSPEAKABLE.search(told) is not None:
                raise ParseError("A text holds a character that cannot be written (NUL, or half of a pair).")
        case list() | dict() if depth >= DEEPEST:
            raise ParseError(f"This JSON is nested too deeply; {DEEPEST} levels are the most.")
        case list():
            for each in told:
                refuse_unspeakable(each, depth + 1)
        case dict():
            for name, each in told.items():
                refuse_unspeakable(name)
                refuse_unspeakable(each, depth + 1)


class Asked(serializers.Serializer[Any]):
    """What may stand behind the question mark. An unknown word is refused: a misspelt filter would show too much."""

    def validate(self, attrs: Any) -> Any:
        unknown = sorted(set(self.initial_data) - set(self.fields))
        if unknown:
            known = ", ".join(self.fields)
            raise serializers.ValidationError(f"There is no filter “{unknown[0][:40]}” here. Known: {known}.")
        return attrs


class PageAsked(Asked):
    limit = WholeNumber(min_value=1, max_value=LARGEST_PAGE, default=100, help_text="Rows per page.")


class NumberedAsked(PageAsked):
    """Pages of rows that carry a rising number; a page stays the same however much is added meanwhile."""

    cursor = WholeNumber(min_value=0, max_value=LARGEST_KEY, required=False, help_text="Go on behind this number.")


class CodedAsked(PageAsked):
    """Pages of rows that carry a code."""

    cursor = serializers.CharField(max_length=60, required=False, help_text="Go on behind this code.")
    order = serializers.ChoiceField(choices=["code", "-code"], default="code")


class DoorSchema(AutoSchema):
    """Adds to each operation what all share: its questions, the words of its path, the form of a refusal."""

    def get_override_parameters(self) -> list[Any]:
        paths = [
            OpenApiParameter(word, str, OpenApiParameter.PATH, description=PATH_WORDS.get(word, ""))
            for word in PATH_WORDS
            if f"{{{word}}}" in self.path
        ]
        asks = getattr(self.view, "asks", None)
        acts = self.method.lower() in ACTING and ANYONE not in wanted_verbs(self.view, self.method)
        keyed = [MAY] if acts and isinstance(self.view, Door) else []
        return [*paths, *keyed, *([asks] if asks not in (None, Asked) and self.method == "GET" else [])]

    def get_summary(self) -> str | None:
        """The first sentence of the description."""
        return self.get_description().split("\n", maxsplit=1)[0].split(". ", maxsplit=1)[0].rstrip(".") or None

    def get_operation(self, *args: Any, **kwargs: Any) -> Any:
        operation = super().get_operation(*args, **kwargs)
        if operation is not None:
            refused = self.resolve_serializer(RefusalText, "response").ref
            content = {"application/json": {"schema": refused}}
            operation["responses"]["4XX"] = {"description": "Refused; nothing was changed.", "content": content}
        return operation

    def _get_paginator(self) -> Any:
        """A page has totals where its list has: the paginator asks the door."""
        paginator = super()._get_paginator()  # type: ignore[no-untyped-call]
        if paginator is not None:
            paginator.view = self.view
        return paginator

    def get_auth(self) -> list[Any]:
        return [{}] if ANYONE in wanted_verbs(self.view, self.method) else super().get_auth()


class AsItComes(BaseContentNegotiation):
    """What comes is what it is, whatever the caller would rather have; a refusal is JSON."""

    def select_parser(self, _: Request, parsers: Any) -> Any:
        return parsers[0]

    def select_renderer(self, _: Request, renderers: Any, __: Any = None) -> Any:
        return renderers[0], renderers[0].media_type


class Door(generics.GenericAPIView[Any]):
    """One address of the API. `verbs` says, per method, which verbs of a role open it."""

    schema = DoorSchema()
    parser_classes = [SmallJson]
    filter_backends: Any = []
    pagination_class: Any = None
    verbs: ClassVar[Mapping[str, tuple[str, ...]]] = READERS
    asks: ClassVar[type[Asked]] = Asked
    only_looks: ClassVar[bool] = False  # a POST that changes nothing: a repeat looks again, and no answer is kept
    tells_once: ClassVar[tuple[str, ...]] = ()  # names in its answers that are told the first time and never again

    def __init_subclass__(cls, **told: Any) -> None:
        """What a door changes it changes once per key: none is written without."""
        super().__init_subclass__(**told)
        for method in ACTING:
            if method in vars(cls):
                setattr(cls, method, acts_once(vars(cls)[method]))

    @cached_property
    def asked(self) -> dict[str, Any]:
        """The question, read strictly."""
        twice = sorted(name for name, said in self.request.query_params.lists() if len(said) > 1)
        if twice:  # whichever were taken, the answer would be to another question than somebody meant
            raise serializers.ValidationError(f"“{twice[0][:40]}” stands twice behind the question mark. Say it once.")
        question = self.asks(data=self.request.query_params.dict())
        question.is_valid(raise_exception=True)
        return dict(question.validated_data)

    def sent_fields(self) -> Any:
        """The body, read strictly by the door's own form."""
        form = self.get_serializer(data=self.request.data)
        form.is_valid(raise_exception=True)
        return form.validated_data


class OneDoor(Door, generics.RetrieveAPIView[Any]):
    """Shows one thing; subclasses say which."""

    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        assert self.asked is not None, "a question that is not understood is refused, not ignored"
        return super().get(request, *args, **kwargs)


class KeyPages(BasePagination):
    """Pages that start behind a key instead of at an offset: cheap at any depth, stable while rows are added."""

    def paginate_queryset(self, queryset: Any, request: Request, view: Any = None) -> list[Any]:
        asked, limit = view.asked, view.asked["limit"]
        rows = view.ordered(queryset)
        if "cursor" in asked:
            rows = view.beyond(rows, asked["cursor"])
        # One more than the page has: whether it goes on costs no second question.
        found = list(rows[: limit + 1])
        goes_on = view.cursor_of(found[limit - 1]) if len(found) > limit else view.edge
        here = request.get_full_path()
        self.next = None if goes_on is None else replace_query_param(here, "cursor", str(goes_on))
        # Beside the first rows, so that a page and its totals are of one question; the cursor takes nothing away.
        self.totals = view.totals(queryset) if asked.get("totals") else None
        self.view = view
        return found[:limit]

    def get_paginated_response(self, data: Any) -> Response:
        totals = {} if self.view.sums is None else {"totals": self.totals}
        return Response({"next": self.next, "results": data, **totals})

    def get_paginated_response_schema(self, schema: Any) -> Any:
        following = {"type": "string", "nullable": True, "description": "Address of the next page, or null."}
        sums = getattr(getattr(self, "view", None), "sums", None)
        totals = {} if sums is None else {"totals": totals_schema(sums)}
        return {
            "type": "object",
            "required": ["next", "results", *totals],
            "properties": {"next": following, "results": schema, **totals},
        }


class ListDoor(Door, generics.ListAPIView[Any]):
    """A list, a page at a time, ordered by the one column that `key` names."""

    pagination_class = KeyPages
    asks: ClassVar[type[Asked]] = CodedAsked
    key: ClassVar[str] = "code"
    sums: ClassVar[Mapping[str, str] | None] = None  # a list with totals: their names and columns, or just a count
    currency: ClassVar[str] = ""  # where the currency of its sums stands
    edge: Any = None  # as a cursor: up to where a page looked that is not full, where it did not look to the end

    def ordered(self, rows: QuerySet[Any]) -> QuerySet[Any]:
        return rows.order_by(self.asked["order"])

    def beyond(self, rows: QuerySet[Any], cursor: Any) -> QuerySet[Any]:
        falling = self.asked["order"].startswith("-")
        return rows.filter(**{f"{self.key}__{'lt' if falling else 'gt'}": cursor})

    def cursor_of(self, row: Any) -> Any:
        return getattr(row, self.key)

    def totals(self, rows: QuerySet[Any]) -> dict[str, Any]:
        assert self.sums is not None, "whoever may be asked for totals says of what"
        return totals_of(rows, self.sums, self.currency)
