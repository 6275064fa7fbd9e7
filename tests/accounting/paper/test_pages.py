"""Win pages as they come out: their words, their tags, their pictures, their bytes."""

from __future__ import annotations

import io
import json
import time
from collections.abc import Iterator
from datetime import date
from typing import Any

import numpy
import pypdf
import pypdfium2
import pytest
from django.test import override_settings

from accounting.paper.printing import typeset
from accounting.paper.printing.facts import facts_of
from accounting.paper.printing.press import file_copy, preview
from accounting.paper.rules.copies import FILE_COPY, CopyKind, CopyStamp, Form
from jackpot.configuring.actions.house_rules import declare_shifts, declare_tax
from jackpot.money import Money
from jackpot.people.actions.keys import sign_key_out
from jackpot.people.models import Card
from jackpot.property.rules.shift import ShiftHours, ShiftPlan
from jackpot.property.rules.tax import TaxRule
from jackpot.wins.actions.pay import redeem
from jackpot.wins.models import Win
from tables.gateway.actions.device import badge_in_or_out
from tables.hits.actions import hit, key
from tables.hits.actions.surveillance import tick_off
from tables.rounds.actions.round import post_messages
from tables.rounds.models.round import Round
from tables.rounds.rules.round import CoinInRequest, DeviceRequest
from tests.builders import AT_BOX, a_card, a_pay_table, a_person, a_property
from tests.hands import with_cards
from tests.scenes_wins import WinFloor, backed_out

pytestmark = pytest.mark.django_db
ORIGINAL = CopyStamp(CopyKind.ORIGINAL, 0, "", "Test Cage", None)
INJECTION = '#panic("x") *bold* $x^2$ \\u{41} <b>&amp; "quoted" = Heading'


def words(pdf: bytes) -> str:
    return " ".join(pypdf.PdfReader(io.BytesIO(pdf)).pages[0].extract_text().split())


def values(facts: Any) -> Iterator[str]:
    """Every text that the page must carry."""
    for group in facts["groups"]:
        yield from (text for row in group["rows"] for text in row)
    yield from (text for person in facts["people"] for text in (person["role"], person["name"], person["card"]))
    yield from (facts["property"]["name"], facts["slip"], facts["amount"], facts["words"], facts["seal"], facts["hand"])


def told(win: Win, mark: CopyStamp = ORIGINAL) -> dict[str, str]:
    return {label: value for group in facts_of(win, mark).plain()["groups"] for label, value in group["rows"]}


def dots(pdf: bytes) -> numpy.ndarray:
    document = pypdfium2.PdfDocument(pdf)
    page = document[0]
    bitmap = page.render(scale=1.5, grayscale=True)
    made = bitmap.to_numpy().reshape(bitmap.height, -1).copy()
    for each in (bitmap, page, document):
        each.close()
    return made


@pytest.mark.parametrize("form", list(Form))
def test_every_form_carries_every_fact(form: Form) -> None:
    for win in WinFloor().won({2: "royal", 5: "five", 6: "four"}):
        facts = facts_of(win, ORIGINAL).plain()
        printed = words(typeset.document(facts, form)).replace(" ", "")
        assert [value for value in values(facts) if value.replace(" ", "") not in printed] == []


def test_the_words_say_how_the_award_was_computed() -> None:
    four, five, royal = WinFloor().won({2: "royal", 5: "five", 6: "four"})
    assert told(royal) | {
        "Basis": "$19,001.33, the meter cut to the cent",
        "Pays": "100 % of the meter",
        "Wager": "$1.00, not returned",
        "Paid from": "the meter",
        "Order": "3 of 3 in this round, from the dealer’s right, counter-clockwise",
        "Frozen": "at the mark, entry 3 of GRAND",
        "Meter before": "19,001.33",
        "Taken for this award": "−19,001.33",
        "Seed from the house": "10,000.00",
        "From the reserve": "617.35",
        "Meter after": "10,617.35",
        "Reserve after": "0.00",
        "Coin-in": "3 seats, entry 2 of GRAND",
        "Seat": "2",
    } == told(royal)
    assert told(five)["Basis"] == "$20,001.40, the meter cut to the cent"
    assert (told(four)["Pays"], told(four)["Paid from"]) == ("100 for 1: $1.00 × 100", "the tray (house)")
    assert told(four)["Taken for this award"] == "0.00"


def test_several_awards_of_one_act_name_each_other_and_their_sum() -> None:
    four, _, royal = WinFloor().won({2: "royal", 5: "five", 6: "four"})
    assert told(royal)["Together with"] == "slip 1 seat 6, slip 2 seat 5; $20,101.40 in all"
    assert told(four)["Together with"] == "slip 2 seat 5, slip 3 seat 2; $20,101.40 in all"


def test_an_award_that_came_alone_names_no_other() -> None:
    assert "Together with" not in told(WinFloor().royal())


def test_the_reserve_that_moved_stands_between_before_and_after() -> None:
    royal = WinFloor().royal()
    assert told(royal) | {"Reserve before": "617.25", "Reserve moved": "−617.25", "Reserve after": "0.00"} == told(
        royal
    )


def test_shift_day_and_the_zone_of_every_time_stand_on_the_page() -> None:
    premises = a_property(time_zone="America/Los_Angeles")
    plan = ShiftPlan(date(2020, 1, 1), (ShiftHours("Only", 0),))
    declare_shifts(premises=premises, plan=plan, by="tests")
    page = told(WinFloor().royal())
    assert page["Shift"] == "Only"
    assert all(page[step].endswith(("PST", "PDT")) for step in ("Marked", "Asked for", "Approved", "Meter moved"))


def test_the_tax_box_prints_the_rule_it_used_and_what_it_makes_of_the_win() -> None:
    rule = TaxRule(date(2020, 1, 1), Money.of("600"), 300, Money.of("5000"), 240_000)
    declare_tax(premises=a_property(), rule=rule, by="tests")
    four, _, royal = WinFloor().won({2: "royal", 5: "five", 6: "four"})
    box = facts_of(royal, ORIGINAL).plain()["tax"]
    assert box["rule"] == (
        "Rule from Wed 1 Jan 2020: reported from $600.00 and 300 × the wager up, the wager taken off; "
        "24 % withheld above $5,000.00."
    )
    assert box["rows"] == [
        ("Taxable", "$19,000.33"), ("Report", "required"), ("Withheld", "$4,560.07"), ("To the player", "$14,441.26"),
    ]  # fmt: skip
    assert facts_of(four, ORIGINAL).plain()["tax"]["rows"] == [("Taxable", "$99.00"), ("Report", "not required")]
    assert "Identification seen" in words(file_copy(royal, Form.LETTER))
    assert "Identification seen" not in words(file_copy(four, Form.LETTER))


def test_without_a_tax_rule_the_page_says_so_and_leaves_room() -> None:
    printed = words(file_copy(WinFloor().royal(), Form.LETTER))
    assert "No tax rule of this house is on file for this gaming day." in printed
    assert "Identification seen" in printed


def test_what_surveillance_ticked_off_stands_on_the_page() -> None:
    a_property(surveillance=("camera_time", "seat"))
    win = WinFloor().royal()
    assert told(win)["Surveillance"] == "nothing ticked off yet"
    eyes = a_person("eyes", may=("camera",))
    round_ = Round.objects.get(table__code="UTH-01", number=1)
    tick_off(round_=round_, item="camera_time", note="camera 7, 02:14:09", operator=eyes)
    tick_off(round_=round_, item="seat", note="", operator=eyes)
    assert told(win)["Surveillance"] == ("camera time camera 7, 02:14:09 (Test Eyes); seat in the picture (Test Eyes)")


@pytest.mark.parametrize("form", [Form.LETTER, Form.A4])
def test_the_longest_names_and_a_currency_of_three_digits_stay_on_one_page(form: Form) -> None:
    line = {"code": "royal", "name": "Royal flush " * 6, "part": "1", "envy": "1000.00"}
    a_property(name="Card Room " * 9, address="12 River Road, Building B, Floor 3\n" * 9, currency="KWD")
    floor = WinFloor(pay_table=a_pay_table(lines=[line]), meter="999999999.123")
    for win in floor.won({3: "royal"}, seats="1234567"):
        pdf = file_copy(win, form)
        assert len(pypdf.PdfReader(io.BytesIO(pdf)).pages) == 1
        assert preview(win, form).startswith(b"\x89PNG")
        amount = str(facts_of(win, ORIGINAL).plain()["amount"])
        assert amount.replace("\xa0", "") in words(pdf).replace(" ", "").replace("\xa0", "")


def test_an_envied_seat_has_a_page_signed_by_who_approved_the_hit() -> None:
    royal = {"code": "royal", "name": "Royal flush", "part": "1", "envy": "1000.00"}
    hit_page, envied = WinFloor(pay_table=a_pay_table(lines=[royal])).won({3: "royal"}, seats="35")
    assert (envied.seat, str(envied.amount_money)) == (5, "1000.00")
    assert told(envied)["Pays"] == "a fixed sum to every other seat with coin-in (envy)"
    for win in (hit_page, envied):
        assert "Executive Test Executive •••• 0001" in words(file_copy(win, Form.LETTER))


def test_a_shortfall_is_explained() -> None:
    lines = [{"code": "royal", "name": "Royal flush", "part": "1"}, {"code": "big", "name": "Big", "for_one": 30_000}]
    short = WinFloor(pay_table=a_pay_table(lines=lines, source="meter")).won({1: "big"})[0]
    assert told(short)["Shortfall"] == "$617.25 from the reserve and $9,382.75 from the house"


def test_a_top_award_that_was_hit_twice_says_that_it_is_shared() -> None:
    first, second = WinFloor(policy={"order": "equal_shares"}).won({1: "royal", 2: "royal"})
    assert (told(first)["Pays"], str(first.amount_money)) == ("100 % of the meter, in equal shares", "10000.35")
    assert told(second)["Order"] == "2 of 2 in this round, a top award hit several times is shared equally"


def test_a_void_page_has_its_two_names_and_nothing_to_sign_for_the_player() -> None:
    win = backed_out(WinFloor().royal())
    facts = facts_of(win, CopyStamp(CopyKind.VOID, 1, "", "Test Cage", None)).plain()
    printed = words(typeset.document(facts, Form.LETTER))
    assert "VOID – NOT FOR PAYMENT" in printed
    assert "Backed out by Test First and Test Other: misdeal seen on camera" in printed
    assert "Player" not in [person["role"] for person in facts["people"]]


def test_a_paid_page_says_by_whom_and_how() -> None:
    win = WinFloor().royal()
    redeem(slip=1, payer=a_person("cage"), method="cheque", cheque="000123")
    win.refresh_from_db()
    printed = words(file_copy(win, Form.LETTER))
    assert "Cheque number 000123" in printed
    assert "Paid by Test Cage" in printed


def test_a_page_printed_before_the_key_is_turned_to_run_says_so() -> None:
    floor = WinFloor()
    floor.casino.table.profile = "key"
    floor.casino.table.save()
    sign_key_out(
        premises=floor.casino.premises, number="17", operator=a_person("holder"), by="tests", level=Card.Level.EXECUTIVE
    )
    post_messages([DeviceRequest("UTH-01", floor.casino.controller.id, 1, CoinInRequest(1, "1"))])
    hit.mark(table_code="UTH-01", round_number=1, seat=1, hand="five", by="Test Dealer")
    key.turn(table_code="UTH-01", key_number="17", position="JPH")
    with_cards("UTH-01", 1)
    key.j_pot(table_code="UTH-01")
    win = Win.objects.get(slip=1)
    assert told(win)["Meter"] == "moves when the key is turned to RUN"
    assert "by key" in words(file_copy(win, Form.LETTER))


def test_words_of_a_name_are_printed_literally_whatever_they_look_like() -> None:
    a_property(name=INJECTION[:100], address=INJECTION)
    facts = facts_of(WinFloor().royal(), ORIGINAL).plain()
    printed = words(typeset.document(facts, Form.LETTER)).replace(" ", "")
    assert INJECTION.replace(" ", "") in printed


def test_a_name_in_letters_that_our_fonts_do_not_have_still_prints() -> None:
    a_property(name="翠 Card Room")
    assert file_copy(WinFloor().royal(), Form.A4).startswith(b"%PDF")


@pytest.mark.parametrize("form", list(Form))
def test_the_same_facts_give_the_same_bytes_and_others_do_not(form: Form) -> None:
    facts = facts_of(WinFloor().royal(), ORIGINAL).plain()
    first = typeset.page_bytes(facts, form)
    typeset.page_bytes({**facts, "slip": "99"}, form)
    typeset._compiler.cache_clear()
    assert typeset.page_bytes(json.loads(json.dumps(facts)), form) == first
    assert typeset.page_bytes({**facts, "amount": "$20,000.01"}, form) != first


@pytest.mark.parametrize(("form", "size"), [(Form.LETTER, (612, 792)), (Form.A4, (595, 842)), (Form.RECEIPT, (204, 0))])
def test_a_page_is_one_tagged_page_of_its_size(form: Form, size: tuple[int, int]) -> None:
    pdf = pypdf.PdfReader(io.BytesIO(file_copy(WinFloor().royal(), form)))
    root = pdf.trailer["/Root"]
    kinds = set(kinds_of(root["/StructTreeRoot"]))
    assert root["/MarkInfo"]["/Marked"]
    assert root["/Lang"] == "en"
    assert {"/H1", "/H2", "/Table", "/TR", "/TD", "/Figure"} <= kinds
    assert b"pdfuaid:part" in root["/Metadata"].get_data()
    assert len(pdf.pages) == 1
    assert int(pdf.pages[0].mediabox.width + 0.5) == size[0]
    assert not size[1] or int(pdf.pages[0].mediabox.height + 0.5) == size[1]


def kinds_of(node: Any) -> Iterator[str]:
    """The kinds of all elements of the structure tree."""
    node = node.get_object() if hasattr(node, "get_object") else node
    if isinstance(node, list):
        for each in node:
            yield from kinds_of(each)
    elif isinstance(node, dict):
        if "/S" in node:
            yield str(node["/S"])
        yield from kinds_of(node.get("/K", []))


def test_the_word_behind_the_text_hides_no_figure() -> None:
    win = WinFloor().royal()
    original = dots(typeset.document(facts_of(win, ORIGINAL).plain(), Form.LETTER))
    copy = dots(file_copy(win, Form.LETTER))
    half = len(original) // 4
    assert (copy[half:][original[half:] < 90] < 130).all()
    assert ((copy > 200) & (copy < 235) & (original > 250)).sum() > 5_000


def test_the_qr_holds_the_address_of_this_house_and_slip() -> None:
    win = WinFloor().royal()
    with override_settings(PUBLIC_URL="https://meter.example"):
        facts = facts_of(win, FILE_COPY).plain()
    assert facts["address"].startswith("https://meter.example/verify/1/")
    assert len(facts["address"].rsplit("/", 1)[1]) == 32


def test_a_page_takes_a_few_hundredths_of_a_second() -> None:
    win = WinFloor().royal()
    facts = facts_of(win, ORIGINAL).plain()
    for form in Form:
        typeset.page_bytes(facts, form)
        began = time.process_time()
        for number in range(5):
            typeset.page_bytes({**facts, "slip": str(number)}, form)
        assert (time.process_time() - began) / 5 < 0.1, "measured 12 ms for a page, 31 ms for a receipt"


def test_a_preview_is_a_picture() -> None:
    assert preview(WinFloor().royal(), Form.RECEIPT).startswith(b"\x89PNG")


def test_the_dealer_stands_on_the_page_with_the_badge_that_was_read() -> None:
    floor = WinFloor()
    a_card(a_person("dealer", premises=floor.casino.premises), number="300000000111", level="dealer")
    badge_in_or_out(table_code="UTH-01", badge="300000000111", comes=True, device_code="UTH-01-C", source=AT_BOX)
    before = facts_of(floor.royal(), ORIGINAL).plain()["people"][0]
    assert (before["role"], before["name"], before["card"]) == ("Dealer", "Test Dealer", "•••• 0111")
    badge_in_or_out(table_code="UTH-01", badge="300000000111", comes=False, device_code="UTH-01-C", source=AT_BOX)
    assert facts_of(Win.objects.get(), ORIGINAL).plain()["people"][0] == before


def test_a_dealer_who_did_not_badge_in_stands_there_without_a_card() -> None:
    first = facts_of(WinFloor().royal(), ORIGINAL).plain()["people"][0]
    assert (first["role"], first["name"], first["card"]) == ("Dealer", "Test Dealer", "")
