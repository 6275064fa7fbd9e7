"""What older books said by name: carried over to keys where a name is one person's, and to nobody otherwise."""

from __future__ import annotations

import pkgutil
from importlib import import_module

import pytest
from django.db import connection

import jackpot.migrations
import tables.migrations
from jackpot.people.actions.people import alter_person
from jackpot.people.models import Operator
from jackpot.wins.actions.pay import redeem
from jackpot.wins.models import Signature, Win
from tables.hits.models.open_case import OpenCase
from tests.builders import a_person
from tests.tables.hits.test_hit import Floor, ref_b

pytestmark = pytest.mark.django_db


def run(package: object, ending: str, name: str) -> None:
    [found] = [each.name for each in pkgutil.iter_modules(package.__path__) if each.name.endswith(ending)]  # type: ignore[attr-defined]
    with connection.cursor() as cursor:
        cursor.execute(getattr(import_module(f"{package.__name__}.{found}"), name))  # type: ignore[attr-defined]


def paid_hit() -> Floor:
    floor = ref_b()
    floor.coin_in("12")
    floor.mark(1, "five")
    floor.confirm()
    floor.card()
    redeem(slip=1, payer=a_person("cage"))
    return floor


@pytest.mark.parametrize(
    ("names", "marked_by", "marker"),
    [
        (("Ann", "Bob"), "Ann", "ann"),
        (("Ann", "Ann"), "Ann", None),
        (("Ann", "Bob"), "Cat", None),
        (("", "Bob"), "ann", "ann"),
        (("Ann", "Bob"), "nobody badged in at UTH-01", None),
    ],
    ids=["one person's", "two namesakes", "nobody's", "without a name", "no badge"],
)
def test_a_marker_is_carried_over_where_the_name_is_one_persons(
    names: tuple[str, str], marked_by: str, marker: str | None
) -> None:
    paid_hit()
    for username, name in zip(("ann", "bob"), names, strict=True):
        alter_person(operator=a_person(username), name=name, roles=[], by="tests")
    Win.objects.update(marker=None, payer=None, marked_by=marked_by)
    run(jackpot.migrations, "people_are_keys", "CARRY_OVER")
    win = Win.objects.select_related("marker", "payer").get()
    assert (win.marker and win.marker.username, win.marked_by) == (marker, marked_by)
    assert win.payer is not None
    assert win.payer.username == "cage", "who paid has signed with a key"


def test_an_open_late_claim_is_signed_by_the_two_who_opened_it() -> None:
    floor = ref_b()
    floor.coin_in("12")
    floor.mark(1, "five")
    people = {"executive": Operator.objects.get(username="executive"), "second": a_person("other")}
    OpenCase.objects.create(
        kind="claimed", table=floor.casino.table, round_number=1, reason="forgotten", evidence="camera 7",
        at=Win.objects.get().marked_at, **people,
    )  # fmt: skip
    for _ in range(2):
        run(tables.migrations, "claims_signed", "SIGN_CLAIMS")
    said = Signature.objects.order_by("operator__username").values_list("operator__username", "part", "why")
    assert list(said) == [("executive", "claim", "forgotten"), ("other", "claim", "forgotten")]
