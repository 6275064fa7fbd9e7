"""What every act of two people on a jackpot shares: its books are locked, it is computed, posted, kept and told."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, ClassVar

from jackpot.adjusting.actions.contra import AwardDifference
from jackpot.adjusting.models import Adjustment
from jackpot.adjusting.rules.adjusting import NAMES, NOTICES, Adjusting, jackpot_state_after, waits_for_hits
from jackpot.books import events
from jackpot.books.actions.post import Books, EntryReference, open_books
from jackpot.books.actions.writing import Posting
from jackpot.books.models.jackpot import Jackpot
from jackpot.books.rules.entry_kind import EntryKind
from jackpot.books.rules.movement import ACCOUNTS, Balances, Movement
from jackpot.evidence.actions.keep import check_evidence
from jackpot.money import Money
from jackpot.notices.actions.raising import raise_notices
from jackpot.people.models import Operator
from jackpot.refusals import NotAllowed, NotAllowedNow
from jackpot.requests.actions.life import move_on
from jackpot.requests.models import RequestEntry
from jackpot.requests.rules.life import RequestAct
from jackpot.signing.actions.approver import SecondPerson
from jackpot.signing.actions.deciding import decided, note
from jackpot.signing.actions.kinds import ComparedValue, RequestKind
from jackpot.trail.actions.trail import record
from jackpot.trail.rules import objects
from jackpot.wins.models import Win
from jackpot.wins.rules.win_life import OPEN


@dataclass(frozen=True, slots=True)
class LedgerStep:
    """One entry that the act posts."""

    jackpot_id: int
    kind: EntryKind
    movement: Movement


@dataclass(frozen=True, slots=True)
class AdjustmentPreview:
    """Balances and state of each jackpot before and after, and what later winners would then be owed."""

    jackpots: Mapping[str, Mapping[str, Any]]
    differences: Sequence[AwardDifference] = ()
    underpaid: AwardDifference | None = None

    def plain(self) -> dict[str, Any]:
        told = {"jackpots": self.jackpots, "differences": [each.plain() for each in self.differences]}
        return told if self.underpaid is None else {**told, "underpaid": self.underpaid.plain()}


def jackpots_of(row: Adjustment) -> list[int]:
    # By id, as every act locks them.
    return sorted({row.its_jackpot_id, *([row.other_id] if row.other_id else [])})


class AdjustmentKind(RequestKind[Adjustment]):
    """A kind of act on a jackpot: a module beside this one says what it posts, and when it is refused."""

    model = Adjustment
    may_ask: ClassVar[frozenset[str]] = frozenset({"adjust"})
    may_sign: ClassVar[frozenset[str]] = frozenset({"sign_adjustments"})
    signed_by_card = True
    follows = ("jackpot__premises", "jackpot__version", "other", "win__version", "win__jackpot", "cause__win", "card")
    kind: ClassVar[Adjusting]
    asked_while_open: ClassVar[bool] = False  # asking may come first; the decision waits for the hit

    def __init__(self) -> None:
        self.code, self.name = self.kind.value, NAMES[self.kind]

    @abstractmethod
    def steps(self, books: Books, row: Adjustment) -> list[LedgerStep]:
        """The entries of this act as of now; a refusal names the thing and the cure."""

    def check_asked(self, row: Adjustment) -> None:
        """What the floor must know before, such as a round that still runs."""

    def differences(self, row: Adjustment) -> Sequence[AwardDifference]:  # noqa: ARG002  each kind takes what it needs
        """Later winners whose awards counted from what this undoes."""
        return ()

    def moves_state(self, row: Adjustment, head: Any) -> dict[str, Any]:  # noqa: ARG002  each kind takes what it needs
        """Columns of the jackpot's row that go with its new state."""
        return {}

    def keep(self, books: Books, row: Adjustment, approver: SecondPerson) -> None:
        """What else is written with the act."""

    def post(self, books: Books, row: Adjustment, step: LedgerStep, approver: SecondPerson) -> Posting:
        entry = EntryReference(self.key(books, row, step), self.digested(row, approver))
        return books.post(step.jackpot_id, step.kind, step.movement, entry)

    def key(self, books: Books, row: Adjustment, step: LedgerStep) -> str:  # noqa: ARG002  each kind takes what it needs
        # The books take a key once, so a request is posted once whatever becomes of its answer.
        return f"{step.kind}/{row.pk}"

    def digested(self, row: Adjustment, approver: SecondPerson) -> bytes:
        return row.sealed(approver.operator.username)

    @contextmanager
    def lock(self, row: Adjustment) -> Iterator[Books]:
        with open_books(jackpots_of(row)) as books:
            yield books

    def planned(self, books: Books, row: Adjustment, *, asking: bool = False) -> list[LedgerStep]:
        """The entries as of now. Whoever asks may ask while a hit is open; who decides waits until it is settled."""
        head = books.heads[row.its_jackpot_id]
        if jackpot_state_after(head.state, self.kind) is None:
            cure = (
                "Nothing can be done twice."
                if self.kind != Adjusting.RESUME
                else "Only a suspended jackpot is resumed."
            )
            raise NotAllowedNow(f"{head.code} is {head.state}; {self.name.lower()} is refused. {cure}", "state")
        self.check_asked(row)
        waits = waits_for_hits(self.kind, row.account, row.pays)
        if waits and not (asking and self.asked_while_open):
            self.check_hits(row)
        return self.steps(books, row)

    def check_hits(self, row: Adjustment) -> None:
        """While a hit is open its amount is frozen: nothing may change under it."""
        rows = Win.objects.filter(jackpot_id__in=jackpots_of(row), state__in=OPEN)
        first = rows.select_related("jackpot").order_by("jackpot_id", "mark_seq").first()
        if first is None:
            return
        where = f"{first.line_name} at {first.table_code}, round {first.round_number}, seat {first.seat}"
        what = f"Settle slip {first.slip} first" if first.slip else "Settle this hit first"
        raise NotAllowedNow(f"{what}: {where} is still open on {first.jackpot.code}.", "hits_open")

    def previewed(self, books: Books, row: Adjustment, steps: Sequence[LedgerStep]) -> AdjustmentPreview:
        """Before and after, jackpot by jackpot."""
        after = {jackpot_id: books.heads[jackpot_id].balances for jackpot_id in jackpots_of(row)}
        # One after the other: a retirement that sends its money on has two entries in the same books.
        for step in steps:
            after[step.jackpot_id] = after[step.jackpot_id].after(step.movement)
        shown = {
            books.heads[jackpot_id].code: {
                "before": _plain(books.heads[jackpot_id].balances, books.heads[jackpot_id].state),
                "after": _plain(after[jackpot_id], self._state(books, row, jackpot_id)),
            }
            for jackpot_id in [row.its_jackpot_id, *([row.other_id] if row.other_id else [])]
        }
        return AdjustmentPreview(shown, self.differences(row))

    def sign(self, scene: Books, row: Adjustment, approver: SecondPerson, *, seen: bool) -> None:
        """Everything is computed again under the lock, posted, kept and told; or refused."""
        # Not as it was asked for: the meter has moved since, and another act may have come between.
        steps = self.planned(scene, row)
        shown = self.previewed(scene, row, steps)
        # Computed anew: a later winner may have come since the request was shown, and nobody has seen that one.
        if shown.differences and not seen:
            raise _unseen(shown)
        posted = [self.post(scene, row, step, approver) for step in steps]
        assert posted, "an approved act has its entries"
        head = scene.heads[row.its_jackpot_id]
        decided(row, approver, head.now)
        move_on(row, RequestAct.COUNT)
        row.gaming_day, row.posted = head.gaming_day, {**shown.plain(), **self.beside(row)}
        row.save()
        # Entry by entry, as the proof asks both ways: no such entry without its request, no request without its entry.
        RequestEntry.objects.bulk_create(
            RequestEntry(request=row, jackpot_id=each.jackpot_id, seq=each.seq) for each in posted
        )
        self.keep(scene, row, approver)
        self._move_state(scene, row)
        self._tell(row, approver)

    def beside(self, row: Adjustment) -> dict[str, Any]:  # noqa: ARG002  each kind takes what it needs
        """What is kept with the posted balances, as it stood at that moment."""
        return {}

    def compared(self, row: Adjustment) -> list[ComparedValue]:
        """Every account that moves, jackpot by jackpot, as whoever asked saw it or as it was posted."""
        return [
            ComparedValue(f"{code} {account}", str(each["before"][account]), str(after))
            for code, each in (row.posted or row.preview).get("jackpots", {}).items()
            for account, after in each["after"].items()
            if each["before"][account] != after
        ]

    def check_person(self, row: Adjustment, who: Operator) -> None:
        if who.premises_id not in (None, row.premises_id):
            raise NotAllowed(f"{row.its_jackpot.code} belongs to another house than {who}.", "other_house")

    def check_signer(self, row: Adjustment, approver: SecondPerson) -> None:
        super().check_signer(row, approver)
        check_evidence(row)

    def subject(self, row: Adjustment) -> str:
        return f"adjustment {row.pk}"

    def plain(self, row: Adjustment) -> dict[str, Any]:
        return row.plain()

    def _state(self, books: Books, row: Adjustment, jackpot_id: int) -> str:
        state = books.heads[jackpot_id].state
        moves = jackpot_id == row.its_jackpot_id
        return (jackpot_state_after(state, self.kind) or state) if moves else state

    def _move_state(self, books: Books, row: Adjustment) -> None:
        head = books.heads[row.its_jackpot_id]
        state = jackpot_state_after(head.state, self.kind)
        if state != head.state:
            Jackpot.objects.filter(id=row.its_jackpot_id).update(state=state, **self.moves_state(row, head))

    def _tell(self, row: Adjustment, approver: SecondPerson) -> None:
        """The trail, the task to notify where there is one, and every process with signs."""
        more = {"approved_by": str(approver.operator), "entries": row.entry_text}
        note(self, row, approver.operator, "approve", row.reason, **more)
        if self.kind in NOTICES:
            record(
                actor="server", act="notify", about=objects.request(row.pk, row.premises_id),
                subject=self.subject(row), outcome="due", why=NOTICES[self.kind],
                details={**self.plain(row), **more},
            )  # fmt: skip
        # Which rule of notices counts goes by the gaming day of the books, like everything else of this act.
        assert row.decided_at is not None, "whoever signed did it at a moment of the books"
        subject, amount = f"{row}, {row.its_jackpot.code}", row.amount_money
        raise_notices(request=row, subject=subject, at=row.decided_at, amount=amount)
        events.notify(f"{row.kind} {row.its_jackpot.code}")


def _unseen(shown: AdjustmentPreview) -> NotAllowedNow:
    later = [f"{each.owed} to {each.win.line_name} at {each.win.table_code}" for each in shown.differences]
    return NotAllowedNow(
        f"Later awards counted from this one: {'; '.join(later)}. Two people must have seen it.", "differences"
    )


def _plain(balances: Balances, state: str) -> dict[str, str]:
    amounts = zip(ACCOUNTS, balances.columns(), strict=True)
    return {"state": state, **{account: str(Money(units)) for account, units in amounts}}
