"""The demo casino, loaded as `up` loads it."""

from __future__ import annotations

import pytest

from accounting.house_file.demo import EMERALD, demo_logins, is_demo
from accounting.house_file.demo_floor import _dealer_badges, tables_to_play
from accounting.house_file.loader import load_casino
from jackpot.books.models.jackpot import Jackpot
from jackpot.people.actions.people import VERBS
from jackpot.people.actions.presence import card_numbered
from jackpot.people.models import Card, Operator, Role
from jackpot.terms.rules.terms import Terms
from tables.floor.models.device import Device
from tables.floor.models.sign import Sign
from tables.floor.models.table import Profile, Table

pytestmark = pytest.mark.django_db

ROLES = {
    "dealer", "supervisor", "executive", "accountant", "count-team", "cage", "technician", "surveillance", "operator",
    "auditor", "regulator", "administrator",
}  # fmt: skip


@pytest.fixture(scope="module")
def emerald(around_all: None) -> None:
    load_casino(EMERALD)


def terms_of(code: str) -> Terms:
    version = Jackpot.objects.get(code=code).version
    assert version is not None
    return version.value


def test_a_second_load_of_the_demo_changes_nothing(emerald: None):
    assert load_casino(EMERALD).changes == ()


def test_eight_tables_share_one_jackpot_and_two_have_two_levels(emerald: None):
    room = Table.objects.filter(for_people=False).order_by("code")
    feeds = [tuple(table.links.values_list("jackpot__code", flat=True)) for table in room]
    assert feeds == [("GRAND",)] * 8 + [("ROYAL", "MINI")] * 2
    assert {(table.seats, str(table.wager_money)) for table in Table.objects.all()} == {(7, "1.00")}
    assert {table.profile for table in Table.objects.all()} == set(Profile.values)


def test_two_more_tables_are_for_guests_one_of_each_profile_on_a_jackpot_of_their_own(emerald: None):
    guests = Table.objects.filter(for_people=True).order_by("code")
    assert [(table.code, table.profile) for table in guests] == [("TOUR-CARD", "card"), ("TOUR-KEY", "key")]
    assert set(guests.values_list("jackpots__code", flat=True)) == {"TOUR"}
    assert {table.code for table in tables_to_play(None)}.isdisjoint({"TOUR-CARD", "TOUR-KEY"})


def test_simulated_dealers_are_those_who_cannot_sign_in_as_long_as_they_suffice(emerald: None):
    asleep = set(Operator.objects.filter(password__startswith="!").values_list("username", flat=True))
    badges = [card_numbered(badge) for badge in list(_dealer_badges())[:10]]
    assert {card.operator.username for card in badges if card} <= asleep


def test_one_jackpot_pays_all_from_the_meter_and_one_from_the_tray(emerald: None):
    grand, royal = terms_of("GRAND"), terms_of("ROYAL")
    assert (grand.rate, grand.reserve_rate, royal.rate, royal.reserve_rate) == (700_000, 50_000, 250_000, 50_000)
    assert {line.source for line in grand.pay_table} == {"meter"}
    assert {line.source for line in royal.pay_table} == {"meter", "tray"}


def test_every_role_has_somebody_and_every_verb_a_role(emerald: None):
    assert set(Operator.objects.values_list("roles__code", flat=True)) == ROLES
    assert {verb for role in Role.objects.all() for verb in role.may} == set(VERBS)
    assert set(Card.objects.values_list("level", flat=True)) == set(Card.Level.values)


def test_an_auditor_only_reads_and_a_regulator_says_besides_that_they_were_there(emerald: None):
    for role in Role.objects.filter(code__in=["regulator", "auditor"]):
        assert set(role.may) - {"attend"} <= {"see", "read_books", "read_trail", "watch"}
        assert ("attend" in role.may) is (role.code == "regulator")


def test_every_jackpot_has_a_picture_sign_and_there_is_a_strip_of_digits(emerald: None):
    shown = {sign.code: list(sign.meters.values_list("jackpot__code", flat=True)) for sign in Sign.objects.all()}
    assert shown["LEVELS"] == ["ROYAL", "MINI"]
    assert [shown[code] for code in ("GRAND", "ROYAL", "MINI")] == [["GRAND"], ["ROYAL"], ["MINI"]]
    assert Sign.objects.get(type="digits").code == "STRIP"


def test_every_table_has_its_controller_and_every_sign_its_device(emerald: None):
    assert Device.objects.filter(kind="controller", table__isnull=False).count() == 10
    assert Device.objects.filter(kind="sign", sign__isnull=False).count() == Sign.objects.count()


def test_the_demo_says_who_may_sign_in(emerald: None):
    assert is_demo()
    logins = {login.username: login for login in demo_logins()}
    assert set(logins) == {person.username for person in Operator.objects.all() if person.has_usable_password()}
    supervisor = Operator.objects.get(username="supervisor")
    assert supervisor.check_password(logins["supervisor"].password)
    assert logins["supervisor"].cards[0].pin
