"""Other terms as the page of requests shows them: what differs, what the laboratory says, what they wait for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, Final

from django.urls import reverse
from django.utils import timezone

from accounting.desk.pages.look import (
    FigureTable,
    Link,
    RequestEffect,
    RequestFact,
    RequestLook,
    ShownValue,
    StateWords,
    shown_figures,
)
from jackpot.books.queries import changes
from jackpot.configuring.actions.configure import differs
from jackpot.notices.queries import still_to_tell, who_is_told
from jackpot.property.rules.notice import NoticeAbout
from jackpot.requests.rules.life import OPEN, RequestState
from jackpot.terms.models.terms_change import TermsChange
from jackpot.web.templatetags.figures import moment

SIDE_BY_SIDE: Final = "In force and asked for, side by side"


class TermsLook(RequestLook):
    """The preview is the laboratory's; a version waits for its reset or its notice."""

    judged: ClassVar[bool] = True
    state_words: ClassVar[Mapping[RequestState, StateWords]] = {
        RequestState.IN_FORCE: ("was put in force", "ok", "✓"),
    }

    def called(self, row: TermsChange) -> str:
        return f"Change {row.number} of {row.its_jackpot.code}"

    def title(self, row: TermsChange) -> str:
        return f"Change {row.number} of {row.its_jackpot.name}"

    def lead(self, row: TermsChange) -> str:
        return f"“{row.reason}” In force {row.get_how_display()}."

    def above(self, row: TermsChange) -> Sequence[Link]:
        code = row.its_jackpot.code
        return [(reverse("config-jackpot", kwargs={"code": code}), f"Terms of {code}")]

    def phrase(self, row: TermsChange) -> str:
        if row.version is None:
            return super().phrase(row)
        counts = ", in force" if row.version_id == row.its_jackpot.version_id else ""
        return f"{super().phrase(row)} (version {row.version.number}{counts})"

    def state(self, row: TermsChange) -> StateWords:
        if row.state == RequestState.SIGNED:
            return f"signed, waits for {row.waits_for}", "gold", "◔"
        return super().state(row)

    def facts(self, row: TermsChange) -> Sequence[RequestFact]:
        """Its version and when it began; before that, whom the house has to tell."""
        if row.version is None:
            return ()
        number = f"Version {row.version.number}"
        if row.activated_seq is not None and row.before is not None:
            entry = reverse("entry", kwargs={"code": row.its_jackpot.code, "seq": row.activated_seq})
            beside = f", in place of version {row.before.number}, {moment(row.activated_at, row.premises)}"
            return [RequestFact("In force", f"{number} by entry {row.activated_seq}", entry, beside)]
        if row.state != RequestState.SIGNED:
            return [RequestFact("Its version", number)]
        told = [
            f"{each.to[:1].upper()}{each.to[1:]} is told by {moment(each.due_at, row.premises)}: notice {each.pk}, of "
            f"the {each.owner}"
            for each in (still_to_tell(row) if row.not_told else ())
        ]
        waits = RequestFact("Waits for", f"{number} waits for {row.waits_for}")
        return [waits, *(RequestFact("To be told", words) for words in told)]

    def effect_title(self, row: TermsChange) -> str:  # noqa: ARG002  each kind takes what it needs
        return "What differs"

    def effect(self, row: TermsChange) -> RequestEffect:
        values = [ShownValue(each.name, each.before, each.after) for each in differs(row)]
        # Told apart from warnings: these hold up the second signature, save where an executive may sign over one.
        blocks = [finding["why"] for finding in row.findings if finding["weight"] == "refused"]
        return RequestEffect(values, problem=" ".join(blocks) if row.state in OPEN else "")

    def figures(self, row: TermsChange) -> Sequence[FigureTable]:
        found = shown_figures(row.figures, row)
        return [FigureTable(SIDE_BY_SIDE, ["In force", "Asked for"], found)] if found else []

    def notes(self, row: TermsChange) -> Sequence[str]:
        waits = changes(row.its_jackpot).filter(state=RequestState.SIGNED).exclude(pk=row.pk).first()
        told = _told_first(row)
        said = []
        if waits is not None and waits.version is not None:
            said.append(f"Version {waits.version.number}, which waits for {waits.waits_for}, will be replaced.")
        if told:
            said.append(f"Once signed it waits until {' and '.join(told)} {'were' if len(told) > 1 else 'was'} told.")
        return said

    def signed(self, row: TermsChange, by: str) -> str:  # noqa: ARG002  each kind takes what it needs
        assert row.version is not None, "an approved change has its version"
        when = "is in force" if row.state == RequestState.IN_FORCE else f"waits for {row.waits_for}"
        return f"Version {row.version.number} of {row.its_jackpot.code} {when}."


def _told_first(row: TermsChange) -> list[str]:
    """Who has to be told before terms count that nobody signed yet; nobody where the house waits for nobody."""
    house = row.premises
    if row.state not in OPEN or not house.terms_wait_for_notice:
        return []
    return [rule.to for rule in who_is_told(house, NoticeAbout.TERMS, timezone.now())]
