"""A large act waits for whoever the table of amounts names: one word each, by the person who stands there."""

from __future__ import annotations

from typing import Any

import pytest

from jackpot.books.actions.post import lock
from jackpot.people.actions.people import block_card
from jackpot.people.models import Card, Operator
from jackpot.property.rules.witness import WitnessPart
from jackpot.refusals import Refused
from jackpot.trail.models import Trail
from jackpot.wins.actions.pay import redeem
from jackpot.wins.models import Signature, Win
from jackpot.wins.queries.witnesses import witnesses_of
from jackpot.witnesses.models import ActWitness
from tables.hits.actions import hit, witness
from tables.hits.actions.witness import WitnessProof, stand_by
from tables.rounds.actions.round import post_messages
from tables.rounds.rules.round import CoinInRequest, DeviceRequest
from tests.builders import CARD_PIN, a_card, a_person, a_property
from tests.hands import with_cards
from tests.scenes_wins import EXECUTIVE, PIN, SUPERVISOR, WinFloor

pytestmark = pytest.mark.django_db

OTHER, PASSWORD = "600000000007", "a long word of one's own"
SURVEILLANCE, SECOND, REGULATOR = WitnessPart.SURVEILLANCE, WitnessPart.SECOND_PERSON, WitnessPart.REGULATOR


def waiting(marker: Operator | str = "Test Dealer", **table: str) -> Win:
    """Slip 1 of 20,000.00, approved by an executive, in a house with this table."""
    floor = WinFloor()
    house = floor.casino.premises
    for part, amount in table.items():
        setattr(house, f"{part}_witness", amount)
    house.save()
    a_card(a_person("other"), number=OTHER)
    a_person("camera", may=("see", "camera"), password=PASSWORD)
    a_person("agent", may=("see", "attend"), password=PASSWORD)
    return floor.won({2: "royal"}, marker=marker)[0]


def who(name: str) -> Operator:
    return Operator.objects.get(username=name)


def by_password(win: Win, part: WitnessPart, name: str) -> ActWitness:
    return stand_by(win=win, part=part, proof=WitnessProof(password=PASSWORD), by=who(name))


def by_card(win: Win, part: WitnessPart, card: str = OTHER, pin: str = CARD_PIN, reference: str = "") -> ActWitness:
    return stand_by(win=win, part=part, proof=WitnessProof(card, pin, reference=reference), by=who("camera"))


def cage() -> Operator:
    return who("cage") if Operator.objects.filter(username="cage").exists() else a_person("cage", may=("pay",))


def refused(call: Any) -> str:
    with pytest.raises(Refused) as found:
        call()
    return found.value.why


def test_a_window_waits_and_names_everybody_who_is_missing() -> None:
    win = waiting(surveillance="19999.99", second_person="20000.00", regulator="20000.01", executive="5000.00")
    assert refused(lambda: redeem(slip=1, payer=cage())) == (
        "Slip 1 is not paid now: its act comes to 20,000.00, and a second person (from 20,000.00) and surveillance "
        "(from 19,999.99) have not stood by. Each notes it on the win's record."
    )
    by_password(win, SURVEILLANCE, "camera")
    assert "and a second person (from 20,000.00) has not stood by." in refused(lambda: redeem(slip=1, payer=cage()))
    by_card(win, SECOND)
    assert redeem(slip=1, payer=cage()).state == "paid"


def test_a_house_without_a_table_waits_for_nobody() -> None:
    win = waiting()
    assert witnesses_of(win).lines == ()
    assert "does not wait for surveillance. No sum here asks" in refused(
        lambda: by_password(win, SURVEILLANCE, "camera")
    )
    assert redeem(slip=1, payer=cage()).state == "paid"


def test_the_sum_is_that_of_the_act_so_every_slip_of_it_waits() -> None:
    floor = WinFloor()
    house = floor.casino.premises
    house.surveillance_witness = "20100.70"  # 100.00 and 20,000.70
    house.save()
    a_person("camera", may=("see", "camera"), password=PASSWORD)
    wins = floor.won({2: "royal", 5: "four"})
    assert all("comes to 20,100.70" in refused(lambda win=win: redeem(slip=win.slip, payer=cage())) for win in wins)
    by_password(wins[0], SURVEILLANCE, "camera")
    assert [redeem(slip=win.slip, payer=cage()).state for win in wins] == ["paid", "paid"]
    assert ActWitness.objects.count() == 1


def test_nobody_speaks_for_another_nor_twice() -> None:
    win = waiting(surveillance="1.00", second_person="1.00", regulator="1.00")
    assert "no role that speaks for surveillance" in refused(lambda: by_card(win, SURVEILLANCE))
    assert "Test Executive approved this win" in refused(lambda: by_card(win, SECOND, EXECUTIVE, PIN))
    assert "naming whom of theirs was told" in refused(lambda: by_card(win, REGULATOR))
    assert "whom of the regulator you told" in refused(lambda: by_card(win, REGULATOR, EXECUTIVE, PIN))
    assert "shows to be there" in refused(
        lambda: stand_by(win=win, part=SECOND, proof=WitnessProof(), by=who("camera"))
    )
    assert ActWitness.objects.count() == 0
    by_password(win, SURVEILLANCE, "camera")
    assert "For surveillance Test Camera stands by slip 1 already" in refused(lambda: by_card_of_camera(win))
    who("camera").roles.add(who("agent").roles.get())
    assert "Test Camera stands by this act already" in refused(lambda: by_password(win, REGULATOR, "camera"))


def by_card_of_camera(win: Win) -> ActWitness:
    a_person("late", may=("camera",), password=PASSWORD)
    return by_password(win, SURVEILLANCE, "late")


def test_the_regulators_word_is_their_own_or_an_executives_who_names_whom_was_told() -> None:
    win = waiting(regulator="1.00")
    row = by_card(win, REGULATOR, EXECUTIVE, PIN, reference="agent Miller, badge 117, called at 02:14")
    assert (row.operator_name, row.reference) == ("Test Executive", "agent Miller, badge 117, called at 02:14")
    assert redeem(slip=1, payer=cage()).state == "paid"
    line = Trail.objects.get(act="stand_by")
    assert (line.why, line.details["part"], line.details["slips"]) == (row.reference, "regulator", [1])


def test_a_card_that_was_blocked_in_that_instant_stands_by_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    win = waiting(second_person="1.00")

    def blocked_then(jackpots: list[int]) -> None:
        block_card(card=Card.objects.get(operator=who("other")), why="Lost.", by="tests")
        lock(jackpots)

    monkeypatch.setattr(witness, "lock", blocked_then)
    assert "lost authority a moment ago" in refused(lambda: by_card(win, SECOND))
    assert ActWitness.objects.count() == 0


def test_the_regulators_own_person_needs_no_reference() -> None:
    win = waiting(regulator="1.00")
    row = by_password(win, REGULATOR, "agent")
    assert (row.operator_name, row.reference) == ("Test Agent", "")
    assert redeem(slip=1, payer=cage()).state == "paid"


def test_whoever_stood_by_does_not_pay_unless_the_house_says_so() -> None:
    win = waiting(second_person="1.00")
    by_card(win, SECOND)
    assert "Test Other stood by this win and may not pay it" in refused(lambda: redeem(slip=1, payer=who("other")))
    house = win.jackpot.premises
    house.refresh_from_db()
    house.verifier_may_pay = True
    house.save()
    assert redeem(slip=1, payer=who("other")).state == "paid"


def test_a_paid_slip_has_no_more_witnesses_and_a_stranger_is_none() -> None:
    win = waiting(surveillance="1.00")
    a_person("stranger", may=("camera",), password=PASSWORD, premises=a_property("OTHER"))
    assert "There is no slip 1 in the house" in refused(lambda: by_password(win, SURVEILLANCE, "stranger"))
    by_password(win, SURVEILLANCE, "camera")
    redeem(slip=1, payer=cage())
    assert "nobody stands by it any more" in refused(lambda: by_password(win, SURVEILLANCE, "camera"))


def test_a_table_that_became_stricter_since_the_approval_holds_too() -> None:
    win = waiting()
    house = win.jackpot.premises
    house.refresh_from_db()
    house.surveillance_witness = "20000.00"
    house.save()
    assert "surveillance (from 20,000.00)" in refused(lambda: redeem(slip=1, payer=cage()))


def test_a_jackpot_or_row_with_a_threshold_of_its_own_takes_an_executive_for_a_small_sum() -> None:
    floor = WinFloor()
    house = floor.casino.premises
    place = {"table_code": floor.casino.table.code, "round_number": 1}
    post_messages([DeviceRequest(floor.casino.table.code, floor.casino.controller.id, 1, CoinInRequest(1, "5"))])
    hit.mark(**place, seat=5, hand="four", by="Test Dealer")
    for own, card in (({"GRAND": "100.00"}, "executive"), ({"GRAND/four": "99.99"}, "executive"), ({}, "supervisor")):
        house.own_executive = own
        house.save()
        assert hit.confirm(**place, by="Test Dealer")["card"] == card
    with_cards(**place)
    house.own_executive = {"GRAND/four": "100.00", "GRAND/royal": "1.00"}
    house.save()
    with pytest.raises(Refused, match="executive card"):
        hit.swipe(**place, card=SUPERVISOR, pin=CARD_PIN)
    house.own_executive = {"GRAND/four": "100.01", "GRAND/royal": "1.00"}
    house.save()
    assert hit.swipe(**place, card=SUPERVISOR, pin=CARD_PIN)["missing"] is None


def test_whoever_approved_is_not_its_surveillance_nor_its_regulator_as_well() -> None:
    win = waiting(surveillance="1.00", regulator="1.00")
    approver = Signature.objects.get(win=win, part=Signature.Part.APPROVE).operator
    approver.roles.add(who("camera").roles.get(), who("agent").roles.get())
    why = "Test Executive approved this win. A second, different person stands by."
    assert refused(lambda: by_card(win, SURVEILLANCE, EXECUTIVE, PIN)) == why
    assert refused(lambda: by_card(win, REGULATOR, EXECUTIVE, PIN, reference="myself")) == why
    assert ActWitness.objects.count() == 0


@pytest.mark.parametrize("part", [SURVEILLANCE, REGULATOR])
def test_whoever_marked_is_not_its_surveillance_nor_its_regulator(part: WitnessPart) -> None:
    marker = a_person("marker", may=("see", "deal", "camera", "attend"), password=PASSWORD)
    win = waiting(marker, surveillance="1.00", regulator="1.00")
    assert f"{marker} marked this hit" in refused(lambda: by_password(win, part, marker.username))
