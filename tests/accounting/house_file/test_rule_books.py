"""Each rule book through the same evening: its switches, and nothing else, decide what comes of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import pytest
from django.utils import timezone

from accounting.house_file.loader import load
from accounting.house_file.reader import read_casino
from accounting.house_file.sections import CasinoRefused
from accounting.reports.queries.rule_book import OTHERWISE, rule_book_rows
from accounting.reports.rules.declaring import ReportQuestion
from jackpot.approvals.actions import EnterApproval
from jackpot.approvals.queries import APPROVAL, asked_by_house
from jackpot.books.models.jackpot import Jackpot
from jackpot.evidence.actions.keep import add_evidence, checked_upload
from jackpot.money import Money
from jackpot.people.models import Operator
from jackpot.property.models.property import Property
from jackpot.property.rules.typed_days import DaySpan
from jackpot.refusals import Refused
from jackpot.rule_books.queries import rule_books
from jackpot.signing.actions import SecondPerson, sign
from jackpot.signing.actions.asking import put_in
from jackpot.signing.actions.kinds import kind_of
from jackpot.wins.models import Win
from tables.floor.models.device import Device
from tables.floor.models.table import Table, TableState
from tables.hits.actions import hit
from tables.rounds.actions.round import post_messages
from tables.rounds.rules.round import CoinInRequest, DeviceRequest, EndRequest, PostedAnswer
from tables.setup.actions.enrol import enrol, invite
from tests.builders import a_card, a_person
from tests.hands import with_cards

pytestmark = pytest.mark.django_db
SUPERVISOR, EXECUTIVE, PIN = "600000000001", "900000000001", "274916"
HOUSE: Final = """
format = 1

[property]
code = "RULED"
name = "A ruled card room"
rule_book = "{book}"

[roles.boss]
name = "Boss"
may = ["see", "configure"]

[[people]]
username = "first"
name = "First Boss"
roles = ["boss"]

[[people]]
username = "second"
name = "Second Boss"
roles = ["boss"]

[[jackpots]]
code = "GRAND"
name = "Grand"
signed_by = ["first", "second"]
wager = "1.00"
seed = "10000.00"
rate = "70"
reserve_rate = "5"
limit = "20001.00"

[jackpots.take_over]
meter = "20000.00"
reserve = "617.25"
evidence = "photo 12"

[jackpots.pay_table]
code = "TWO"
lines = [
  {{ code = "royal_first_7", name = "Royal flush", part = "1" }},
  {{ code = "straight_flush", name = "Straight flush", part = "1/10" }},
]

[[tables]]
code = "T-1"
game = "uth"
seats = 7
wager = "1.00"
profile = "card"
jackpots = ["GRAND"]

[[devices]]
code = "T-1-C"
kind = "controller"
table = "T-1"
"""


def a_house(folder: Path, book: str, more: str = "") -> Property:
    path = folder / "ruled.toml"
    text = HOUSE.format(book=book).replace("\n[roles", f"{more}\n[roles", 1)
    path.write_text(text.split("[[jackpots]]")[0])
    load(read_casino(path), by="tests")
    house = Property.objects.get(code="RULED")
    path.write_text(text)
    if asked_by_house(house):
        with pytest.raises(CasinoRefused, match=r"GRAND does not open: .* no approval that counts on"):
            load(read_casino(path), by="tests")
        assert not Jackpot.objects.exists()
    for each in sorted(asked_by_house(house)):
        approve(house, each)
    load(read_casino(path), by="tests")
    house.refresh_from_db()
    return house


def approve(house: Property, thing: str) -> None:
    """Two people enter it, with its letter."""
    first, second = (Operator.objects.get(username=name) for name in ("first", "second"))
    name = {"jackpot": "GRAND", "pay_table": "TWO", "schedule": "001/3"}.get(thing, "uth")
    told = {"thing": thing, "name": name, "by": "Commission", "reference": "GL-7", "begins": "today"}
    kind = kind_of(APPROVAL)
    assert isinstance(kind, EnterApproval)
    row = kind.row_of(house, told, "before the opening")
    put_in(row=row, by=first)
    add_evidence(request=row, upload=checked_upload("letter.pdf", b"%PDF-1.7\nthe letter\n"), by=first)
    sign(request_id=row.pk, approver=SecondPerson(second))


def counted(round_number: int, seats: str) -> None:
    device = Device.objects.get(code="T-1-C")
    answers = post_messages([DeviceRequest("T-1", device.pk, round_number, CoinInRequest(round_number, seats))])
    assert isinstance(answers[0], PostedAnswer), answers


def asked(premises: Property) -> dict[str, Any]:
    return {row["what"]: row for row in rule_book_rows(question(premises)).rows if row["asked"]}


def question(premises: Property) -> ReportQuestion:
    now = timezone.now()
    day = premises.gaming_day(now)
    return ReportQuestion(premises.pk, DaySpan(day, day), now, now, day)


# What the two hits are paid in the order of their slips, and the meter after them.
PAID: Final = {
    "counter_clockwise": ([("straight_flush", "2000.10"), ("royal_first_7", "18000.90")], "10617.50"),
    "clockwise": ([("royal_first_7", "20001.00"), ("straight_flush", "1061.75")], "9555.75"),
}
OVERFLOW: Final = {"next_meter": "2.50", "revenue": "0.00"}


@pytest.mark.parametrize("code", sorted(rule_books().books))
def test_the_same_evening_under_every_rule_book(tmp_path: Path, code: str) -> None:
    """Three chips reach the limit; a royal at 2 and a straight flush at 6 are marked in one round."""
    premises, book = a_house(tmp_path, code), rule_books().books[code]
    policy = Jackpot.objects.get().version.value.policy  # type: ignore[union-attr]
    assert book.values("policy").items() <= policy.switches().items(), "an opening follows the rule book"
    assert not [row for row in asked(premises).values() if row["verdict"] == OTHERWISE and row["what"] in SWITCHED]
    waits = premises.checklist_opens or asked_by_house(premises)
    begins = TableState.CLOSED if waits else TableState.OPEN
    assert Table.objects.get().state == begins
    Table.objects.update(state=TableState.OPEN)
    enrol(code=invite(device=Device.objects.get(), by="tests"))
    a_card(a_person("supervisor", premises=premises), number=SUPERVISOR, level="supervisor", pin=PIN)
    a_card(a_person("executive", premises=premises), number=EXECUTIVE, level="executive", pin=PIN)
    counted(1, "135")
    post_messages([DeviceRequest("T-1", Device.objects.get().pk, 2, EndRequest(1))])
    counted(2, "26")
    place: dict[str, Any] = {"table_code": "T-1", "round_number": 2}
    hit.mark(**place, seat=2, hand="royal_first_7", by="Test Dealer")
    hit.mark(**place, seat=6, hand="straight_flush", by="Test Dealer")
    hit.confirm(**place, by="Test Supervisor")
    with_cards(**place)
    if Money.of(premises.first_authority["executive_threshold"]) > Money.of("21000"):
        hit.swipe(**place, card=SUPERVISOR, pin=PIN)
    else:
        with pytest.raises(Refused, match="executive"):
            hit.swipe(**place, card=SUPERVISOR, pin=PIN)
        hit.swipe(**place, card=EXECUTIVE, pin=PIN)
    paid, meter = PAID[policy.order]
    wins = Win.objects.filter(slip__isnull=False).order_by("slip")
    assert [(win.line, str(win.amount_money)) for win in wins] == paid
    after = Jackpot.objects.get().balances
    stands = tuple(str(Money(each)) for each in (after.meter, after.overflow, after.reserve))
    assert stands == (meter, OVERFLOW[policy.overflow], "0.00")


SWITCHED: Final = frozenset({"What the limit cuts off", "Hits of one round are paid", "An amount freezes at"})


def test_what_a_file_names_goes_before_its_rule_book_and_is_said(tmp_path: Path) -> None:
    premises = a_house(tmp_path, "MD", 'executive_threshold = "2500.00"\nevidence_files = false\n')
    assert premises.first_authority["executive_threshold"] == "2500.00"
    rows = asked(premises)
    assert (rows["Executive threshold"]["asked"], rows["Executive threshold"]["stands"]) == ("50,000.00", "2,500.00")
    assert {what for what, row in rows.items() if row["verdict"] == OTHERWISE} == {
        "Executive threshold", "No signature without a file of evidence", "Notice of adjust", "Notice of transfer",
        "Notice of explanation",
    }  # fmt: skip
    assert rule_book_rows(question(premises)).note.endswith("This house decided otherwise in 5 of 13.")


def test_a_file_loaded_again_changes_nothing_and_an_unknown_rule_book_is_refused(tmp_path: Path) -> None:
    a_house(tmp_path, "WA")
    assert load(read_casino(tmp_path / "ruled.toml"), by="tests").changes == ()
    with pytest.raises(CasinoRefused, match=r"There is no rule book “XX”\. Known: NONE, CA, IA, MD") as refused:
        a_house(tmp_path, "XX")
    assert "line 7" in str(refused.value)


def test_a_rule_book_whose_file_is_gone_is_said_and_nothing_is_compared(tmp_path: Path) -> None:
    premises = a_house(tmp_path, "WA")
    Property.objects.update(rule_book="GONE")
    premises.refresh_from_db()
    told = rule_book_rows(question(premises))
    assert told.rows == []
    assert "GONE is not here any more" in told.note


def test_a_file_that_opens_a_jackpot_says_what_its_terms_ask_to_look_at(tmp_path: Path) -> None:
    path = tmp_path / "ruled.toml"
    path.write_text(HOUSE.format(book="NONE").replace('seed = "10000.00"', 'seed = "1.00"').replace('"5"', '"0"'))
    loaded = load(read_casino(path), by="tests")
    (finding,) = loaded.findings
    assert (finding["jackpot"], finding["weight"]) == ("GRAND", "advice")
    assert finding["why"].startswith("GRAND: There is no reserve: every new meter starts at the bare seed")
    assert load(read_casino(path), by="tests").findings == [], "it stands already"
