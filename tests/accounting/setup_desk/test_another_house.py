"""Several houses in one database: what one of them has is not altered from another."""

from __future__ import annotations

import pytest
from django.test import Client
from django.utils import timezone

from accounting.house_file.writer import house_content
from accounting.paper.actions.printers import set_up_printer
from accounting.paper.rules.copies import Form
from accounting.setup_desk.actions.setting_up import SetUpWish, set_up
from jackpot.property.models.property import Property
from jackpot.refusals import Refused
from jackpot.requests.models import Request
from jackpot.requests.rules.life import OPEN
from tables.setup.actions import floor
from tests.accounting.setup_desk.desk_scene import JACKPOT, TABLES_FORM, an_opened_jackpot, person, post
from tests.builders import a_jackpot, a_person, a_property, a_sign, a_table

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("kind", "part"),
    [
        ("tables", {"code": "O-01", "game": "uth", "seats": 5, "wager": "1.00", "profile": "card", "jackpots": []}),
        ("signs", {"code": "O-WALL", "type": "picture", "meters": ["GRAND"]}),
        ("devices", {"code": "O-01-C", "kind": "controller", "table": "T-01"}),
        ("devices", {"code": "O-WALL-S", "kind": "sign", "sign": "WALL"}),
        ("jackpots", {**JACKPOT, "code": "OTHER-G", "name": "Ours now"}),
        ("printers", {"code": "O-CAGE", "kind": "folder", "address": "prints/cage", "form": "letter"}),
        ("people", {"username": "otto", "name": "Ours Now", "roles": []}),
    ],
)  # fmt: skip
def test_nobody_alters_what_another_house_has(house: Property, ann: Client, kind: str, part: dict[str, object]) -> None:
    """Codes are one over all houses of a database, so a code alone leads into another house."""
    an_opened_jackpot(ann)
    post(ann, "tables", **{**TABLES_FORM, "code": "T-01", "jackpots": "GRAND"})
    post(ann, "signs", code="WALL", meters="GRAND", type="picture", digits="12", act="make")
    other = Property.objects.get(pk=a_property("OTHER").pk)
    theirs = a_jackpot("OTHER-G", premises=other)
    a_table("O-01", theirs, premises=other)
    a_sign("O-WALL", theirs, premises=other)
    floor.register_device(code="O-01-C", facts=floor.DeviceFacts(kind="controller", table="O-01"), by="tests")
    floor.register_device(code="O-WALL-S", facts=floor.DeviceFacts(kind="sign", sign="O-WALL"), by="tests")
    set_up_printer(premises=other, code="O-CAGE", kind="folder", address="prints/other", form=Form.LETTER, by="tests")
    a_person("otto", premises=other)
    before = house_content(other, timezone.now())
    with pytest.raises(Refused, match=r"There is already a \w+ [\w-]+ in another house"):
        set_up(premises=house, wish=SetUpWish({kind: [part]}), by=person("ann"))
    assert house_content(other, timezone.now()) == before
    assert not Request.objects.filter(state__in=OPEN).exists()
