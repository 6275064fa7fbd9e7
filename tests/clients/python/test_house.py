"""The client against the running product, over real HTTP, with a token that an administrator gave."""

from __future__ import annotations

import threading
from datetime import date, timedelta
from decimal import Decimal
from queue import Queue

import pytest
from django.utils import timezone

from accounting.feed.actions.numbering import number_events
from accounting.programs.actions.tokens import revoke_token
from accounting.programs.rules.token import SCOPES
from config import long_poll
from fairmeter_client import House, NotAllowedHere, NotFoundHere, NotUnderstoodThere, TokenNotTaken
from jackpot.books.models.entry import Entry
from tests.builders import a_jackpot, a_person
from tests.jackpot.books.api_scene import a_played_casino
from tests.living import Live
from tests.patience import PATIENCE
from tests.ways_out import a_given_token


def test_a_program_reads_a_house(live: Live) -> None:
    a_played_casino()
    chief = a_person("chief", may=("see", "people"))
    wish = {
        "premises": chief.premises, "name": "Figures", "last_day": timezone.now().date() + timedelta(days=9),
        "reason": "reads the house", "by": chief,
    }  # fmt: skip
    given, blind = (a_given_token(scopes=scopes, **wish) for scopes in ([*SCOPES], ["see"]))
    house = House(live.url, given.written, tries=1)
    assert [each["code"] for each in house.jackpots()] == ["GRAND"]
    assert house.jackpot("GRAND")["counters"]["entries"] == Entry.objects.count()
    seqs = [each["seq"] for each in house.entries("GRAND", limit=2, order="seq")]
    assert seqs == list(range(1, Entry.objects.count() + 1)), "page after page, none missing"
    assert {each["kind"] for each in house.entries("GRAND", falls=True)} == {"void", "recount"}
    assert house.round("UTH-01", 1)["state"] == "void"
    assert [each["prefix"] for each in house.tokens()] == [blind.row.prefix, given.row.prefix]
    assert house.wins(from_day=date(2026, 1, 1), amount_min=Decimal("0.01")).totals() == {
        "count": 0, "amount": "0.00", "currency": None,
    }  # fmt: skip
    follows(house)
    with pytest.raises(NotUnderstoodThere, match="There is no filter “colour” here"):
        list(house.wins(colour="red"))  # type: ignore[call-arg]
    with pytest.raises(NotFoundHere):
        house.jackpot("NO/SUCH")
    with pytest.raises(NotAllowedHere, match="it needs “read_books”"):
        list(House(live.url, blind.written).entries("GRAND"))
    revoke_token(row=given.row, reason="done", by=chief)
    with pytest.raises(TokenNotTaken, match="opens nothing here"):
        house.jackpot("GRAND")


def follows(house: House) -> None:
    """What happens while it follows comes too, each once and in order."""
    number_events()
    before = list(house.follow(until_last=True))
    assert [each.number for each in before] == list(range(1, before[-1].number + 1))
    assert house.feed(after=before[-1].number).events == []
    asked_by_itself = []

    def happens(_: float) -> None:
        asked_by_itself.append(1)
        a_jackpot("LATER")
        number_events()

    news = next(house.follow(before[-1].number, wait=0, sleep=happens))
    assert (news.number, news.act, news.subject) == (before[-1].number + 1, "take_over", "LATER")
    assert asked_by_itself == [1], "who does not let the house wait asks again later"


def test_news_comes_to_a_follower_whose_question_the_house_keeps(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    a_played_casino()
    number_events()
    chief = a_person("chief", may=("see", "people"))
    given = a_given_token(
        scopes=[*SCOPES], premises=chief.premises, name="Follower", by=chief, reason="follows the house",
        last_day=timezone.now().date() + timedelta(days=9),
    )  # fmt: skip
    house, kept = House(live.url, given.written, tries=1), threading.Event()
    heads = long_poll._heads

    def looks_for_whoever_waits() -> dict[int, int]:
        kept.set()
        return heads()

    monkeypatch.setattr(long_poll, "_heads", looks_for_whoever_waits)
    last = [each.number for each in house.follow(until_last=True)][-1]
    assert not kept.is_set(), "who reads to the end does not wait for more"
    slept: list[float] = []
    news: Queue[str] = Queue()
    follower = threading.Thread(
        target=lambda: news.put(next(house.follow(last, sleep=slept.append)).subject), daemon=True
    )
    follower.start()
    assert kept.wait(PATIENCE), "the house keeps the question"
    a_jackpot("LATER")
    number_events()
    assert news.get(timeout=PATIENCE) == "LATER"
    assert slept == [], "nobody slept while something happened"
