from __future__ import annotations

from typing import Any, Final

from django.db.models import QuerySet
from rest_framework import serializers

from jackpot.books import queries
from jackpot.books.api.jackpots import ThisJackpot
from jackpot.books.models.entry import Entry
from jackpot.books.rules.entry_kind import CHOICES, EntryKind
from jackpot.books.rules.reasons import reason
from jackpot.web.api.doors import ListDoor, NumberedAsked
from jackpot.web.api.fields import LARGEST_KEY, AccountsText, CalendarDay, HexText, OneOf, WholeNumber

CODE: Final = r"^[A-Z0-9][A-Z0-9-]{0,19}$"


class EntryText(serializers.Serializer[Any]):
    """One sealed line of the books; docs/books.md says how to seal it again."""

    seq = serializers.IntegerField(help_text="1, 2, 3 … per jackpot, without a gap.")
    kind = OneOf("EntryKind", EntryKind)
    why = serializers.SerializerMethodField(help_text="The entry in one sentence.")
    key = serializers.CharField(help_text="The name of the act; the same act is posted once.")
    occurred_at = serializers.DateTimeField()
    gaming_day = serializers.DateField()
    table = serializers.CharField(source="table_code", help_text="Empty where no table is concerned.")
    round = serializers.IntegerField(source="round_number", allow_null=True)
    corrects = serializers.IntegerField(allow_null=True, help_text="The entry that this one takes back.")
    version = serializers.IntegerField(source="version.number")
    movement = AccountsText()
    after = AccountsText()
    request = HexText(help_text="Digest of what was asked.")
    seal = HexText()

    def get_why(self, entry: Entry) -> str:
        return reason(entry.kind, entry.table_code, entry.round_number, entry.corrects)


class EntriesAsked(NumberedAsked):
    order = serializers.ChoiceField(choices=["seq", "-seq"], default="-seq", help_text="Newest first unless you say.")
    kind = serializers.ChoiceField(choices=CHOICES, required=False)
    day = CalendarDay(required=False, help_text="Gaming day.")
    table = serializers.RegexField(CODE, required=False)
    round = WholeNumber(min_value=1, max_value=LARGEST_KEY, required=False)
    falls = serializers.BooleanField(default=False, help_text="Only entries that lowered the meter.")


class Entries(ThisJackpot, ListDoor):
    """Every entry of the books, newest first. `falls=true` answers the question why the meter fell.

    By table or round a page looks through 50,000 entries and may hold fewer rows than asked for: `next` goes on.
    """

    serializer_class = EntryText
    asks = EntriesAsked
    key = "seq"

    def get_queryset(self) -> QuerySet[Entry]:
        rising = self.asked["order"] == "seq"
        rows, self.edge = queries.look(self.jackpot(), self.asked, self.asked.get("cursor"), rising=rising)
        return rows
