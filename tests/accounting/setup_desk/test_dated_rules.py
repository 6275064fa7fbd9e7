"""Whoever signs a dated rule sees every term of it."""

from __future__ import annotations

from datetime import date

import pytest
from django.test import Client

from accounting.setup_desk.actions.setting_up import SetUpWish, set_up
from accounting.setup_desk.rules.part_kinds import PARTS
from accounting.setup_desk.rules.spelled_out import SPELLED
from jackpot.property.models.property import Property
from jackpot.requests.models import Request
from jackpot.requests.rules.life import OPEN
from jackpot.signing.actions import kind_of
from tests.accounting.setup_desk.desk_scene import TABLES_FORM, an_opened_jackpot, person, post

pytestmark = pytest.mark.django_db
DAY = date(2030, 1, 1)
DATED = {
    "shifts": {"begin": {"Day": "06:10", "Night": "18:20"}},
    "tax": {"minimum": "600.00", "multiple": 300, "withhold_above": "5000.00", "rate": "24", "form": "W-2G",
            "shared_form": "5754", "currency_above": "10000.00"},
    "unclaimed": {"notice_after": 91, "lapse_after": 366},
    "notices": {"about": "adjust", "to": "the regulator", "owner": "administrator", "within_hours": 73,
                "from_amount": "50.01"},
    "collections": {"tables": ["T-01"], "for": "hand", "fee": "1.07"},
    "schedules": {"game": "uth", "set": "001", "option": 4, "status": "withdrawn", "reference": "letter 12"},
    "limits": {"sheet": "ROOM", "game": "uth", "least": 2, "most": 301, "wager": "trips",
               "until": date(2031, 1, 1), "reference": "our rules"},
}  # fmt: skip


def told_to_the_signer(house: Property, kind: str, part: dict[str, object]) -> list[tuple[str, str]]:
    """Asked for together with a tax rule, which takes two: the shifts alone are one person's."""
    tax = {"tax": [{"from": date(2032, 1, 1), "minimum": "1.00"}]}
    set_up(premises=house, wish=SetUpWish({**tax, kind: [{"from": DAY, **part}]}), by=person("ann"))
    row = Request.objects.get(kind="set_up", state__in=OPEN)
    return [(each.name, each.after) for each in kind_of(row.kind).compared(row)]


@pytest.mark.parametrize("kind", DATED)
def test_whoever_signs_a_dated_rule_sees_every_term_of_it(house: Property, ann: Client, kind: str) -> None:
    an_opened_jackpot(ann)
    post(ann, "tables", **{**TABLES_FORM, "code": "T-01", "jackpots": "GRAND"})
    told = told_to_the_signer(house, kind, DATED[kind])
    names = {name.partition(": ")[2]: after for name, after in told if "2030-01-01" in name}
    for term, value in DATED[kind].items():
        for inner, each in value.items() if isinstance(value, dict) else [("", value)]:
            shown = names[f"{term} {inner}".strip().replace("_", " ")]
            assert shown == (", ".join(each) if isinstance(each, list) else str(each)), (kind, term)


@pytest.mark.parametrize("left_out", [("schedules", "option"), ("limits", "wager")])
def test_a_dated_rule_with_its_usual_name_is_spelled_out_too(
    house: Property, ann: Client, left_out: tuple[str, str]
) -> None:
    an_opened_jackpot(ann)
    kind, key = left_out
    part = {name: value for name, value in DATED[kind].items() if name != key}
    assert "reference" in " ".join(name for name, _ in told_to_the_signer(house, kind, part))


def test_no_kind_of_dated_rule_is_left_out() -> None:
    dated = {code for code, kind in PARTS.items() if any(field.name == "from" for field in kind.fields)}
    assert dated == set(DATED) <= set(SPELLED)
