"""Other terms for a jackpot: every term as a field, what would differ beside it; the laboratory answers afterwards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from django.shortcuts import get_object_or_404
from django.urls import reverse

from accounting.asking.pages.forms import AskForm, AskInput, AskPreview, Link
from accounting.desk.pages.config_form import changes_of, money_fields, rule_fields, values_of
from jackpot.books import queries
from jackpot.books.models.jackpot import Jackpot
from jackpot.configuring.actions.configure import TermsWish
from jackpot.requests.models import Request
from jackpot.requests.rules.life import RequestState
from jackpot.signing.actions.kinds import ComparedValue
from jackpot.signing.rules import AskField, FieldGroup, FieldLook
from jackpot.terms.models.terms_change import TermsChange
from jackpot.terms.rules.terms import Terms
from jackpot.terms.rules.terms_change import differences
from jackpot.web.templatetags.figures import money
from tables.requests.actions import configure


class TermsForm(AskForm):
    """The jackpot stands in the address."""

    asks, reads = ("configure",), ("read_books", "configure")
    press: ClassVar[str] = "Ask, and preview"
    after: ClassVar[str] = "What the laboratory says of them is calculated when you ask; the second person signs that."

    def title(self, asked: AskInput) -> str:
        return f"Other terms for {_jackpot(asked).name}"

    def lead(self, asked: AskInput) -> str:
        jackpot = _jackpot(asked)
        stands = money(jackpot.meter_money, jackpot.premises)
        why = "Nothing changes by asking. You see what the laboratory says, then a second person decides."
        return f"{why} The meter stands at {stands}."

    def crumbs(self, asked: AskInput) -> Sequence[Link]:
        code = asked.about["code"]
        return [(reverse("config"), "Configuration"), (reverse("config-jackpot", kwargs={"code": code}), code)]

    def notes(self, asked: AskInput) -> Sequence[str]:
        waits = queries.changes(_jackpot(asked)).filter(state=RequestState.SIGNED, version__isnull=False)
        number = waits.values_list("version__number", flat=True).first()
        if number is None:
            return ()
        words = f"Version {number} already waits for the next reset."
        return [f"{words} A second approved one takes its place."]

    def groups(self, asked: AskInput) -> Sequence[FieldGroup]:
        jackpot = _jackpot(asked)
        terms = _terms(jackpot)
        values = values_of(terms, asked.words)
        sooner = ", or to raise the limit" if jackpot.premises.raise_limit_at_once else ""
        how = AskField(
            "how", "In force", FieldLook.CHOICE, values["how"], TermsChange.How.choices,
            meaning=f"At once only on a suspended jackpot{sooner}.",
        )  # fmt: skip
        return [
            FieldGroup("Money", money_fields(terms, values)),
            FieldGroup("Rules", rule_fields(jackpot, terms, values)),
            FieldGroup("From when on", [how]),
        ]

    def preview(self, asked: AskInput) -> AskPreview:
        jackpot, wish = _wished(asked)
        found = differences(_terms(jackpot), wish.terms)
        return AskPreview([ComparedValue(each.name, each.before, each.after) for each in found])

    def ask(self, asked: AskInput) -> Request:
        jackpot, wish = _wished(asked)
        return configure.draft(jackpot=jackpot, wish=wish, by=asked.by)

    def asked_for(self, row: Request, asked: AskInput) -> None:
        change = TermsChange.objects.get(pk=row.pk)
        # After the draft is kept: the laboratory may take minutes, and a request must not be lost with a closed page.
        configure.preview(change=change, by=asked.by)


def _wished(asked: AskInput) -> tuple[Jackpot, TermsWish]:
    jackpot = _jackpot(asked)
    terms = _terms(jackpot)
    values = values_of(terms, asked.words)
    wished = configure.wished_terms(jackpot, changes_of(jackpot, terms, values))
    # What is not understood waits for the reset: nothing comes into force sooner than somebody chose.
    how = TermsChange.How(values["how"]) if values["how"] in TermsChange.How.values else TermsChange.How.NEXT_RESET
    return jackpot, TermsWish(wished, asked.word("reason"), how)


def _jackpot(asked: AskInput) -> Jackpot:
    """Every part of the page speaks of it; it is looked up once."""
    if "jackpot" not in asked.found:
        asked.found["jackpot"] = get_object_or_404(queries.jackpots(asked.by), code=asked.about["code"])
    jackpot: Jackpot = asked.found["jackpot"]
    return jackpot


def _terms(jackpot: Jackpot) -> Terms:
    assert jackpot.version is not None, "a jackpot has its first version before anybody can look at it"
    return jackpot.version.value


TERMS_FORM: Final = TermsForm()
