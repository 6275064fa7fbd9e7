"""The steps of a round as data, and a walker that knows which comes next and why another is wrong."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, get_args

from tables.games.packs import PackRefused, read_toml, seal

Order = Literal["once", "clockwise", "right_to_left", "left_of_player_dealer"]
When = Literal["always", "progressive", "folded", "dealer_fails"]


class NoSuchProcedure(ValueError):
    """A shuffler, a bank or a seat that the procedure does not know."""


@dataclass(frozen=True, slots=True)
class ProcedureStep:
    """One step: who does what, what is said, why it stands here, and where it is printed."""

    key: str
    who: str
    text: str
    why: str
    source: tuple[str, ...]
    say: str = ""
    order: Order = "once"
    when: When = "always"
    shufflers: frozenset[str] = frozenset()
    banks: frozenset[str] = frozenset()

    def belongs(self, shuffler: str, bank: str) -> bool:
        return (not self.shufflers or shuffler in self.shufflers) and (not self.banks or bank in self.banks)


@dataclass(frozen=True, slots=True)
class Irregularity:
    """What can go wrong, and what the rules say to it."""

    key: str
    text: str
    cure: str
    source: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ProcedureBook:
    """All steps of a game in their order, for every shuffler and bank, and its irregularities."""

    shufflers: Mapping[str, str]
    banks: Mapping[str, str]
    steps: tuple[ProcedureStep, ...]
    irregularities: tuple[Irregularity, ...]
    digest: str

    def steps_of(self, shuffler: str, bank: str) -> tuple[ProcedureStep, ...]:
        if shuffler not in self.shufflers:
            raise NoSuchProcedure(f"There is no shuffler {shuffler} here; there is {', '.join(self.shufflers)}.")
        if bank not in self.banks:
            raise NoSuchProcedure(f"There is no bank {bank} here; there is {', '.join(self.banks)}.")
        return tuple(step for step in self.steps if step.belongs(shuffler, bank))


@dataclass(frozen=True, slots=True)
class Scene:
    """The round that is dealt: its seats, who banks it, and what the cards will bring."""

    shuffler: str
    bank: str
    seats: tuple[int, ...]
    progressive: bool = False
    player_dealer: int | None = None
    folded: frozenset[int] = frozenset()
    dealer_fails: bool = False
    table_seats: int = 7


@dataclass(frozen=True, slots=True)
class DueStep:
    """One act that is due: a step, at a seat where it is done seat by seat."""

    step: ProcedureStep
    seat: int | None

    def __str__(self) -> str:
        return f"{self.step.key} at seat {self.seat}" if self.seat else self.step.key


@dataclass(frozen=True, slots=True)
class Remark:
    """What the walker says to an act: right, or wrong and why, and what was due instead."""

    right: bool
    why: str
    due: DueStep


@dataclass(frozen=True, slots=True)
class ProcedureWalk:
    """A round on its way: what is done, what is due, and the score. Acting gives a new walk; nothing is changed."""

    dues: tuple[DueStep, ...]
    done: int = 0
    remarks: tuple[Remark, ...] = field(default=())

    @property
    def next(self) -> DueStep | None:
        return self.dues[self.done] if self.done < len(self.dues) else None

    @property
    def finished(self) -> bool:
        return self.next is None

    @property
    def score(self) -> tuple[int, int]:
        """Right acts, and all acts."""
        return sum(remark.right for remark in self.remarks), len(self.remarks)

    def act(self, key: str, seat: int | None = None) -> "ProcedureWalk":
        """The walk after an act. A wrong act changes nothing but the score and says what was due, and why."""
        due = self.next
        if due is None:
            raise NoSuchProcedure("The round is over. Begin the next one.")
        if (key, seat) == (due.step.key, due.seat):
            return replace(self, done=self.done + 1, remarks=(*self.remarks, Remark(True, due.step.why, due)))
        return replace(self, remarks=(*self.remarks, Remark(False, self._why_wrong(key, seat, due), due)))

    def _why_wrong(self, key: str, seat: int | None, due: DueStep) -> str:
        places = [place for place, other in enumerate(self.dues) if (other.step.key, other.seat) == (key, seat)]
        if key == due.step.key:
            return f"Right step, wrong seat: seat {due.seat} is next. {due.step.why}"
        if places and places[0] < self.done:
            return f"That is done already. Now: {due.step.text} {due.step.why}"
        if places:
            return f"Too early. First: {due.step.text} {due.step.why}"
        return f"That is no step of this round. Now: {due.step.text} {due.step.why}"


def begin(book: ProcedureBook, scene: Scene) -> ProcedureWalk:
    """The walk through one round, at its first step."""
    _refuse_scene(scene)
    # What the cards will bring decides which steps come at all; the walker never guesses.
    wanted = {
        "always": True,
        "progressive": scene.progressive,
        "folded": bool(scene.folded),
        "dealer_fails": scene.dealer_fails,
    }
    steps = [step for step in book.steps_of(scene.shuffler, scene.bank) if wanted[step.when]]
    return ProcedureWalk(tuple(DueStep(step, seat) for step in steps for seat in _seats(step, scene)))


def _seats(step: ProcedureStep, scene: Scene) -> Sequence[int | None]:
    if step.order == "once":
        return (None,)
    seats = [seat for seat in scene.seats if step.when != "folded" or seat in scene.folded]
    # A folded seat was settled when it folded: it has no ante to get back and no hand to compare.
    if step.when == "dealer_fails" or step.key == "settle_seat":
        seats = [seat for seat in seats if seat not in scene.folded]
    match step.order:
        case "right_to_left":
            return sorted(seats, reverse=True)
        case "left_of_player_dealer":
            bank = scene.player_dealer or 0
            return sorted(seats, key=lambda seat: (seat - bank - 1) % scene.table_seats)
        case _:
            return sorted(seats)


def _refuse_scene(scene: Scene) -> None:
    if not scene.seats:
        raise NoSuchProcedure("A round needs a player at least.")
    wrong = [seat for seat in (*scene.seats, *scene.folded) if not 1 <= seat <= scene.table_seats]
    if wrong:
        raise NoSuchProcedure(f"There is no seat {wrong[0]}; this table has seats 1 to {scene.table_seats}.")
    if (scene.bank == "player_dealer") != (scene.player_dealer is not None):
        raise NoSuchProcedure("Say which seat banks the round, exactly when a player banks it.")
    if scene.player_dealer in scene.seats:
        raise NoSuchProcedure(f"Seat {scene.player_dealer} banks the round and does not play against itself.")


@cache
def load_procedures(path: Path) -> ProcedureBook:
    """The book from its pack; a wrong file is refused whole, with the reason."""
    content = read_toml(path)
    try:
        return ProcedureBook(
            shufflers=MappingProxyType(dict(content["shufflers"])),
            banks=MappingProxyType(dict(content["banks"])),
            steps=tuple(_step(entry, content) for entry in content["step"]),
            irregularities=tuple(
                Irregularity(**{**entry, "source": tuple(entry["source"])}) for entry in content["irregularity"]
            ),
            digest=seal(content),
        )
    except (KeyError, TypeError) as wrong:
        raise PackRefused(f"Pack {path.name} is refused whole: an entry is wrong or missing: {wrong}.") from None


@cache
def load_glossary(path: Path) -> tuple[tuple[str, str, str], ...]:
    """Word, meaning and where it is printed, in the order of the pack."""
    try:
        return tuple((term["word"], term["meaning"], term["source"]) for term in read_toml(path)["term"])
    except (KeyError, TypeError) as wrong:
        raise PackRefused(f"Pack {path.name} is refused whole: a term lacks {wrong}.") from None


def _step(entry: Mapping[str, Any], content: Mapping[str, Any]) -> ProcedureStep:
    known = {"key", "who", "text", "why", "source", "say", "order", "when", "shuffler", "bank"}
    unknown = sorted(set(entry) - known)
    if unknown:
        raise PackRefused(f"Step {entry.get('key')} has an unknown entry {unknown[0]}.")
    _one_of(entry, "order", get_args(Order))
    _one_of(entry, "when", get_args(When))
    for named, offered in (("shuffler", content["shufflers"]), ("bank", content["banks"])):
        strange = [name for name in entry.get(named, ()) if name not in offered]
        if strange:
            raise PackRefused(f"Step {entry['key']} is for the {named} {strange[0]}, which the pack does not have.")
    return ProcedureStep(
        entry["key"],
        entry["who"],
        entry["text"],
        entry["why"],
        tuple(entry["source"]),
        entry.get("say", ""),
        entry.get("order", "once"),
        entry.get("when", "always"),
        frozenset(entry.get("shuffler", ())),
        frozenset(entry.get("bank", ())),
    )


def _one_of(entry: Mapping[str, Any], name: str, offered: Sequence[str]) -> None:
    if name in entry and entry[name] not in offered:
        raise PackRefused(f"Step {entry['key']} has the {name} {entry[name]!r}; it is one of {', '.join(offered)}.")
