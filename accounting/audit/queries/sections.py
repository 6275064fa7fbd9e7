"""What a parcel holds of a period, section by section, each line one JSON object. docs/audit.md has every field."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any, Final

from django.db.models import Q, QuerySet

from accounting.paper.models.page import Copy
from jackpot.books.models.jackpot import Jackpot, Version
from jackpot.evidence.models import EvidenceFile
from jackpot.evidence.queries import evidence_lines, evidence_of, rounds_of
from jackpot.money import stored_text, units_of
from jackpot.people.models import Operator
from jackpot.proof.queries.heads import heads_path
from jackpot.proof.rules.heads import NotAHead, read_head
from jackpot.property.models.property import Property
from jackpot.refusals import Refused
from jackpot.requests.models import Request
from jackpot.signing.actions import kind_of
from jackpot.trail.models import Trail
from jackpot.trail.queries import lines_of_house, sealed_places
from jackpot.trail.rules.chain import OF_THE_SERVER
from jackpot.wins.models import Payment, Win
from jackpot.wins.queries.paying import receipts_of

CHUNK: Final = 1_000
Line = dict[str, Any]


@dataclass(frozen=True, slots=True)
class ParcelPeriod:
    """Gaming days of one house, and the same as moments."""

    house: Property
    first: date
    last: date
    begins: datetime
    ends: datetime


@dataclass(frozen=True, slots=True)
class ParcelSection:
    """One file of a parcel: its name, and who writes its lines."""

    name: str
    lines: Callable[[ParcelPeriod], Iterator[Line]]

    @property
    def file(self) -> str:
        return f"{self.name}.jsonl"


def wins_in(period: ParcelPeriod) -> QuerySet[Win]:
    """Every hit that was marked, logged or paid in these days."""
    # By three moments, for each is what somebody may ask of: a win of March may be paid in May.
    within = Q(gaming_day__range=(period.first, period.last))
    for moment in ("marked_at", "paid_at"):
        within |= Q(**{f"{moment}__gte": period.begins, f"{moment}__lt": period.ends})
    return Win.objects.filter(within, jackpot__premises=period.house)


def wins(period: ParcelPeriod) -> Iterator[Line]:
    """These hits, with the words of people for them."""
    rows = wins_in(period).select_related("jackpot").order_by("id")
    for win in rows.prefetch_related("signatures__operator", "signatures__card").iterator(chunk_size=CHUNK):
        yield {
            **_of_win(win), "table": win.table_code, "round": win.round_number, "seat": win.seat, "hand": win.line_name,
            "marked_at": _utc(win.marked_at), "marked_by": win.marked_by, "logged_at": _utc(win.logged_at),
            "moved_at": _utc(win.moved_at), "paid_at": _utc(win.paid_at), "paid_by": win.paid_by,
            "words": [
                {"part": each.part, "by": each.operator.username, "level": each.level, "at": _utc(each.at),
                 "card": None if each.card is None else each.card.last_four}
                for each in sorted(win.signatures.all(), key=lambda each: each.pk)
            ],
            "page": win.paper, "override": win.override,
        }  # fmt: skip


def slips(period: ParcelPeriod) -> Iterator[Line]:
    """Every slip of these days with its copies and its payment."""
    rows = Win.objects.filter(
        premises=period.house, slip__isnull=False, gaming_day__range=(period.first, period.last)
    ).select_related("jackpot")
    for win in rows.order_by("slip").iterator(chunk_size=CHUNK):
        copies = Copy.objects.filter(page__win=win).order_by("number").defer("content")
        paid = Payment.objects.filter(win=win).first()
        yield {
            **_of_win(win),
            "copies": [
                {"copy": each.stamp.word, "form": each.form, "by": each.printed_by, "at": _utc(each.printed_at),
                 "reason": each.reason, "sha256": each.sha256}
                for each in copies
            ],
            "payment": None if paid is None else _payment(paid),
        }  # fmt: skip


def requests_in(period: ParcelPeriod) -> QuerySet[Request]:
    """Everything that one person asked for and another decided, if either fell into these days."""
    asked = Q(asked_at__gte=period.begins, asked_at__lt=period.ends)
    decided = Q(decided_at__gte=period.begins, decided_at__lt=period.ends)
    withdrawn = Q(withdrawn_at__gte=period.begins, withdrawn_at__lt=period.ends)
    return Request.objects.filter(asked | decided | withdrawn, premises=period.house)


def requests(period: ParcelPeriod) -> Iterator[Line]:
    """What was asked for, and who decided it."""
    rows = requests_in(period).order_by("id")
    for row in rows.select_related("asked_by", "decided_by", "withdrawn_by", "jackpot").iterator(chunk_size=CHUNK):
        yield {
            "request": row.pk, "kind": row.kind, "state": row.state, "reason": row.reason, "told": _as_its_kind(row),
            "jackpot": None if row.jackpot is None else row.jackpot.code,
            "asked_by": row.asked_by.username, "asked_at": _utc(row.asked_at),
            "decided_by": None if row.decided_by is None else row.decided_by.username,
            "decided_at": _utc(row.decided_at),
            "withdrawn_by": None if row.withdrawn_by is None else row.withdrawn_by.username,
            "withdrawn_at": _utc(row.withdrawn_at),
        }  # fmt: skip


def evidence_in(period: ParcelPeriod) -> QuerySet[EvidenceFile]:
    """What the requests and hits of these days rest on; the parcel holds it under `evidence/`."""
    return evidence_of(requests_in(period), rounds_of(wins_in(period)))


def evidence(period: ParcelPeriod) -> Iterator[Line]:
    """Each of these files with its digest, and whose it is."""
    return evidence_lines(evidence_in(period))


def versions(period: ParcelPeriod) -> Iterator[Line]:
    """All terms of all jackpots up to the end of these days: what a day was judged by may be years old."""
    rows = Version.objects.filter(jackpot__premises=period.house, created_at__lt=period.ends)
    for row in rows.select_related("jackpot").order_by("jackpot__code", "number"):
        yield {
            "jackpot": row.jackpot.code, "number": row.number, "digest": row.digest, "terms": row.terms,
            "requested_by": row.requested_by, "approved_by": row.approved_by, "created_at": _utc(row.created_at),
        }  # fmt: skip


def people(period: ParcelPeriod) -> Iterator[Line]:
    """Everybody of the house as they stand now: names, roles, cards. Their rights of a day are in the trail."""
    rows = Operator.objects.filter(premises=period.house).prefetch_related("roles", "cards").order_by("username")
    for row in rows:
        yield {
            "person": row.pk, "username": row.username, "name": row.name, "works_here": row.is_active,
            "hired_at": _utc(row.created_at), "roles": sorted(role.code for role in row.roles.all()),
            "may": sorted({verb for role in row.roles.all() for verb in role.may}),
            "cards": [
                {"card": card.last_four, "level": card.get_level_display(), "blocked_at": _utc(card.blocked_at),
                 "expires_on": None if card.expires_on is None else card.expires_on.isoformat()}
                for card in sorted(row.cards.all(), key=lambda card: card.pk)
            ],
        }  # fmt: skip


def trail(period: ParcelPeriod) -> Iterator[Line]:
    """Every line of the trail of these days, in the order of its moment, with its place in the chain of the house.

    Between the first and the last of a chain no number is left out, so that a line that is missing leaves a gap.
    """
    rows = lines_of_house(period.house.pk).filter(at__gte=period.begins, at__lt=period.ends)
    sealed = sealed_places({OF_THE_SERVER: "", period.house.pk: period.house.code}, rows)
    # Lines of other days too, where the chain has them in between: without them it would show gaps that are none.
    for row in (rows | Trail.objects.filter(pk__in=list(sealed))).order_by("at", "id").iterator(chunk_size=CHUNK):
        yield {
            "line": row.pk, "at": _utc(row.at), "actor": row.actor, "person": row.person_id, "act": row.act,
            "object": row.about, "object_kind": row.object_kind, "object_key": row.object_key,
            "subject": row.subject, "outcome": row.outcome, "why": row.why, "details": row.details,
            "written_by": row.written_by, "sealed": sealed.get(row.pk),
        }  # fmt: skip


def heads(period: ParcelPeriod) -> Iterator[Line]:
    """Every head that was published of these jackpots, with its signature: the books must still hold each of them."""
    stand = dict(Jackpot.objects.filter(premises=period.house).values_list("code", "last_seq"))
    path = heads_path()
    if not path.exists():
        return
    with path.open(encoding="ascii", errors="replace") as file:
        for text in file:
            try:
                head = read_head(text)
            except NotAHead:
                continue  # a proof names such a line; a parcel cannot say what it was
            # What was published while the parcel is written speaks of entries that came after its moment.
            if head.seq <= stand.get(head.jackpot, -1):
                yield {**head.plain(), "line": text.strip()}


# Another section is one line here, and the verifier checks its bytes and its lines by itself.
SECTIONS: Final[Sequence[ParcelSection]] = (
    ParcelSection("wins", wins),
    ParcelSection("slips", slips),
    ParcelSection("requests", requests),
    ParcelSection("evidence", evidence),
    ParcelSection("versions", versions),
    ParcelSection("people", people),
    ParcelSection("trail", trail),
    ParcelSection("heads", heads),
)


def jackpot_codes(house: Property) -> list[str]:
    return list(Jackpot.objects.filter(premises=house).order_by("code").values_list("code", flat=True))


def _of_win(win: Win) -> Line:
    return {
        "jackpot": win.jackpot.code, "id": win.pk, "slip": win.slip, "state": win.state,
        "amount": None if win.amount is None else stored_text(units_of(win.amount)),
        "gaming_day": None if win.gaming_day is None else win.gaming_day.isoformat(),
    }  # fmt: skip


def _payment(paid: Payment) -> Line:
    return {
        "gross": stored_text(units_of(paid.gross)), "withheld": stored_text(units_of(paid.withheld)),
        "net": stored_text(units_of(paid.net)), "seal": paid.seal,
        "receipts": [
            {"receipt": each.number, "gross": stored_text(units_of(each.gross)), "by": each.taker.username,
             "withheld": stored_text(units_of(each.withheld)), "net": stored_text(units_of(each.net)),
             "at": _utc(each.taken_at), "seal": each.seal}
            for each in receipts_of(paid)
        ],
    }  # fmt: skip


def _as_its_kind(row: Request) -> Any:
    """As its kind tells it to the trail; a kind that this version no longer has is told as it was kept."""
    try:
        kind = kind_of(row.kind)
        return kind.plain(kind.rows().get(pk=row.pk))
    except Refused:
        return row.payload


def _utc(moment: datetime | None) -> str | None:
    return None if moment is None else moment.astimezone(UTC).isoformat(timespec="microseconds")
