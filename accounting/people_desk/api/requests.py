"""What gives a person more, over the API: asked for by one person; signed by another at `requests/`."""

from __future__ import annotations

from typing import Any, ClassVar

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request as HttpRequest
from rest_framework.response import Response

from accounting.people_desk.actions.asking import ask_card, ask_code, ask_hire, ask_roles, show_code, take_roles
from accounting.people_desk.api.acts import ThisPerson
from accounting.people_desk.queries import people_requests
from accounting.people_desk.rules.staff_wish import StaffAct, StaffWish
from jackpot.people.models import Operator
from jackpot.people.queries import people
from jackpot.property.queries import house_of
from jackpot.refusals import NotUnderstood
from jackpot.requests.models import Request
from jackpot.web.api.doors import Door, ListDoor, NumberedAsked
from jackpot.web.api.fields import CalendarDay, WholeNumber


class PeopleRequestText(serializers.Serializer[Any]):
    """What is asked for about a person, and what became of it. No secret is in it."""

    number = serializers.IntegerField(source="id")
    act = serializers.CharField(source="payload.act", help_text="hire, give_roles, issue_card, new_password, new_pin")
    username = serializers.CharField(source="payload.username")
    what = serializers.SerializerMethodField(help_text="In a sentence.")
    reason = serializers.CharField()
    state = serializers.CharField()
    asked_by = serializers.CharField(source="asked_by_name")
    asked_at = serializers.DateTimeField()
    decided_by = serializers.CharField(source="decided_by_name")
    decided_at = serializers.DateTimeField(allow_null=True)

    def get_what(self, row: Request) -> str:
        return StaffWish.of(row.payload).sentence()


class PeopleWord(serializers.Serializer[Any]):
    """One wish: `hire` takes name and roles, `give_roles` roles, `issue_card` card and level, `new_pin` card_number."""

    act = serializers.ChoiceField(choices=[act.value for act in StaffAct])
    username = serializers.CharField(max_length=60)
    name = serializers.CharField(max_length=100, required=False, default="")
    roles = serializers.ListField(child=serializers.CharField(max_length=20), required=False, default=list)
    card = serializers.CharField(max_length=200, required=False, default="", help_text="As the reader sends it.")
    level = serializers.CharField(max_length=20, required=False, default="dealer")
    expires_on = CalendarDay(required=False, allow_null=True, default=None)
    card_number = WholeNumber(min_value=0, required=False, default=0, help_text="Our own number of the card.")
    reason = serializers.CharField(max_length=200)


class CodeText(serializers.Serializer[Any]):
    code = serializers.CharField(help_text="Shown this once; it counts once, for 24 hours.")


class TakenRoles(serializers.Serializer[Any]):
    roles = serializers.ListField(child=serializers.CharField(max_length=20))
    reason = serializers.CharField(max_length=200)


class PeopleRequestsAsked(NumberedAsked):
    order = serializers.ChoiceField(choices=["id", "-id"], default="-id")


class PeopleRequests(ListDoor):
    """What gives people of the house more: asked for by one, signed by another."""

    serializer_class = PeopleRequestText
    verbs: ClassVar = {"GET": ("people", "read_trail"), "POST": ("people",)}
    asks = PeopleRequestsAsked
    key = "id"

    def get_queryset(self) -> QuerySet[Request]:
        return people_requests(self.request.user)

    @extend_schema(request=PeopleWord, responses={201: PeopleRequestText})
    def post(self, request: HttpRequest) -> Response:
        """Asks for it; another person signs it at `requests/`."""
        form = PeopleWord(data=request.data)
        form.is_valid(raise_exception=True)
        return Response(PeopleRequestText(_ask(form.validated_data, request.user)).data, status=201)


def _ask(told: dict[str, Any], by: Any) -> Request:
    act, reason = StaffAct(told["act"]), told["reason"]
    if act is StaffAct.HIRE:
        house = house_of(by)
        if house is None:
            raise NotUnderstood("There is no house here yet. Begin one at /begin/.", "no_house")
        return ask_hire(
            premises=house, username=told["username"], name=told["name"], roles=told["roles"], reason=reason, by=by
        )
    person = get_object_or_404(people(by), username=told["username"])
    if act is StaffAct.GIVE_ROLES:
        return ask_roles(person=person, roles=told["roles"], reason=reason, by=by)
    if act is StaffAct.ISSUE_CARD:
        last = str(told["expires_on"] or "")
        return ask_card(person=person, number=told["card"], level=told["level"], expires_on=last, reason=reason, by=by)
    # Only a PIN is one card's; beside a new password a number of a card would say something else.
    card_id = told["card_number"] if act is StaffAct.NEW_PIN else None
    return ask_code(person=person, card_id=card_id, reason=reason, by=by)


class ThisPeopleRequest(Door):
    """A door behind one request about a person."""

    verbs: ClassVar = {"POST": ("people",)}

    def row(self) -> Request:
        return get_object_or_404(people_requests(self.request.user), id=int(self.kwargs["id"]))

    def who(self) -> Operator:
        person = self.request.user
        assert isinstance(person, Operator), "the door let a person in"
        return person


class CodeOfPeopleRequest(ThisPeopleRequest):
    """The one-time code of a signed request, once, to one of the two who asked and signed."""

    tells_once = ("code",)

    @extend_schema(request=None, responses=CodeText)
    def post(self, request: HttpRequest, **_: str) -> Response:  # noqa: ARG002  there is no body
        return Response(CodeText({"code": show_code(row=self.row(), by=self.who())}).data)


class TakeRoles(ThisPerson):
    """Takes roles away, at once and by one person."""

    serializer_class = TakenRoles

    @extend_schema(request=TakenRoles, responses=TakenRoles)
    def post(self, request: HttpRequest, **_: str) -> Response:  # noqa: ARG002  the door's own form reads it
        told = self.sent_fields()
        take_roles(person=self.person(), roles=told["roles"], why=told["reason"], by=self.who())
        return Response(TakenRoles(told).data)
