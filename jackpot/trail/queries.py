"""The trail as people ask for it: by time, person, act, thing, outcome and words; and the history of one thing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final

from django.db.models import Max, Min, Q, QuerySet

from jackpot.trail.models import Trail, TrailSeal
from jackpot.trail.rules.chain import NO_SEAL_BEFORE, ChainedLine
from jackpot.trail.rules.objects import ObjectKind, ObjectRef

# Letters and digits alone, so that UTH-04/118 is found by each of its parts. The index is made of this very expression.
WORDS: Final = (
    "to_tsvector('simple', regexp_replace(actor || ' ' || act || ' ' || object_key || ' ' || subject || ' ' || why, "
    "'[^[:alnum:]]+', ' ', 'g'))"
)
READS_TRAIL: Final = "read_trail"
# A request's line speaks of the person or jackpot that it is about by its text; its own object is the request.
SPOKEN_OF_BY: Final = ("", ObjectKind.REQUEST.value)


def trail(asked: Mapping[str, Any]) -> QuerySet[Trail]:
    """Who did or tried what; a time bound takes the moment itself in (since) and leaves it out (until)."""
    columns = {word: word for word in ("actor", "act", "subject", "outcome")} | {"since": "at__gte", "until": "at__lt"}
    return Trail.objects.filter(**{column: asked[word] for word, column in columns.items() if asked.get(word)})


def was_noted(act: str) -> bool:
    """Whether any line says this act."""
    return Trail.objects.filter(act=act).exists()


def trail_of(person: Any) -> QuerySet[Trail]:
    """The lines that somebody may read: of their own house, and of the server and of strangers."""
    house = getattr(person, "premises_id", None)
    return lines_of_house(house)


def lines_of_house(premises_id: int | None) -> QuerySet[Trail]:
    if premises_id is None:
        return Trail.objects.all()
    return Trail.objects.filter(Q(premises__isnull=True) | Q(premises=premises_id))


def about_objects(refs: Sequence[ObjectRef]) -> Q:
    """Lines about any of these things: by their object, or, where a line has none of its own, by its text."""
    assert refs, "a history is of something"
    found = Q()
    for ref in refs:
        named = Q(object_kind=ref.kind.value, object_key=ref.key)
        if ref.premises_id is not None:
            named &= Q(premises__isnull=True) | Q(premises=ref.premises_id)
        found |= named | Q(subject=ref.old_subject, object_kind__in=SPOKEN_OF_BY)
    return found


def history(refs: Sequence[ObjectRef], *, person_id: int | None = None) -> QuerySet[Trail]:
    """Everything that was done or tried with these things, newest first; of a person also what they did."""
    found = about_objects(refs)
    if person_id is not None:
        found |= Q(person=person_id)
    return Trail.objects.filter(found).order_by("-at", "-id")


_BEGIN: Final = datetime(1970, 1, 1, tzinfo=UTC)


def chained(line: Trail) -> ChainedLine:
    """A line as its seal keeps it."""
    since = line.at - _BEGIN
    return ChainedLine(
        line=line.pk, at=(since.days * 86_400 + since.seconds) * 1_000_000 + since.microseconds,
        written_by=line.written_by, actor=line.actor, person=line.person_id, act=line.act,
        object_kind=line.object_kind, object_key=line.object_key, subject=line.subject, outcome=line.outcome,
        why=line.why, details=line.details,
    )  # fmt: skip


def sealed_places(houses: Mapping[int, str], rows: QuerySet[Trail]) -> dict[int, dict[str, Any]]:
    """Of these chains every line between the first and the last of these rows: number, seal, and the seal before."""
    places: dict[int, dict[str, Any]] = {}
    for chain, house in houses.items():
        seals = TrailSeal.objects.filter(chain=chain)
        reach = seals.filter(line__in=rows.order_by().values("pk")).aggregate(first=Min("number"), last=Max("number"))
        if reach["first"] is None:
            continue
        before = NO_SEAL_BEFORE.hex()
        # From one before: its seal is what the first of them was sealed with.
        for each in seals.filter(number__range=(reach["first"] - 1, reach["last"])).order_by("number"):
            seal = bytes(each.seal).hex()
            if each.number >= reach["first"]:
                places[each.line] = {"chain": house, "number": each.number, "before": before, "seal": seal}
            before = seal
    return places
