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
from tables.floor.rules.checklist import CheckStatus, Item
from tables.rounds.queries import round_lists

READERS = ("run_tables", "approve", "verify", "watch", "read_books", "service")


class LookText(serializers.Serializer[Any]):
    """The newest look at one item, and how the item stands."""

    item = serializers.ChoiceField(choices=[item.value for item in Item])
    standing = serializers.ChoiceField(choices=[standing.value for standing in CheckStatus])
    at = serializers.DateTimeField(allow_null=True)
    by = serializers.CharField(allow_null=True)
    note = serializers.CharField()
    photo_sha256 = serializers.CharField()


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
        items = [_as_reply(item, standing, newest.get(item)) for item, standing in standing_of_table(table).items()]
        told = {"table": table.code, "keeps_closed": table.premises.checklist_opens, "items": items}
        return Response(ChecklistText(told).data)


def _as_reply(item: Item, standing: CheckStatus, look: TableCheck | None) -> dict[str, Any]:
    return {
        "item": item.value,
        "standing": standing.value,
        "at": look.at if look else None,
        "by": str(look.by) if look else None,
        "note": look.note if look else "",
        "photo_sha256": look.photo_sha256 if look else "",
    }
