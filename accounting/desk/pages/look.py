"""How the one page shows a request: in its words, what it changes, what the second person must know. Kinds override."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Final

from django.urls import reverse
from django.utils import timezone

from accounting.lab.pages import lab_figures
from jackpot.requests.models import Request
from jackpot.requests.rules.life import RequestState
from jackpot.signing.actions import kind_of

MINUTE, HOUR, DAY = 60, 3_600, 86_400
Link = tuple[str, str]  # an address and its words
StateWords = tuple[str, str, str]  # word, look and sign: a state is never told by colour alone
STATE_WORDS: Final[Mapping[RequestState, StateWords]] = {
    RequestState.ASKED: ("waits for its preview", "", "○"),
    RequestState.PREVIEWED: ("waits for a second person", "late", "◔"),
    RequestState.SIGNED: ("signed, waits for its moment", "gold", "◔"),
    RequestState.IN_FORCE: ("approved", "ok", "✓"),
    RequestState.REFUSED: ("refused", "down", "✕"),
    RequestState.WITHDRAWN: ("taken back", "", "■"),
    RequestState.REPLACED: ("replaced", "", "■"),
}


@dataclass(frozen=True, slots=True)
class RequestFact:
    """One line of what is known of a request: its name, its words, and where they lead."""

    name: str
    words: str
    address: str = ""
    beside: str = ""


@dataclass(frozen=True, slots=True)
class ShownValue:
    """One thing that a request would change, and where its kind knows it from when on that counts."""

    name: str
    before: str
    after: str
    when: str = ""
    look: str = ""
    sign: str = ""


@dataclass(frozen=True, slots=True)
class FigureTable:
    """What the laboratory said, as figures that people read; `unknown` is why it claims nothing."""

    title: str
    heads: Sequence[str]
    figures: Sequence[lab_figures.Figure] = ()
    unknown: str = ""


@dataclass(frozen=True, slots=True)
class RequestEffect:
    """What would come of it as of now, or what came of it; `problem` is why it would be refused as it stands."""

    values: Sequence[ShownValue] = ()
    problem: str = ""
    to_see: str = ""  # what both people say that they have seen
    more: Mapping[str, Any] = field(default_factory=dict)  # for a template of its own


class RequestLook:
    """What is not overridden is as for every kind."""

    effect_template: ClassVar[str] = "accounting/desk/request_effect.html"
    state_words: ClassVar[Mapping[RequestState, StateWords]] = {}
    judged: ClassVar[bool] = False  # its preview speaks for and against it

    def called(self, row: Any) -> str:
        return f"{kind_of(row.kind).name}, request {row.pk}"

    def title(self, row: Any) -> str:
        return kind_of(row.kind).name

    def lead(self, row: Any) -> str:
        return str(row.reason)

    def above(self, row: Any) -> Sequence[Link]:  # noqa: ARG002  each kind takes what it needs
        """The pages above it, below the list of all requests."""
        return ()

    def phrase(self, row: Any) -> str:
        return kind_of(row.kind).phrase(row)

    def state(self, row: Any) -> StateWords:
        return {**STATE_WORDS, **self.state_words}[RequestState(row.state)]

    def facts(self, row: Any) -> Sequence[RequestFact]:  # noqa: ARG002  each kind takes what it needs
        """What is known of this kind besides who asked and who decided."""
        return ()

    def effect_title(self, row: Any) -> str:
        return "What it would change" if row.is_open else "What it changes"

    def effect(self, row: Any) -> RequestEffect:
        return RequestEffect(
            [ShownValue(each.name, each.before, each.after) for each in kind_of(row.kind).compared(row)]
        )

    def figures(self, row: Any) -> Sequence[FigureTable]:
        """The laboratory's record as it was kept with the request."""
        return [
            FigureTable(
                f"What the laboratory says of {said['jackpot']}", ["At its opening"],
                shown_figures([said["answer"]] if said["answer"] else [], row), said["unknown"],
            )
            for said in row.preview.get("laboratory", ())
        ]  # fmt: skip

    def notes(self, row: Any) -> Sequence[str]:  # noqa: ARG002  each kind takes what it needs
        """What whoever signs must know first."""
        return ()

    def barred(self, row: Any, person: Any) -> str:  # noqa: ARG002  each kind takes what it needs
        """Why this person cannot sign, whatever the roles; nothing where they may."""
        return ""

    def waits(self, row: Any) -> bool:
        """Whether something signed may still be taken back before its moment."""
        return bool(row.state == RequestState.SIGNED)

    def signed(self, row: Any, by: str) -> str:
        return f"{self.called(row)}, is signed by {by}."


def shown_figures(answers: Sequence[Any], row: Request) -> list[lab_figures.Figure]:
    """The cards of the worst round stand in the laboratory."""
    found = lab_figures.figures(answers, row.premises) if answers else []
    return [replace(each, words=lab_figures.without_cards(each.words)) for each in found]


def age(row: Request) -> str:
    """How long it has waited, in the largest unit that says something."""
    seconds = int((timezone.now() - row.asked_at).total_seconds())
    for unit, name in ((DAY, "day"), (HOUR, "hour"), (MINUTE, "minute")):
        if seconds >= unit:
            count = seconds // unit
            return f"{count} {name}{'' if count == 1 else 's'}"
    return "just now"


def request_page(row: Request) -> str:
    return reverse("request", kwargs={"number": row.pk})
