"""Other authority asked for: the settings of the house, and the level of one card."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import timezone

from accounting.asking.pages.forms import AskForm, AskInput, AskPreview, Link, listed
from accounting.desk.pages.authority_shown import card_line, fields_of, longest_of
from jackpot.authority.actions import asking, level
from jackpot.authority.actions.requests import VERBS
from jackpot.authority.models import AuthorityChange
from jackpot.authority.rules.authority_preview import Found
from jackpot.people import queries as people_queries
from jackpot.people.models import Card
from jackpot.property.rules.authority_change import LEVELS, SETTINGS, Differs
from jackpot.refusals import NotUnderstood
from jackpot.requests.models import Request
from jackpot.signing.actions.kinds import ComparedValue
from jackpot.signing.rules import AskField, FieldGroup, FieldLook

READS: Final = ("read_books", *VERBS)
ABOVE: Final[Sequence[Link]] = [("config", "Configuration"), ("authority", "Authority")]


class AuthorityForm(AskForm):
    """Each setting goes its own way: a stricter one counts with the second signature, any other from the next day."""

    name = "Other settings of authority"
    does = "Who may approve what: thresholds, PINs, cards that are shown. Nothing changes by asking."
    asks, reads, below = VERBS, READS, ABOVE
    after: ClassVar[str] = (
        "A stricter setting counts with the second signature, any other from the gaming day after it."
    )

    def entries(self) -> Sequence[tuple[str, str, str]]:
        return [(reverse("authority-draft"), self.name, self.does)]

    def groups(self, asked: AskInput) -> Sequence[FieldGroup]:
        fields = fields_of(asked.house, asked.words)
        stand_by = [field for field in fields if field.name.endswith("_witness")]
        others = [field for field in fields if field not in stand_by]
        return [FieldGroup("Settings", others), FieldGroup("Table of amounts: who stands by", stand_by)]

    def preview(self, asked: AskInput) -> AskPreview:
        differing, found = asking.look_ahead(premises=asked.house, wished=_settings(asked))
        return _previewed(differing, found)

    def ask(self, asked: AskInput) -> Request:
        return asking.ask(premises=asked.house, wished=_settings(asked), reason=asked.word("reason"), by=asked.by)


class LevelForm(AskForm):
    """A raise is asked for, a lower level counts at once; the card stands in the address."""

    asks, reads, below = VERBS, READS, ABOVE
    press: ClassVar[str] = "Change the level"
    after: ClassVar[str] = "A higher level counts from the gaming day after the second signature, a lower one at once."

    def title(self, asked: AskInput) -> str:
        return f"Another level for {_card(asked).operator}"

    def lead(self, asked: AskInput) -> str:
        card = _card(asked)
        line = card_line(card, asked.house.gaming_day(timezone.now()))
        then = f", and {line.then} from {line.day:%d %b %Y}" if line.then and line.day else ""
        return f"Card •••• {card.last_four} is a {line.level} card{then}."

    def notes(self, asked: AskInput) -> Sequence[str]:
        own = _card(asked).operator_id == asked.by.pk
        return ["This card is your own: somebody else asks for a higher level."] if own else ()

    def groups(self, asked: AskInput) -> Sequence[FieldGroup]:
        line = card_line(_card(asked), asked.house.gaming_day(timezone.now()))
        options = [(word, word) for word in LEVELS.values()]
        value = asked.word("level", 20) or line.level
        field = AskField("level", "Level of the card", FieldLook.CHOICE, value, options, stands=line.level)
        return [FieldGroup("", [field])]

    def preview(self, asked: AskInput) -> AskPreview:
        card, wanted = _card(asked), asked.word("level", 20)
        known = {word: number for number, word in LEVELS.items()}
        if wanted and wanted not in known:
            raise NotUnderstood(f"“{wanted[:20]}” is no card level. Choose one of: {', '.join(known)}.", "level")
        stands = card.level_on(asked.house.gaming_day(timezone.now()))
        # The form opens with the level that stands; nothing is previewed until another one is chosen.
        if not wanted or known[wanted] == stands:
            return AskPreview()
        differs, found = level.look_ahead(card=card, level=known[wanted])
        return _previewed([differs], found)

    def ask(self, asked: AskInput) -> Request:
        return level.ask_level(
            card=_card(asked), level=asked.word("level", 20), reason=asked.word("reason"), by=asked.by
        )

    def page_of(self, row: Request) -> str:
        # A lower level needs no second person: there is no request to wait for, and the list of cards shows it at once.
        return reverse("authority") if row.alone else super().page_of(row)

    def success(self, row: Request) -> str:
        if not row.alone or not isinstance(row, AuthorityChange) or row.whose is None:
            return super().success(row)
        card = row.whose
        return f"Card •••• {card.last_four} of {card.operator} is a {LEVELS[card.level]} card from now on."


def _settings(asked: AskInput) -> dict[str, str]:
    # Only what the form sent: a setting that it did not show stays as it is.
    return {name: asked.word(name, longest_of(name) - 1) for name in SETTINGS if name in asked.words}


def _previewed(differing: Sequence[Differs], found: Sequence[Found]) -> AskPreview:
    compared = [ComparedValue(each.label, each.was, each.becomes) for each in differing]
    return AskPreview(compared, [each.plain() for each in found])


def _card(asked: AskInput) -> Card:
    rows = people_queries.cards(asked.by).filter(operator__premises=asked.house)
    return get_object_or_404(rows, id=int(asked.about["id"]))


AUTHORITY_FORM: Final = listed(AuthorityForm())
LEVEL_FORM: Final = LevelForm()
