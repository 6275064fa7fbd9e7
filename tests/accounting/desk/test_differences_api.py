"""V9b from end to end over the API: the back-out, two people's decision, the page, its payment, and the proof."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from jackpot.books.models.jackpot import Jackpot
from jackpot.proof.queries import prove
from jackpot.wins.models import Win
from tables.rounds.queries.prove_file import export
from tests.accounting.desk.test_adjustments_api import ALL, send
from tests.jackpot.books.api_scene import signed_in
from tests.scenes_owed import OwedFloor

pytestmark = pytest.mark.django_db

WHY = {"reason": "backed_out", "why": "slip 1 was no royal", "evidence": "camera 7, 02:14"}
VERIFIER = Path(__file__).parents[3] / "deploy" / "verify_books.py"


class Office:
    """Ann asks, Sam signs, the cage pays; every request under a key of its own."""

    def __init__(self, floor: OwedFloor) -> None:
        told = {"premises": floor.casino.premises, "password": "right"}
        self.ann = signed_in("see", "read_books", "adjust", username="ann", **told)
        self.sam = signed_in("see", "read_books", "sign_adjustments", username="sam", **told)
        self.cage = signed_in("see", "pay", username="cage", **told)
        self.keys = 0

    def send(self, client: Client, where: str, **words: Any) -> Any:
        self.keys += 1
        return send(client, where, f"key-{self.keys:08}", **words).json()

    def asks(self, **words: Any) -> Any:
        return self.send(self.ann, ALL, **{**WHY, **words})

    def approves(self, asked: Any, **words: Any) -> Any:
        return self.send(self.sam, f"{ALL}{asked['adjustment']['id']}/approve/", password="right", **words)

    def backs_out(self, win: Win) -> Any:
        asked = self.asks(kind="back_out", win=win.pk, reason="misdeal")
        return self.approves(asked, differences_seen=True)["adjustment"]


def test_v9b_from_the_back_out_to_the_cage() -> None:
    floor = OwedFloor()
    first, later = floor.v9b()
    office = Office(floor)
    cause = office.backs_out(first)
    assert cause["undecided"] == [later.pk]
    told = cause["posted"]["differences"][0]
    assert (told["basis_was"], told["basis"], told["part"], told["owed"]) == ("10687.25", "20070.00", "5 %", "469.14")
    asked = office.asks(kind="difference", cause=cause["id"], win=later.pk, pays=True)
    assert (asked["adjustment"]["amount"], asked["adjustment"]["slips"]) == ("469.14", [])
    decided = office.approves(asked)["adjustment"]
    assert (decided["state"], decided["slips"], decided["cause"]) == ("approved", [3], cause["id"])
    [page] = office.cage.get("/api/v1/wins/?slip=3").json()["results"]
    assert (page["amount"], page["state"], page["difference_of"], page["adjustment"]) == (
        "469.14", "owed", later.pk, decided["id"],
    )  # fmt: skip
    assert office.cage.get(f"/api/v1/wins/{page['id']}/page.pdf").content.startswith(b"%PDF")
    assert office.cage.get(f"/api/v1/wins/{page['id']}/receipt.png").content.startswith(b"\x89PNG")
    assert office.send(office.cage, f"/api/v1/wins/{page['id']}/pay/", method="cash")["ok"]
    again = office.send(office.cage, f"/api/v1/wins/{page['id']}/pay/", method="cash")
    assert (again["code"], "Do not pay it again" in again["why"]) == ("paid", True)
    jackpot = Jackpot.objects.get()
    assert [f"{amount:.2f}" for amount in (jackpot.meter, jackpot.winners, jackpot.paid)] == [
        "19066.50", "534.36", "469.14",
    ]  # fmt: skip
    assert prove().plain()["findings"] == []
    [entry] = office.ann.get("/api/v1/jackpots/GRAND/entries/?kind=difference").json()["results"]
    assert f"GRAND/{entry['seq']}" in decided["entries"]


def test_the_same_key_asks_once_and_the_amount_that_was_typed_does_not_count() -> None:
    floor = OwedFloor()
    first, later = floor.v9b()
    office = Office(floor)
    cause = office.backs_out(first)
    words = {**WHY, "kind": "difference", "cause": cause["id"], "win": later.pk, "pays": True, "amount": "9999.00"}
    one, two = (send(office.ann, ALL, "key-same-0001", **words).json() for _ in range(2))
    assert (one["repeat"], two["repeat"]) == (False, True)
    assert one["adjustment"]["id"] == two["adjustment"]["id"]
    assert two["adjustment"]["amount"] == "469.14"


def test_who_asked_cannot_sign_and_a_cause_of_another_house_is_not_there() -> None:
    floor = OwedFloor()
    first, later = floor.v9b()
    office = Office(floor)
    cause = office.backs_out(first)
    asked = office.asks(kind="difference", cause=cause["id"], win=later.pk, pays=True)
    both = signed_in("adjust", "sign_adjustments", username="both", premises=floor.casino.premises, password="right")
    refused = office.send(both, f"{ALL}{asked['adjustment']['id']}/approve/", password="wrong")
    assert not refused["ok"]
    assert office.asks(kind="difference", cause=cause["id"] + 77, win=later.pk)["code"] == "not_found"


@pytest.mark.parametrize("account", ["meter", "house"])
def test_a_stranger_verifies_the_books_with_the_difference_in_them(account: str, tmp_path: Path) -> None:
    floor = OwedFloor()
    first, later = floor.v9b()
    office = Office(floor)
    cause = office.backs_out(first)
    office.approves(office.asks(kind="difference", cause=cause["id"], win=later.pk, pays=True, account=account))
    lines = books_of_the_house()
    assert '"kind":"difference"' in lines.replace(" ", "")
    assert verified(tmp_path, lines).returncode == 0
    forged = lines.replace("469.14000000", "470.14000000")
    assert verified(tmp_path, forged).returncode != 0


def books_of_the_house() -> str:
    return "".join(json.dumps(line) + "\n" for line in export())


def verified(folder: Path, lines: str) -> subprocess.CompletedProcess[str]:
    """By the script that a stranger copies alone."""
    file = folder / "books.jsonl"
    file.write_text(lines)
    return subprocess.run([sys.executable, str(VERIFIER), str(file)], capture_output=True, text=True, check=False)
