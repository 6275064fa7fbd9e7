"""Setting up for programs: the words are those of the casino file, the acts those of the pages."""

from __future__ import annotations

from typing import Any, ClassVar, Final

from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounting.house_file.writer import devices_in, house_text
from accounting.setup_desk.actions.codes import MOST_CODES, invite_many
from accounting.setup_desk.actions.founding import Founder, FoundingWish, found_house
from accounting.setup_desk.actions.setting_up import SetUpOutcome, SetUpWish, set_up, set_up_list
from accounting.setup_desk.queries import SET_UP, house_facts, house_habits
from accounting.setup_desk.rules.house_steps import StepState, steps_of
from accounting.setup_desk.rules.part_kinds import TABLES
from accounting.setup_desk.rules.table_list import read_list
from jackpot.people.models import Operator
from jackpot.property.models.property import Property
from jackpot.property.queries import house_of
from jackpot.reading import read_day
from jackpot.refusals import NotFound
from jackpot.trail.actions.trail import record
from jackpot.trail.rules import objects
from jackpot.web.api.access import ANYONE
from jackpot.web.api.doors import Door
from jackpot.web.api.fields import OneOf

READS: Final = (SET_UP, "read_trail")
VERBS: Final[dict[str, tuple[str, ...]]] = {"GET": READS, "POST": (SET_UP,)}
SECTIONS: Final = (
    "property", "shifts", "tax", "unclaimed", "notices", "collections", "schedules", "limits", "printers", "jackpots",
    "tables", "signs", "devices", "components",
)  # fmt: skip


class StepText(serializers.Serializer[Any]):
    """One step from an empty house to its first round."""

    code = serializers.CharField()
    title = serializers.CharField()
    state = OneOf("HouseStepState", StepState)
    words = serializers.CharField(help_text="What stands, or what is missing and how it is cured.")


class SectionsWord(serializers.Serializer[Any]):
    """Sections of a casino file: `tables`, `signs`, `jackpots` … as lists, `property` as one object.

    Days are texts such as 2027-01-31; a jackpot's signers are left out, since those who really sign are entered.
    """

    sections = serializers.DictField(child=serializers.JSONField(), help_text=f"Any of: {', '.join(SECTIONS)}.")
    dry_run = serializers.BooleanField(default=False, help_text="Show what would change and change nothing.")
    reason = serializers.CharField(max_length=200, required=False, default="", allow_blank=True)


class FileWord(serializers.Serializer[Any]):
    """A whole casino file."""

    text = serializers.CharField(max_length=60_000, trim_whitespace=False)
    name = serializers.CharField(max_length=60, required=False, default="house.toml")
    dry_run = serializers.BooleanField(default=False)
    reason = serializers.CharField(max_length=200, required=False, default="", allow_blank=True)


class ListWord(serializers.Serializer[Any]):
    """Tables as rows of a spreadsheet; the first line names the columns."""

    csv = serializers.CharField(max_length=60_000, trim_whitespace=False)
    dry_run = serializers.BooleanField(default=False)
    reason = serializers.CharField(max_length=200, required=False, default="", allow_blank=True)


class SetUpText(serializers.Serializer[Any]):
    """What was made or would be; with a request nothing is changed before a second person signs it."""

    changes = serializers.ListField(child=serializers.CharField(), help_text="“+” is new, “~” differs.")
    takes_two = serializers.BooleanField(help_text="Whether it takes a second person.")
    request = serializers.IntegerField(allow_null=True, help_text="Its number at `requests/`, where it waits.")


class HouseFileText(serializers.Serializer[Any]):
    text = serializers.CharField(help_text="The house as a casino file (TOML).")


class ChosenDevices(serializers.Serializer[Any]):
    devices = serializers.ListField(child=serializers.CharField(max_length=40), max_length=MOST_CODES)


class DeviceCodeText(serializers.Serializer[Any]):
    device = serializers.CharField(source="device.code")
    code = serializers.CharField(help_text="Counts once, for a day; told this once.")


class FounderWord(serializers.Serializer[Any]):
    username = serializers.CharField(max_length=60)
    name = serializers.CharField(max_length=100)
    password = serializers.CharField(max_length=200, trim_whitespace=False)


class FoundingWord(serializers.Serializer[Any]):
    """An empty database becomes a house with its first two people."""

    code = serializers.CharField(max_length=40, help_text="The founding code, as `up` prints it.")
    property = serializers.DictField(child=serializers.JSONField(), help_text="A property section of a casino file.")
    first = FounderWord()
    second = FounderWord()


class FoundedText(serializers.Serializer[Any]):
    property = serializers.CharField(source="code")


class OfThisHouse(Door):
    """A door of whoever sets up the own house."""

    verbs: ClassVar = VERBS
    serializer_class: Any = SectionsWord

    def who(self) -> Operator:
        person = self.request.user
        assert isinstance(person, Operator), "the door let a person in"
        return person

    def house(self) -> Property:
        own = house_of(self.request.user)
        if own is None:
            raise NotFound("There is no house here yet. Found one at `begin/`.", "no_house")
        return own


class SetUpHere(OfThisHouse):
    """The steps of this house, and parts of it set up or altered."""

    @extend_schema(responses=StepText(many=True))
    def get(self, request: Request) -> Response:  # noqa: ARG002  there is no question
        steps = steps_of(house_facts(self.house()))
        return Response(StepText(steps, many=True).data)

    @extend_schema(request=SectionsWord, responses=SetUpText)
    def post(self, request: Request) -> Response:  # noqa: ARG002  the door's own form reads it
        """Sets up or alters parts: at once, or as a request where it takes two people."""
        told = self.sent_fields()
        wish = SetUpWish(with_days(told["sections"]), reason=told["reason"])
        return _answer(set_up(premises=self.house(), wish=wish, by=self.who(), dry_run=told["dry_run"]))


class WriteHouse(OfThisHouse):
    """The house written as a casino file."""

    serializer_class = HouseFileText
    verbs: ClassVar = {"POST": READS}

    @extend_schema(request=None, responses=HouseFileText)
    def post(self, request: Request) -> Response:  # noqa: ARG002  there is no body
        """Who took it along stands in the trail."""
        premises = self.house()
        record(actor=self.who(), act="write_house", about=objects.house(premises.code))
        return Response(HouseFileText({"text": house_text(premises, timezone.now())}).data)


class HouseAsFile(OfThisHouse):
    """The house brought in from a casino file."""

    serializer_class = FileWord
    verbs: ClassVar = {"POST": (SET_UP,)}

    @extend_schema(request=FileWord, responses=SetUpText)
    def post(self, request: Request) -> Response:  # noqa: ARG002  the door's own form reads it
        """Brings in a file; every fault is named with its line."""
        told = self.sent_fields()
        wish = SetUpWish(text=told["text"], name=told["name"], reason=told["reason"])
        return _answer(set_up(premises=self.house(), wish=wish, by=self.who(), dry_run=told["dry_run"]))


class TablesAsList(OfThisHouse):
    """Tables from a spreadsheet."""

    serializer_class = ListWord
    verbs: ClassVar = {"POST": (SET_UP,)}

    @extend_schema(request=ListWord, responses=SetUpText)
    def post(self, request: Request) -> Response:  # noqa: ARG002  the door's own form reads it
        """Every fault of every row is named with its line and column."""
        told, premises = self.sent_fields(), self.house()
        listed = read_list(told["csv"], TABLES.fields, house_habits(premises, timezone.now()))
        return _answer(
            set_up_list(
                premises=premises, listed=listed, name="list.csv", by=self.who(), reason=told["reason"],
                dry_run=told["dry_run"],
            )
        )  # fmt: skip


class DeviceCodes(OfThisHouse):
    """One-time codes of many devices."""

    tells_once = ("code",)

    serializer_class = ChosenDevices
    verbs: ClassVar = {"POST": (SET_UP,)}

    @extend_schema(request=ChosenDevices, responses=DeviceCodeText(many=True))
    def post(self, request: Request) -> Response:  # noqa: ARG002  the door's own form reads it
        rows, told = devices_in(self.house()), self.sent_fields()
        # Each once: a second code for the same device would make the first one useless.
        chosen = [get_object_or_404(rows, code=code) for code in dict.fromkeys(told["devices"])]
        codes = invite_many(devices=chosen, by=self.who().username)
        return Response(DeviceCodeText(codes, many=True).data)


class Begin(Door):
    """Founds a house in an empty database."""

    serializer_class = FoundingWord
    # There is nobody yet who could sign in; the founding code is what opens this door.
    authentication_classes = []
    verbs: ClassVar = {"POST": (ANYONE,)}

    @extend_schema(request=FoundingWord, responses={201: FoundedText})
    def post(self, request: Request) -> Response:
        """Open to whoever holds the founding code, as long as there is neither a house nor a person."""
        told = self.sent_fields()
        # A program mistypes nothing: what people type twice it sends once.
        first, second = (Founder(**told[which], again=told[which]["password"]) for which in ("first", "second"))
        wish = FoundingWish(told["code"], told["property"], first, second)
        house = found_house(wish=wish, address=str(request.META.get("REMOTE_ADDR", "")))
        return Response(FoundedText(house).data, status=201)


def with_days(sections: dict[str, Any]) -> dict[str, Any]:
    """JSON has no days; where a section begins is read as one, and what is none the reader refuses."""

    def dated(part: Any) -> Any:
        try:
            return {**part, "from": read_day(part["from"])}
        except (TypeError, KeyError, ValueError):
            return part

    return {name: [dated(part) for part in told] if isinstance(told, list) else told for name, told in sections.items()}


def _answer(outcome: SetUpOutcome) -> Response:
    request = None if outcome.request is None else outcome.request.pk
    told = {"changes": [str(each) for each in outcome.changes], "takes_two": outcome.takes_two, "request": request}
    return Response(SetUpText(told).data)
