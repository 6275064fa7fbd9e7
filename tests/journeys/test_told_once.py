"""How often an act's control enters another file of ours: whoever reads the act follows it just as often."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any, Final

import pytest

from accounting.paper.printing.press import print_page
from accounting.paper.rules.copies import Form
from jackpot.adjusting.actions.asking import AdjustmentWish, ask
from jackpot.adjusting.rules.adjusting import Adjusting
from jackpot.money import Money
from jackpot.people.models import Card
from jackpot.signing.actions import SecondPerson, sign
from jackpot.wins.actions.pay import redeem
from jackpot.wins.models import Win
from tables.hits.actions import hit
from tables.rounds.actions.round import post_messages
from tables.rounds.rules.round import CoinInRequest, DeviceRequest
from tests.builders import a_pay_table, a_person
from tests.hands import with_cards
from tests.scenes_configure import drafted, two_people
from tests.scenes_wins import EXECUTIVE, PIN, WinFloor

pytestmark = pytest.mark.django_db
ROYAL: Final = "royal_first_5"

HOUSE: Final = Path(__file__).resolve().parents[2]
WIRE: Final = ("jackpot", "database", "engine")  # Django's backend, entered from Django: no reader of an act goes there
ROOMS: Final = ("jackpot", "tables", "accounting", "config", "launcher")

# The most own files, and the most changes of file, that an act may take: where each stands. Eight files of each are the
# books'. A payment also looks at dismissal, tax, lapse and dispute, seals its record and writes its line of the trail:
# ten files, each of a fact that other acts ask for too (docs/decisions/0115-an-act-enters-the-files-of-its-facts.md).
BOUNDS: Final = {
    "coin-in": (12, 45),  # one file tells the wagers of a table, one how entries are written
    "approve": (25, 120),  # six are the proof of presence, what the house asks for, the wagers of the table
    "redeem": (23, 62),  # the tax and its record, who stands by, the win held against its entries
    "back-out": (34, 135),  # the second signature: the frame of two people, the contra, what later winners are owed
    "other terms": (34, 112),  # the second signature: what the floor and the approvals say, under their locks
    "win page": (41, 268),  # more than half are amounts that a record tells as text
}


@dataclass
class Walk:
    """Where control went: how often it entered a file of ours, and from which other file of ours it came."""

    files: Counter[str] = field(default_factory=Counter)
    entered: Counter[tuple[str, str]] = field(default_factory=Counter)

    @property
    def calls(self) -> int:
        return self.files.total()

    @property
    def changes(self) -> int:
        return self.entered.total()

    def __call__(self, frame: FrameType, event: str, _: Any) -> None:
        file = own_file(frame) if event == "call" else None
        if file is None:
            return
        self.files[file] += 1
        came_from = caller_of(frame)
        if came_from != file:
            self.entered[came_from, file] += 1


def caller_of(frame: FrameType) -> str:
    """The file of ours that control came from, through whatever library; nothing where the act begins."""
    above = frame.f_back
    while above is not None:
        file = own_file(above)
        if file is not None:
            return file
        above = above.f_back
    return ""


def own_file(frame: FrameType) -> str | None:
    """The frame's file where it is the product's, as a path from the house's root."""
    name = frame.f_code.co_filename
    if not Path(name).is_relative_to(HOUSE):
        return None
    path = Path(name).relative_to(HOUSE)
    return str(path) if path.parts[0] in ROOMS and path.parts[:3] != WIRE else None


def walked(act: Callable[[], object]) -> Walk:
    walk = Walk()
    before = sys.getprofile()
    sys.setprofile(walk)
    try:
        act()
    finally:
        sys.setprofile(before)
    return walk


def a_round_of_three_acts() -> dict[str, Walk]:
    """A royal whose cards are judged, from coin-in to payment; after another one, so that nothing is new."""
    floor = WinFloor(pay_table=a_pay_table())
    code, device = floor.casino.table.code, floor.casino.controller.id
    payer = a_person("cashier", may=("pay",), premises=floor.casino.premises)
    floor.won({2: ROYAL})
    redeem(slip=1, payer=payer)
    place: dict[str, Any] = {"table_code": code, "round_number": 2}
    figures = {"coin-in": walked(partial(post_messages, [DeviceRequest(code, device, 1, CoinInRequest(2, "12"))]))}
    hit.mark(**place, seat=2, hand=ROYAL, by="Test Dealer")
    hit.confirm(**place, by="Test Supervisor")
    with_cards(**place)
    figures["approve"] = walked(partial(hit.swipe, **place, card=EXECUTIVE, pin=PIN))
    assert Win.objects.get(slip=2).cards_checked, "an approval judges the cards"
    figures["redeem"] = walked(partial(redeem, slip=2, payer=payer))
    assert Win.objects.get(slip=2).state == "paid"
    return figures


def two_signatures_and_a_page() -> dict[str, Walk]:
    """What else a newcomer walks: a win page printed, its win backed out, other terms signed; each for a second time
    where the first one imports what it needs."""
    floor = WinFloor(pay_table=a_pay_table())
    first, second = floor.won({2: ROYAL})[0], floor.won({2: ROYAL})[0]
    cage = a_person("cage", premises=floor.casino.premises)
    print_page(win=first, form=Form.LETTER, by=cage)
    figures = {"win page": walked(partial(print_page, win=second, form=Form.LETTER, by=cage))}
    asker, signer = two_people(floor.casino.premises)
    wish = AdjustmentWish(Adjusting.BACK_OUT, second.jackpot, "other", "misdeal", "camera 7", win=second)
    asked = ask(wish=wish, by=asker)
    by_card = SecondPerson(Card.objects.get(level=Card.Level.EXECUTIVE).operator)
    figures["back-out"] = walked(partial(sign, request_id=asked.pk, approver=by_card, seen=True))
    change = drafted(floor.casino.jackpot, rate="60")
    figures["other terms"] = walked(partial(sign, request_id=change.pk, approver=SecondPerson(signer)))
    assert Win.objects.get(pk=second.pk).state == "backed_out"
    assert change.kind == "terms"
    return figures


@pytest.mark.parametrize("walk_through", [a_round_of_three_acts, two_signatures_and_a_page])
def test_an_act_is_told_in_few_files(
    walk_through: Callable[[], dict[str, Walk]], capsys: pytest.CaptureFixture[str]
) -> None:
    figures = walk_through()
    with capsys.disabled():
        sys.stdout.write("\n")
        for name, walk in figures.items():
            told = f"{len(walk.files)} files, {walk.changes} changes of file, {walk.calls} calls"
            sys.stdout.write(f"{name}: {told} (at most {' and '.join(map(str, BOUNDS[name]))})\n")
    for name, walk in figures.items():
        most_files, most_changes = BOUNDS[name]
        assert len(walk.files) <= most_files, f"{name} enters {len(walk.files)} files: {walk.entered.most_common()}"
        assert walk.changes <= most_changes, f"{name} changes file {walk.changes} times: {walk.entered.most_common()}"


def test_a_file_that_an_act_does_not_need_is_counted() -> None:
    walk = walked(lambda: Money.of("1.00") + Money.of("2.00"))
    assert (set(walk.files), walk.changes) == ({"jackpot/money.py"}, 3)
