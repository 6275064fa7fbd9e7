"""The rule card of a table, printed from the versions that are in force."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from accounting.paper.printing.facts import lines_of
from accounting.paper.printing.typeset import rule_card_document
from accounting.paper.rules.copies import Form
from accounting.paper.rules.rule_card import pay_row, sentences
from jackpot.books.models.jackpot import Jackpot
from jackpot.money import Money
from jackpot.property.models.property import Property
from jackpot.web.templatetags.figures import day, money
from tables.floor.models.table import Bank, Table
from tables.floor.queries.offers import pays_posted, posted_at
from tables.games.registry import find_games

BANKED: Final = (
    "A player banks: the house has no interest in the wagers. The player-dealer wins and loses no more than its wager; "
    "what that does not cover is returned. The button goes clockwise, for two hands in a row at most."
)


def rule_card(table: Table, form: Form, now: datetime) -> bytes:
    """A PDF; the same terms on the same gaming day give the same bytes."""
    return rule_card_document(facts_of(table, now), form)


def facts_of(table: Table, now: datetime) -> dict[str, Any]:
    """All that stands on the card, as text."""
    house = table.premises
    game = find_games().get(table.game)
    jackpots = Jackpot.objects.filter(links__table=table).order_by("links__level").select_related("version")
    printed_on = house.gaming_day(now)
    return {
        "title": f"Rule card of {table.code}",
        "property": {
            "name": house.name,
            "address": lines_of(house.address),
        },
        "table": table.code,
        "game": game.title if game else table.game,
        "games": []
        if game is None
        else [
            {"name": each.name, "code": each.code, "pays": " · ".join(f"{name} {pays}" for name, pays in rows)}
            for each, rows in pays_posted(table, game)
        ],
        "posted": " ".join(posted_at(table)),
        "bank": BANKED if table.bank == Bank.PLAYER_DEALER else "",
        "jackpots": [
            _jackpot(jackpot, house, game.hand_words if game else {})
            for jackpot in jackpots
            if jackpot.version is not None
        ],
        "printed": day(printed_on),
        "at": int(datetime.combine(printed_on, datetime.min.time(), house.zone).timestamp()),
    }


def _jackpot(jackpot: Jackpot, house: Property, hand_words: Mapping[str, str]) -> dict[str, Any]:
    version = jackpot.version
    assert version is not None, "a jackpot that is fed has its version"
    terms = version.value

    def spoken(amount: Money) -> str:
        return money(amount, house)

    return {
        "name": jackpot.name,
        "code": jackpot.code,
        "rows": [list(pay_row(line, terms.wager, spoken)) for line in terms.pay_table],
        "table": terms.pay_table.code,
        "sentences": sentences(terms, spoken, hand_words),
        "version": str(version.number),
        "digest": version.digest,
    }
