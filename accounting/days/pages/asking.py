"""What the close asks two people for: a difference explained, a closed day opened again."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import ClassVar, Final

from django.urls import reverse

from accounting.asking.pages.forms import AskForm, AskInput, AskPreview, Link
from accounting.days.actions import explaining
from accounting.days.actions.explaining import ExplanationWish, differing_line, in_words
from accounting.days.actions.reopening import ask_to_reopen, day_of, reopening_compared
from accounting.days.models import Explanation
from jackpot.reading import read_day
from jackpot.refusals import NotUnderstood
from jackpot.requests.models import Request
from jackpot.signing.actions.kinds import ComparedValue
from jackpot.signing.rules import AskField, FieldGroup, FieldLook
from jackpot.web.templatetags.figures import day as day_words
from jackpot.web.templatetags.figures import moved

CLOSES: Final = ("close_day",)
READS: Final = ("read_books", *CLOSES)


class DayForm(AskForm):
    """What is asked for about one gaming day; the address names it."""

    asks, reads = CLOSES, READS

    def crumbs(self, asked: AskInput) -> Sequence[Link]:
        return [(reverse("days"), "Gaming days"), (_page(asked), day_words(_day(asked)))]


class ExplainForm(DayForm):
    """One line that differs. Its amount is computed, never typed."""

    does = "What the difference comes from, and what proves it. Another person signs it."
    needs_words: ClassVar[bool] = True
    after: ClassVar[str] = "It explains exactly these figures: where the line changes, it is explained anew."

    def title(self, asked: AskInput) -> str:
        column, _, line = asked.word("subject", 80).partition("/")
        return f"Explain {line} ({column})" if line else "Explain a difference"

    def groups(self, asked: AskInput) -> Sequence[FieldGroup]:
        fields = [
            AskField("subject", look=FieldLook.CARRIED, value=asked.word("subject", 80)),
            AskField("cause", "Cause", FieldLook.CHOICE, asked.word("cause", 10), Explanation.Cause.choices),
        ]
        return [FieldGroup("", fields)]

    def preview(self, asked: AskInput) -> AskPreview:
        line = differing_line(asked.house, _day(asked), asked.word("subject", 80))
        differs = f"differs by {moved(line.variance, asked.house)}" if line.variance else in_words(line.seen)
        cause = dict(Explanation.Cause.choices).get(asked.word("cause", 10), "explained")
        return AskPreview([ComparedValue(line.name, differs, str(cause))])

    def ask(self, asked: AskInput) -> Request:
        cause = asked.word("cause", 10)
        if cause not in Explanation.Cause.values:
            raise NotUnderstood("Choose the cause of the difference.", "cause")
        wish = ExplanationWish(
            asked.word("subject", 80), Explanation.Cause(cause), asked.word("reason"), asked.word("evidence"),
            file=asked.file,
        )  # fmt: skip
        return explaining.explain(premises=asked.house, day=_day(asked), wish=wish, by=asked.by)

    def page_of(self, row: Request) -> str:
        assert isinstance(row, Explanation)
        return reverse("day", kwargs={"on": row.day})

    def success(self, row: Request) -> str:
        assert isinstance(row, Explanation)
        return f"{row.subject} is explained; another person signs that."


class ReopenForm(DayForm):
    """What two people closed, two people open."""

    does = "The day stays closed until another person agrees, with a card or the own password."
    after: ClassVar[str] = "What was signed stays on record beside what will be signed."

    def title(self, asked: AskInput) -> str:
        return f"Open {day_words(_day(asked))} again"

    def groups(self, asked: AskInput) -> Sequence[FieldGroup]:  # noqa: ARG002  each form takes what it needs
        return ()

    def preview(self, asked: AskInput) -> AskPreview:
        return AskPreview(reopening_compared(asked.house, _day(asked), asked.by))

    def ask(self, asked: AskInput) -> Request:
        return ask_to_reopen(premises=asked.house, day=_day(asked), by=asked.by, why=asked.word("reason"))

    def page_of(self, row: Request) -> str:
        return reverse("day", kwargs={"on": day_of(row)})


def _day(asked: AskInput) -> date:
    return read_day(asked.about["on"])


def _page(asked: AskInput) -> str:
    return reverse("day", kwargs={"on": _day(asked)})


EXPLAIN_FORM: Final = ExplainForm()
REOPEN_FORM: Final = ReopenForm()
