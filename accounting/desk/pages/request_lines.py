"""Requests in a list: of which kind, in one phrase, how old, and whether whoever looks may sign."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from accounting.desk.pages.adjustments_look import AdjustmentLook
from accounting.desk.pages.authority_look import AuthorityLook
from accounting.desk.pages.config_look import TermsLook
from accounting.desk.pages.look import RequestLook, StateWords, age, request_page
from accounting.desk.pages.review_look import REVIEW_CODE, ReviewLook
from jackpot.adjusting.models import Adjustment
from jackpot.authority.models import AuthorityChange
from jackpot.requests.models import Request
from jackpot.signing.actions import RequestKind, kind_of
from jackpot.terms.models.terms_change import TermsChange

# Kinds with columns of their own; any other is shown by what its kind says of itself.
LOOKS: Final[Mapping[type[Request], RequestLook]] = {
    Adjustment: AdjustmentLook(), TermsChange: TermsLook(), AuthorityChange: AuthorityLook(),
}  # fmt: skip
OF_KIND: Final[Mapping[str, RequestLook]] = {REVIEW_CODE: ReviewLook()}
ANY_LOOK: Final = RequestLook()


@dataclass(frozen=True, slots=True)
class RequestLine:
    """One request in a list."""

    row: Any
    kind: str
    phrase: str
    address: str
    age: str
    state: StateWords
    yours: bool


def look_of(row: Request) -> RequestLook:
    return OF_KIND.get(row.kind) or LOOKS.get(type(row), ANY_LOOK)


def lines_of(rows: Iterable[Request], person: Any) -> list[RequestLine]:
    """One look per kind, not one per request."""
    order = [(row.pk, row.kind) for row in rows]
    whole = {row.pk: row for code in {kind for _, kind in order}
             for row in kind_of(code).rows().filter(pk__in=[pk for pk, kind in order if kind == code])
             .prefetch_related("entries__jackpot")}  # fmt: skip
    verbs = person.verbs()
    return [_line(whole[pk], kind_of(code), person, verbs) for pk, code in order]


def _line(row: Any, kind: RequestKind[Any], person: Any, verbs: frozenset[str]) -> RequestLine:
    look = look_of(row)
    # By key: a name that two people share must not hide from one what the other asked for.
    yours = row.is_open and row.asked_by_id != person.pk and not verbs.isdisjoint(kind.may_sign)
    return RequestLine(row, kind.name, look.phrase(row), request_page(row), age(row), look.state(row), yours)
