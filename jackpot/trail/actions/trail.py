"""The trail: who did or tried what, with which thing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import timedelta
from typing import Any, Final, Protocol, runtime_checkable

from django.db import DatabaseError
from django.db.models.functions import Now

from jackpot.trail.actions.standing import note_silence, tells_of_the_trail
from jackpot.trail.models import Trail
from jackpot.trail.rules.objects import ObjectKind, ObjectRef
from jackpot.trail.rules.words import OUTCOMES

AGAIN_AFTER: Final = timedelta(minutes=1)
# What whoever asked wants written in the act's own transaction, whatever the act is: what is done has its line here.
beside_the_line: Final[ContextVar[Callable[[], None] | None]] = ContextVar("beside_the_line", default=None)


@runtime_checkable
class KnownActor(Protocol):
    """A person of the house: kept by key, since names change and are shared."""

    pk: Any
    username: str
    premises_id: int | None


def record(
    *,
    actor: object,
    act: str,
    about: ObjectRef | None = None,
    subject: str = "",
    outcome: str = "done",
    why: str = "",
    details: Mapping[str, Any] | None = None,
) -> Trail:
    """One line of the trail, inside the act's own transaction. A person is given as such, anybody else by a name.

    What cannot be written down is not done: the act is refused, and no other begins until a line can be written.
    """
    assert outcome in OUTCOMES, f"whoever filters the trail does not know {outcome!r}"
    known = actor if isinstance(actor, KnownActor) else None
    premises_id = about.premises_id if about is not None else None
    line = Trail(
        actor=str(actor)[:80],
        person_id=known.pk if known is not None else None,
        premises_id=premises_id or (known.premises_id if known is not None else None),
        act=act[:40],
        object_kind=about.kind.value if about is not None else "",
        object_key=about.key[:80] if about is not None else "",
        subject=(subject or (about.old_subject if about is not None else ""))[:80],
        outcome=outcome,
        why=why,
        details=dict(details or {}),
    )
    try:
        line.save(force_insert=True)
    except DatabaseError as trouble:
        if not tells_of_the_trail(trouble):
            raise
        raise note_silence(trouble) from trouble
    also = beside_the_line.get()
    # A try that was refused marks nothing: what whoever asked wants written goes with what was done.
    if also is not None and outcome == "done":
        also()
    return line


def second_person(person: KnownActor | None) -> dict[str, Any]:
    """Whoever signed beside the first, for the details of a line: by key, with the name of that day."""
    return {} if person is None else {"second": str(person), "second_key": person.pk}


@contextmanager
def beside_no_line() -> Iterator[None]:
    """For what only goes ahead of an act, in a transaction of its own: a look, a password. The act has its own line."""
    mark = beside_the_line.set(None)
    try:
        yield
    finally:
        beside_the_line.reset(mark)


def record_once_a_minute(
    *, actor: object, act: str, about: ObjectRef | None = None, subject: str = "", outcome: str = "done", why: str = ""
) -> None:
    """For what a person may repeat as fast as a page loads: the same again within a minute adds no line."""
    wanted = {
        "actor": str(actor)[:80], "act": act[:40], "outcome": outcome,
        "subject": (subject or (about.old_subject if about is not None else ""))[:80],
    }  # fmt: skip
    if not Trail.objects.filter(**wanted, at__gt=Now() - AGAIN_AFTER).exists():
        record(actor=actor, act=act, about=about, subject=subject, outcome=outcome, why=why)


def note_look(*, by: object, about: ObjectRef) -> None:
    """Somebody read what is a person's or a winner's own: no books change, the trail alone says who looked."""
    record_once_a_minute(actor=by, act="look", about=about)


def note_list(*, by: object, what: str, rows: int, words: str, about: ObjectRef | None = None) -> None:
    """A list left the house as a file; the reports say the same of theirs with a digest."""
    ref = about or ObjectRef(ObjectKind.REPORT, what)
    record(actor=by, act="export_list", about=ref, details={"list": what, "rows": rows, "asked": words})
