"""What gives a person more, asked for: somebody new, roles, a card, a one-time code. Another person signs it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any, ClassVar, Final

from django.shortcuts import get_object_or_404
from django.urls import reverse

from accounting.asking.pages.forms import AskForm, AskInput, AskPreview, Link, listed
from accounting.people_desk.actions.asking import (
    ask_card,
    ask_code,
    ask_hire,
    ask_roles,
    code_wish,
    hire_wish,
    roles_wish,
)
from accounting.people_desk.pages.desk import CHANGES, READS
from accounting.people_desk.rules.staff_wish import StaffWish
from jackpot.people.actions.people import LEVELS
from jackpot.people.models import Operator, Role
from jackpot.people.queries import people
from jackpot.reading import read_day
from jackpot.refusals import NotUnderstood
from jackpot.requests.models import Request
from jackpot.signing.actions.kinds import ComparedValue
from jackpot.signing.rules import AskField, FieldGroup, FieldLook


class HireForm(AskForm):
    """Somebody who is not here yet."""

    name = "Hire a person"
    does = "The password is the person’s own to choose: ask for a one-time code afterwards."
    asks, reads = (CHANGES,), READS
    below: ClassVar[Sequence[Link]] = [("people-desk", "People")]

    def entries(self) -> Sequence[tuple[str, str, str]]:
        return [(reverse("people-hire"), self.name, "Roles, cards and codes are asked for on a person’s page.")]

    def groups(self, asked: AskInput) -> Sequence[FieldGroup]:
        fields = [
            AskField("name", "Name", value=asked.word("name", 100), longest=100),
            AskField("username", "User name", value=asked.word("username", 60), longest=60),
            _ticks(asked, Role.objects.all()),
        ]
        return [FieldGroup("", fields)]

    def preview(self, asked: AskInput) -> AskPreview:
        return _previewed(hire_wish(asked.word("username"), asked.word("name"), asked.ticked.get("roles", ())))

    def ask(self, asked: AskInput) -> Request:
        return ask_hire(
            premises=asked.house, username=asked.word("username"), name=asked.word("name"),
            roles=asked.ticked.get("roles", ()), reason=asked.word("reason"), by=asked.by,
        )  # fmt: skip


class PersonForm(AskForm):
    """What is asked for about a person who works here; the address names them."""

    does = "What gives more waits for a second person: one who gives roles, or an executive’s card."
    asks, reads = (CHANGES,), READS

    def title(self, asked: AskInput) -> str:
        return f"{self.name} for {_person(asked)}"

    def crumbs(self, asked: AskInput) -> Sequence[Link]:
        who = _person(asked)
        page = reverse("person", kwargs={"username": who.username})
        return [(reverse("people-desk"), "People"), (page, who.username)]


class RolesForm(PersonForm):
    name = "Roles"

    def groups(self, asked: AskInput) -> Sequence[FieldGroup]:
        return [FieldGroup("", [_ticks(asked, Role.objects.exclude(operators=_person(asked)))])]

    def preview(self, asked: AskInput) -> AskPreview:
        return _previewed(roles_wish(_person(asked), asked.ticked.get("roles", ())))

    def ask(self, asked: AskInput) -> Request:
        roles = asked.ticked.get("roles", ())
        return ask_roles(person=_person(asked), roles=roles, reason=asked.word("reason"), by=asked.by)


class CardForm(PersonForm):
    """The number goes into the form only; its preview says what the card may do."""

    name = "A card"

    def groups(self, asked: AskInput) -> Sequence[FieldGroup]:
        levels = [(level, level) for level in LEVELS]
        until = asked.word("expires_on", 10)
        fields = [
            # Never shown again, not even after a refusal: the page may stand on a screen that others see.
            AskField("number", "Card, as the reader sends it", FieldLook.SECRET),
            AskField("level", "Level", FieldLook.CHOICE, asked.word("level", 20), levels),
            AskField("expires_on", "Last day, if it has one", FieldLook.DAY, until, required=False),
        ]
        return [FieldGroup("", fields)]

    def preview(self, asked: AskInput) -> AskPreview:
        level = asked.word("level", 20) or next(iter(LEVELS))
        # Told before it is asked for: whoever hires a supervisor for tonight must know that the card approves tomorrow.
        then = "dealer at once" if level == "dealer" else f"dealer at once, {level} from the next gaming day"
        return AskPreview([ComparedValue("Level", "no such card", then)])

    def ask(self, asked: AskInput) -> Request:
        return ask_card(
            person=_person(asked), number=asked.word("number"), level=asked.word("level", 20),
            reason=asked.word("reason"), by=asked.by, expires_on=_day(asked.word("expires_on", 10)),
        )  # fmt: skip


class CodeForm(PersonForm):
    """For a new password, or for the PIN of one card."""

    name = "A one-time code"

    def groups(self, asked: AskInput) -> Sequence[FieldGroup]:
        cards = _person(asked).cards.filter(blocked_at=None).order_by("id")
        options = [
            ("password", "a new password"),
            *((str(card.pk), f"the PIN of •••• {card.last_four}") for card in cards),
        ]
        return [FieldGroup("", [AskField("code_for", "For", FieldLook.CHOICE, asked.word("code_for", 19), options)])]

    def preview(self, asked: AskInput) -> AskPreview:
        return _previewed(code_wish(_person(asked), asked.number("code_for")))

    def ask(self, asked: AskInput) -> Request:
        card_id = asked.number("code_for")
        return ask_code(person=_person(asked), card_id=card_id, reason=asked.word("reason"), by=asked.by)


def _ticks(asked: AskInput, roles: Any) -> AskField:
    options = [(role.code, role.name) for role in roles]
    return AskField("roles", "Roles", FieldLook.TICKS, options=options, ticked=asked.ticked.get("roles", ()))


def _previewed(wish: StaffWish) -> AskPreview:
    return AskPreview([ComparedValue(*each) for each in wish.compared()])


def _person(asked: AskInput) -> Operator:
    return get_object_or_404(people(asked.by), username=asked.about["username"])


def _day(typed: str) -> str:
    if not typed:
        return ""
    try:
        day: date = read_day(typed)
    except ValueError:
        raise NotUnderstood("Write the last day of the card as year-month-day, such as 2027-12-31.", "day") from None
    return str(day)


HIRE_FORM: Final = listed(HireForm())
ROLES_FORM: Final = RolesForm()
CARD_FORM: Final = CardForm()
CODE_FORM: Final = CodeForm()
