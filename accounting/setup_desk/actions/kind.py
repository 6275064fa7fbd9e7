"""What one administrator may not set up alone: the second person's word makes it."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, ClassVar

from django.db import transaction
from django.utils import timezone

from accounting.house_file.loader import hold_house, load
from accounting.setup_desk.actions.openings import finish_openings
from accounting.setup_desk.actions.setting_up import SetUpWish, read_wish
from accounting.setup_desk.queries import SET_UP
from accounting.setup_desk.rules.spelled_out import spelled_out
from accounting.setup_desk.rules.two_people import touches_people
from jackpot.books.models.jackpot import Jackpot
from jackpot.configuring.actions.configure import check_findings
from jackpot.people.models import Operator
from jackpot.refusals import NotAllowed, NotAllowedNow
from jackpot.requests.actions.life import move_on
from jackpot.requests.models import Request, RequestEntry
from jackpot.requests.rules.life import RequestAct
from jackpot.signing.actions import RequestKind, SecondPerson
from jackpot.signing.actions.deciding import decided, note
from jackpot.signing.actions.kinds import ComparedValue


class SetUpHouse(RequestKind[Request]):
    """Openings, people of a file, what feeds a meter. The wish is kept as the text that both saw."""

    code, name, model = SET_UP, "Setting up", Request
    may_ask: ClassVar[frozenset[str]] = frozenset({"set_up"})
    # Another role than the asker's: who sets a house up does not alone say how it pays.
    may_sign: ClassVar[frozenset[str]] = frozenset({"configure"})

    def finish(self, row: Request, by: Operator | None, *, wait: float | None = None) -> int:
        return finish_openings(row, by, wait)

    @contextmanager
    def lock(self, row: Request) -> Iterator[None]:  # noqa: ARG002  each kind takes what it needs
        """The jackpots before the two people, as a dismissal takes them."""
        with transaction.atomic():
            hold_house()
            yield

    def sign(self, scene: None, row: Request, approver: SecondPerson, *, seen: bool) -> None:  # noqa: ARG002  each kind takes what it needs
        """Made as of now; what no longer does what was previewed is refused, so that nobody signs something else."""
        # First of all: what nobody may sign is not loaded to be taken back again.
        check_findings(row, approver.operator)
        signers = [row.asked_by.username, approver.operator.username]
        casino = read_wish(row.premises, wish_of(row), signers)
        # Loaded before it is judged, for only the load knows what it changes; a refusal takes all of it back.
        made = load(casino, by=f"{row.asked_by_name} and {approver.operator}"[:80])
        if any(change.whom == approver.operator.username for change in made.changes):
            raise NotAllowed("Nobody signs what is about themselves. Another person signs this.", "same_person")
        # Line by line as it was shown: somebody may have altered the same table in between.
        if [str(change) for change in made.changes] != row.preview["changes"]:
            why = "What this would change is not what was previewed any more. Ask for it anew."
            raise NotAllowedNow(why, "stale")
        if touches_people(made.changes) and not approver.operator.may("people"):
            raise NotAllowed(f"{approver.operator} may not sign for people and roles. Who gives roles does.", "role")
        decided(row, approver, timezone.now())
        move_on(row, RequestAct.COUNT)
        row.save()
        _name_openings(row)
        note(self, row, approver.operator, "approve", row.reason, digest=row.preview.get("digest", ""))

    def compared(self, row: Request) -> list[ComparedValue]:
        """The changes, and every term of what would be opened or declared: nobody signs a seed without its rate."""
        parted = _parted(row.preview)
        told = spelled_out(tomllib.loads(row.payload["text"]), {subject for subject, *_ in parted})
        return [*(ComparedValue(*each) for each in parted), *(ComparedValue(name, "", value) for name, value in told)]

    def phrase(self, row: Request) -> str:
        changes = row.preview["changes"]
        more = f", and {len(changes) - 1} more" if len(changes) > 1 else ""
        return f"{changes[0][2:]}{more}"

    def subject(self, row: Request) -> str:
        code: str = row.premises.code
        return code

    def plain(self, row: Request) -> dict[str, Any]:
        return {"request": row.pk, "changes": row.preview["changes"]}


def _name_openings(row: Request) -> None:
    """Entry 1 of each jackpot belongs to the request that opened it, and with it what the laboratory said."""
    codes = [each["jackpot"] for each in row.payload.get("laboratory", ())]
    for jackpot in Jackpot.objects.filter(code__in=codes):
        RequestEntry.objects.create(request=row, jackpot=jackpot, seq=1)


def wish_of(row: Request) -> SetUpWish:
    """As it was asked for: a whole file, or the sections of a form."""
    text, name = row.payload["text"], row.payload["name"]
    if name:
        return SetUpWish(text=text, name=name, reason=row.reason)
    return SetUpWish(sections=tomllib.loads(text), reason=row.reason)


def _parted(preview: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    """Each change as what, before and after."""
    if "parts" in preview:
        told = [(f"{each['kind']} {each['code']}", each["new"], each["words"]) for each in preview["parts"]]
    else:  # a request of before its changes were kept as records
        lines = [(line[2:].partition(": "), line.startswith("+")) for line in preview["changes"]]
        told = [(subject, new, words) for (subject, _, words), new in lines]
    return [(subject, "not here" if new else "", words) for subject, new, words in told]
