from __future__ import annotations

from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.generics import get_object_or_404
from rest_framework.request import Request
from rest_framework.response import Response

from jackpot.web.api.doors import Door
from tables.floor.actions.checklist import standing_of_table
from tables.floor.models.check import TableCheck
from tables.floor.queries.offers import marks_needed
from tables.floor.rules.checklist import CheckStatus, Item
from tables.games.layout import LayoutMark
from tables.rounds.queries import round_lists

READERS = ("run_tables", "approve", "verify", "watch", "read_books", "service")


class LookedForText(serializers.Serializer[Any]):
    """A wagering area or an inscription, with the printed line that asks for it."""

    code = serializers.CharField()
    words = serializers.CharField()
    printed_at = serializers.CharField(source="source")


class LookText(serializers.Serializer[Any]):
    """The newest look at one item, and how the item stands."""

    item = serializers.ChoiceField(choices=[item.value for item in Item])
    standing = serializers.ChoiceField(choices=[standing.value for standing in CheckStatus])
    at = serializers.DateTimeField(allow_null=True)
    by = serializers.CharField(allow_null=True)
    note = serializers.CharField()
    photo_sha256 = serializers.CharField()
    needed = LookedForText(many=True, help_text="Wagering areas and inscriptions that this table needs there.")
    seen = serializers.ListField(child=serializers.CharField(), help_text="Those that were read there, by code.")


class ChecklistText(serializers.Serializer[Any]):
    table = serializers.CharField()
    keeps_closed = serializers.BooleanField(help_text="By policy the table opens only when all are done.")
    items = LookText(many=True)


class Checklist(Door):
    """The checklist of a table: layout, placard, posted limits and rule card, with the newest look at each."""

    serializer_class = ChecklistText
    verbs: ClassVar[dict[str, tuple[str, ...]]] = {"GET": READERS}

    @extend_schema(responses=ChecklistText)
    def get(self, request: Request, code: str) -> Response:
        table = get_object_or_404(round_lists.tables_of(request.user), code=code)
        looks = TableCheck.objects.filter(table=table).order_by("item", "-id").distinct("item").select_related("by")
        newest = {look.item: look for look in looks.defer("photo")}
        needed, found = marks_needed(table), standing_of_table(table)
        items = [_as_reply(item, found[item], newest.get(item), needed.get(item, [])) for item in found]
        told = {"table": table.code, "keeps_closed": table.premises.checklist_opens, "items": items}
        return Response(ChecklistText(told).data)


def _as_reply(
    item: Item, standing: CheckStatus, look: TableCheck | None, needed: list[LayoutMark]
) -> dict[str, Any]:  # fmt: skip
    return {
        "item": item.value,
        "standing": standing.value,
        "at": look.at if look else None,
        "by": str(look.by) if look else None,
        "note": look.note if look else "",
        "photo_sha256": look.photo_sha256 if look else "",
        "needed": needed,
        "seen": look.marks if look else [],
    }
