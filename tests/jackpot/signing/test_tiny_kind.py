"""A new kind of request is one class and one line: asking, signing, refusing and withdrawing come with the frame."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, ClassVar

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.utils import timezone

from jackpot.authority.actions.level import ask_level
from jackpot.people.actions.people import block_card
from jackpot.people.actions.presence import TYPED
from jackpot.people.models import Card, Operator
from jackpot.property.models.property import Property
from jackpot.refusals import Refused
from jackpot.requests.actions.life import move_on
from jackpot.requests.models import Request
from jackpot.requests.queries import waiting_requests
from jackpot.requests.rules.life import RequestAct
from jackpot.signing.actions import RequestKind, SecondPerson, refuse, register, sign, withdraw
from jackpot.signing.actions.approver import approver_by_card
from jackpot.signing.actions.asking import put_in
from jackpot.signing.actions.deciding import decided, note
from jackpot.signing.actions.kinds import kind_of, known_kinds, unregister
from jackpot.signing.rules import AskField
from jackpot.trail.models import Trail
from tests.builders import a_card, a_person, a_property

pytestmark = pytest.mark.django_db


class RenameHouse(RequestKind[Request]):
    """A house gets another name; for the tests only."""

    code, name, model = "rename_house", "Name of the house", Request
    may_ask: ClassVar[frozenset[str]] = frozenset({"configure"})
    may_sign: ClassVar[frozenset[str]] = frozenset({"configure"})
    fields: ClassVar[tuple[AskField, ...]] = (AskField("name", "New name of the house", longest=100),)
    lead = "What every page and every slip calls the house."

    def sign(self, scene: Any, row: Request, approver: SecondPerson, *, seen: bool) -> None:
        decided(row, approver, timezone.now())
        move_on(row, RequestAct.COUNT)
        row.save()
        Property.objects.filter(pk=row.premises_id).update(name=row.payload["name"])
        note(self, row, approver.operator, "approve", row.reason)


@pytest.fixture(autouse=True)
def kind() -> Iterator[RenameHouse]:
    kind = RenameHouse()
    register(kind)
    yield kind
    unregister(kind.code)


def asked(house: Property, by: Operator, name: str = "Grand Hotel") -> Request:
    row = Request(kind="rename_house", premises=house, payload={"name": name}, reason="sold last week")
    put_in(row=row, by=by)
    return row


@pytest.fixture
def house() -> Property:
    return a_property()


@pytest.fixture
def two(house: Property) -> tuple[Operator, Operator]:
    may = ("configure",)
    return a_person("asker", may=may, premises=house), a_person("signer", may=may, premises=house)


def test_it_is_asked_for_and_signed_by_another(house: Property, two: tuple[Operator, Operator]) -> None:
    asker, signer = two
    row = asked(house, asker)
    assert [each.pk for each in waiting_requests(signer)] == [row.pk]
    with pytest.raises(Refused, match="cannot sign twice"):
        sign(request_id=row.pk, approver=SecondPerson(asker))
    sign(request_id=row.pk, approver=SecondPerson(signer))
    house.refresh_from_db()
    row.refresh_from_db()
    assert (house.name, row.state, row.decided_by_name) == ("Grand Hotel", "in_force", str(signer))
    assert list(waiting_requests(signer)) == []
    with pytest.raises(Refused, match=f"was approved by {signer}"):
        refuse(request_id=row.pk, reason="too late", by=asker)


def test_it_is_refused_or_taken_back_with_a_reason(house: Property, two: tuple[Operator, Operator]) -> None:
    asker, signer = two
    row = asked(house, asker)
    with pytest.raises(Refused, match="Say why"):
        refuse(request_id=row.pk, reason=" ", by=signer)
    with pytest.raises(Refused, match="withdraw it instead"):
        refuse(request_id=row.pk, reason="no", by=asker)
    refuse(request_id=row.pk, reason="the sign is painted", by=signer)
    again = asked(house, asker)
    with pytest.raises(Refused, match="Refuse it, or let"):
        withdraw(request_id=again.pk, reason="no", by=signer)
    withdraw(request_id=again.pk, reason="not sold", by=asker)
    acts = list(Trail.objects.filter(act__contains="rename").order_by("id").values_list("act", "outcome"))
    assert acts == [
        ("ask_rename_house", "done"), ("refuse_rename_house", "refused"), ("ask_rename_house", "done"),
        ("withdraw_rename_house", "done"),
    ]  # fmt: skip


def _blocked(card: Card) -> None:
    block_card(card=card, why="stolen", by="tests")


def _lowered(card: Card) -> None:
    ask_level(card=card, level="supervisor", reason="other duties", by=a_person("lower", may=("people",)))


def _locked(card: Card) -> None:
    Card.objects.filter(pk=card.pk).update(locked_at=timezone.now())


@pytest.mark.parametrize(("taken", "code"), [(_blocked, "card_blocked"), (_lowered, "level"), (_locked, "locked")])
def test_a_card_that_lost_authority_since_its_swipe_signs_nothing(
    house: Property, two: tuple[Operator, Operator], taken: Callable[[Card], None], code: str
) -> None:
    """Between the PIN and the locks there is time enough for a touch on “Block”."""
    asker, signer = two
    house.refresh_from_db()
    name = house.name
    a_card(signer, number="900000000009", level="executive", pin="274916")
    row = asked(house, asker)
    approver = approver_by_card(swipe="900000000009", pin="274916", premises=house, source=TYPED)
    assert approver.card is not None
    taken(Card.objects.get(pk=approver.card.pk))
    with pytest.raises(Refused, match="lost authority a moment ago") as refusal:
        sign(request_id=row.pk, approver=approver)
    house.refresh_from_db()
    row.refresh_from_db()
    assert (refusal.value.code, house.name, row.state) == (code, name, "previewed")
    sign(request_id=row.pk, approver=SecondPerson(signer))


def test_another_house_and_people_without_the_verb_do_not_see_it(
    house: Property, two: tuple[Operator, Operator]
) -> None:
    row = asked(house, two[0])
    stranger = a_person("stranger", may=("configure",), premises=a_property("OTHER"))
    with pytest.raises(Refused, match="no such request in your house"):
        sign(request_id=row.pk, approver=SecondPerson(stranger))
    with pytest.raises(Refused, match="may not sign"):
        sign(request_id=row.pk, approver=SecondPerson(a_person("auditor", may=("read_books",), premises=house)))
    with pytest.raises(Refused, match="may not ask"):
        asked(house, a_person("cage", may=("pay",), premises=house))


def test_a_kind_that_nobody_registered_is_named() -> None:
    with pytest.raises(Refused, match="is no kind of request here"):
        put_in(row=Request(kind="paint_it", premises=a_property()), by=a_person("asker"))


def test_a_second_kind_of_the_same_code_is_refused_and_the_first_one_stays(kind: RenameHouse) -> None:
    """Which of two counts was decided by the order of the settings, in silence."""
    before = known_kinds()
    with pytest.raises(ImproperlyConfigured, match=r"Two kinds of request are called “rename_house”: .*RenameHouse"):
        register(RenameHouse())
    assert known_kinds() == before
    register(kind)  # the very same once more is no second one
    assert kind_of("rename_house") is kind
