"""How a kind of request is asked for on a page: its fields, its preview and the one call that asks."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Final

from django.http import Http404
from django.urls import reverse

from jackpot.evidence.rules.evidence_file import EvidenceUpload
from jackpot.people.models import Operator
from jackpot.property.models.property import Property
from jackpot.refusals import Refused
from jackpot.requests.models import Request
from jackpot.signing.actions.asking import put_in
from jackpot.signing.actions.kinds import ComparedValue, RequestKind, known_kinds
from jackpot.signing.rules import AskField, FieldGroup, FieldLook

READS: Final = "read_books"
Link = tuple[str, str]  # an address and its words


@dataclass(frozen=True, slots=True)
class AskInput:
    """What came with the page: who asks, in which house, about what, and what was typed so far."""

    house: Property
    by: Operator
    about: Mapping[str, str]  # what the address names
    words: Mapping[str, str]
    ticked: Mapping[str, Sequence[str]]
    file: EvidenceUpload | None = None
    found: dict[str, Any] = field(default_factory=dict)  # what a form has looked up for one part of its page

    def word(self, name: str, longest: int = 200) -> str:
        """One field, printable and bounded; one character more is kept, so that what is too long is refused."""
        typed = self.words.get(name, "")[: longest + 1]
        return "".join(each for each in typed if each.isprintable()).strip()

    def number(self, name: str) -> int | None:
        """A key that the page itself carries."""
        typed = self.words.get(name, "")
        return int(typed) if typed.isascii() and typed.isdigit() and len(typed) < 19 else None


@dataclass(frozen=True, slots=True)
class AskPreview:
    """What would come of it as of now, or the sentence that it would meet. `more` is for a preview of its own looks."""

    compared: Sequence[ComparedValue] = ()
    findings: Sequence[Mapping[str, str]] = ()
    refusal: str = ""
    more: Mapping[str, Any] = field(default_factory=dict)


class AskForm(ABC):
    """One way to ask. What is not overridden is as for every other; docs/requests.md shows how one is added."""

    name: str
    does: str
    asks: tuple[str, ...]
    reads: tuple[str, ...]
    below: ClassVar[Sequence[Link]] = [("requests", "Requests")]  # the pages above it: their names and words
    press: ClassVar[str] = "Ask a second person"
    after: ClassVar[str] = "Computed again, as of then, when the second person signs."
    needs_words: ClassVar[bool] = False  # the evidence has to be named in words besides
    preview_template: ClassVar[str] = "accounting/asking/preview.html"

    def title(self, asked: AskInput) -> str:  # noqa: ARG002  each form takes what it needs
        return self.name

    def lead(self, asked: AskInput) -> str:  # noqa: ARG002  each form takes what it needs
        return self.does

    @abstractmethod
    def groups(self, asked: AskInput) -> Sequence[FieldGroup]: ...

    @abstractmethod
    def preview(self, asked: AskInput) -> AskPreview:
        """Refused where too little is said yet: the page reads that beside the form."""

    @abstractmethod
    def ask(self, asked: AskInput) -> Request: ...

    def asked_for(self, row: Request, asked: AskInput) -> None:  # noqa: B027  most have nothing more to do
        """What follows in a transaction of its own, such as a preview that takes long."""

    def crumbs(self, asked: AskInput) -> Sequence[Link]:  # noqa: ARG002  each form takes what it needs
        return [(reverse(page), words) for page, words in self.below]

    def tabs(self, asked: AskInput) -> Sequence[tuple[str, str, bool]]:  # noqa: ARG002  each form takes what it needs
        """Other things that are asked for beside this one: address, words, whether it is this one."""
        return ()

    def facts(self, asked: AskInput) -> Sequence[tuple[str, str]]:  # noqa: ARG002  each form takes what it needs
        """What it is about, where that is chosen already."""
        return ()

    def notes(self, asked: AskInput) -> Sequence[str]:  # noqa: ARG002  each form takes what it needs
        return ()

    def unknown(self, asked: AskInput) -> str:  # noqa: ARG002  each form takes what it needs
        """Why there is no such form, in a sentence; nothing where there is one."""
        return ""

    def page_of(self, row: Request) -> str:
        """Where the request is shown once it is asked for."""
        return reverse("request", kwargs={"number": row.pk})

    def success(self, row: Request) -> str:
        return f"{_capital(row)} waits for a second person."

    def entries(self) -> Sequence[tuple[str, str, str]]:
        """How the list of everything that can be asked for names it: address, words, what it does."""
        return ()

    def look_ahead(self, asked: AskInput) -> AskPreview:
        """The preview, or why there is none."""
        try:
            return self.preview(asked)
        except Refused as why:
            return AskPreview(refusal=why.why)


class PlainForm(AskForm):
    """A kind that only declares its fields: what is typed becomes its payload, word for word."""

    def __init__(self, kind: RequestKind[Any]) -> None:
        self.kind, self.asks, self.name, self.does = kind, tuple(kind.may_ask), kind.name, kind.lead
        self.reads = (*self.asks, *kind.may_sign, READS)

    def groups(self, asked: AskInput) -> Sequence[FieldGroup]:
        fields = [
            replace(
                each, value=asked.word(each.name, each.longest) or each.value, ticked=asked.ticked.get(each.name, ())
            )
            for each in self.kind.fields
        ]
        return [FieldGroup("", fields)]

    def preview(self, asked: AskInput) -> AskPreview:
        return AskPreview(compared=self.kind.compared(self._row(asked)))

    def ask(self, asked: AskInput) -> Request:
        row = self._row(asked)
        put_in(row=row, by=asked.by)
        return row

    def _row(self, asked: AskInput) -> Request:
        payload = {
            each.name: list(asked.ticked.get(each.name, ()))
            if each.look is FieldLook.TICKS
            else asked.word(each.name, each.longest)
            for each in self.kind.fields
        }
        row: Request = self.kind.row_of(asked.house, payload, asked.word("reason"))
        row.evidence = asked.word("evidence")[:200]
        if asked.file is not None:
            row.file_name, row.file_sha256 = asked.file.name, asked.file.sha256
        return row


def plain_form(code: str) -> PlainForm:
    """The form of a kind without one of its own; others are asked for where their things stand."""
    kind = next((each for each in known_kinds() if each.code == code and each.fields), None)
    if kind is None:
        raise Http404("Nothing of this kind is asked for here. Choose on the page of new requests.")
    return PlainForm(kind)


_FORMS: Final[list[AskForm]] = []


def listed(form: AskForm) -> AskForm:
    """The form stands on the page of everything that can be asked for."""
    _FORMS.append(form)
    return form


def known_forms() -> Sequence[AskForm]:
    return tuple(_FORMS)


def reason_field(value: str) -> AskField:
    return AskField("reason", "Reason, in words", value=value, meaning="The second person reads it.")


def _capital(row: Request) -> str:
    return str(row)[:1].upper() + str(row)[1:]
