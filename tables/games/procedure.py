"""The steps of a round as data, and a walker that knows which comes next and why another is wrong."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import groupby, pairwise
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, get_args

from tables.games.packs import PackRefused, read_toml, seal

Order = Literal["once", "clockwise", "right_to_left", "left_of_player_dealer"]
When = Literal[
    "always", "progressive", "hit", "folded", "tucked", "given_up", "dealer_fails", "dealer_plays",
    "won", "lost", "tied", "stayed", "shown", "unmarked",
]  # fmt: skip
CARD_PROFILE = "card"


class NoSuchProcedure(ValueError):
    """A shuffler, a bank, a controller or a seat that the procedure does not know."""


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
    turn: str = ""
    when: When = "always"
    settles: tuple[str, ...] = ()
    takes: tuple[str, ...] = ()
    judged: bool = False
    shufflers: frozenset[str] = frozenset()
    banks: frozenset[str] = frozenset()
    profiles: frozenset[str] = frozenset()

    def belongs(self, shuffler: str, bank: str, profile: str | None) -> bool:
        """Whether it is a step there; without a profile the steps of every controller are."""
        return (
            (not self.shufflers or shuffler in self.shufflers)
            and (not self.banks or bank in self.banks)
            and (not self.profiles or profile is None or profile in self.profiles)
        )


@dataclass(frozen=True, slots=True)
class Irregularity:
    """What can go wrong, and what the rules say to it."""

    key: str
    text: str
    cure: str
    source: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Shuffler:
    """How the cards come, and the names of the machines that give them so: what a dealer reads on the label."""

    key: str
    names: tuple[str, ...]
    text: str
    source: tuple[str, ...]

    @property
    def label(self) -> str:
        return f"{' or '.join(self.names)}: {self.text}"


@dataclass(frozen=True, slots=True)
class ProcedureBook:
    """All steps of a game in their order, for every shuffler, bank and controller, and its irregularities."""

    machines: tuple[Shuffler, ...]
    banks: Mapping[str, str]
    profiles: Mapping[str, str]
    steps: tuple[ProcedureStep, ...]
    irregularities: tuple[Irregularity, ...]
    digest: str

    @property
    def shufflers(self) -> Mapping[str, str]:
        return {machine.key: machine.label for machine in self.machines}

    def steps_of(self, shuffler: str, bank: str, profile: str | None = None) -> tuple[ProcedureStep, ...]:
        """The steps there, in their order; without a profile those of every controller, one beside the other."""
        for what, asked, known in (
            ("shuffler", shuffler, self.shufflers),
            ("bank", bank, self.banks),
            ("controller profile", profile or CARD_PROFILE, self.profiles),
        ):
            if asked not in known:
                raise NoSuchProcedure(f"There is no {what} {asked} here; there is {', '.join(known)}.")
        return tuple(step for step in self.steps if step.belongs(shuffler, bank, profile))


@dataclass(frozen=True, slots=True)
class Scene:
    """The round that is dealt: its seats, who banks it, and what the cards will bring.

    `tucked` are folded seats with a bonus bet that lives on, `hits` seats that won a row of the progressive.
    Of the seats that stayed in, those neither lost nor tied have won.
    """

    shuffler: str
    bank: str
    seats: tuple[int, ...]
    progressive: bool = False
    player_dealer: int | None = None
    folded: frozenset[int] = frozenset()
    dealer_fails: bool = False
    table_seats: int = 7
    profile: str = CARD_PROFILE
    tucked: frozenset[int] = frozenset()
    hits: frozenset[int] = frozenset()
    lost: frozenset[int] = frozenset()
    tied: frozenset[int] = frozenset()

    def seats_for(self, when: When) -> frozenset[int]:
        """The seats that a step is for; none where what it waits for did not happen."""
        everybody, nobody = frozenset(self.seats), frozenset[int]()
        stayed = everybody - self.folded
        shown = stayed | self.tucked
        return {
            "always": everybody,
            "progressive": everybody if self.progressive else nobody,
            "hit": self.hits,
            "folded": self.folded,
            "tucked": self.tucked,
            "given_up": self.folded - self.tucked,
            "dealer_fails": stayed if self.dealer_fails else nobody,
            "dealer_plays": nobody if self.dealer_fails else stayed,
            "won": stayed - self.lost - self.tied,
            "lost": stayed & self.lost,
            "tied": stayed & self.tied,
            "stayed": stayed,
            "shown": shown,
            "unmarked": shown - self.hits,
        }[when]

    def in_order(self, order: Order) -> Sequence[int]:
        match order:
            case "right_to_left":
                return sorted(self.seats, reverse=True)
            case "left_of_player_dealer":
                bank = self.player_dealer or 0
                return sorted(self.seats, key=lambda seat: (seat - bank - 1) % self.table_seats)
            case _:
                return sorted(self.seats)


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
        places = [
            place
            for place, other in enumerate(self.dues)
            if other.step.key == key and (seat is None or other.seat == seat)
        ]
        if key == due.step.key:
            return f"Right step, wrong seat: seat {due.seat} is next. {due.step.why}"
        if places and places[-1] < self.done:
            return f"That is done already. Now: {due.step.text} {due.step.why}"
        if places:
            return f"Too early. First: {due.step.text} {due.step.why}"
        return f"That is no step of this round. Now: {due.step.text} {due.step.why}"


def begin(book: ProcedureBook, scene: Scene) -> ProcedureWalk:
    """The walk through one round, at its first step."""
    _refuse_scene(scene)
    # What the cards will bring decides which steps come at all; the walker never guesses.
    steps = [step for step in book.steps_of(scene.shuffler, scene.bank, scene.profile) if scene.seats_for(step.when)]
    # A step without a turn stands alone: its own identity keeps two such neighbours apart.
    together = groupby(steps, key=lambda step: step.turn or id(step))
    return ProcedureWalk(tuple(due for _, turn in together for due in _turn(tuple(turn), scene)))


def _turn(steps: Sequence[ProcedureStep], scene: Scene) -> Iterator[DueStep]:
    """Steps of one turn are all done for a seat before the next seat comes."""
    if steps[0].order == "once":
        yield from (DueStep(step, None) for step in steps)
        return
    for seat in scene.in_order(steps[0].order):
        yield from (DueStep(step, seat) for step in steps if seat in scene.seats_for(step.when))


def _refuse_scene(scene: Scene) -> None:
    if not scene.seats:
        raise NoSuchProcedure("A round needs a player at least.")
    wrong = [seat for seat in (*scene.seats, *scene.folded) if not 1 <= seat <= scene.table_seats]
    if wrong:
        raise NoSuchProcedure(f"There is no seat {wrong[0]}; this table has seats 1 to {scene.table_seats}.")
    if (scene.bank == "player_dealer") != (scene.player_dealer is not None):
        raise NoSuchProcedure("Say which seat banks the round, exactly when a player banks it.")
    strangers = (scene.folded | scene.hits | scene.lost | scene.tied) - set(scene.seats) | scene.tucked - scene.folded
    if strangers:
        raise NoSuchProcedure(f"Seat {min(strangers)} is not among the seats that play, or lives on without a fold.")
    if scene.player_dealer in scene.seats:
        raise NoSuchProcedure(f"Seat {scene.player_dealer} banks the round and does not play against itself.")


# Once a process: a pack changes only with the program.
@cache
def load_procedures(path: Path) -> ProcedureBook:
    """The book from its pack; a wrong file is refused whole, with the reason."""
    content = read_toml(path)
    try:
        return ProcedureBook(
            machines=tuple(Shuffler(**_with_tuples(entry)) for entry in content["shuffler"]),
            banks=MappingProxyType({entry["key"]: entry["text"] for entry in content["bank"]}),
            profiles=MappingProxyType({entry["key"]: entry["text"] for entry in content["profile"]}),
            steps=_steps(content),
            irregularities=tuple(Irregularity(**_with_tuples(entry)) for entry in content["irregularity"]),
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


def _with_tuples(entry: Mapping[str, Any]) -> dict[str, Any]:
    return {name: tuple(value) if isinstance(value, list) else value for name, value in entry.items()}


def _steps(content: Mapping[str, Any]) -> tuple[ProcedureStep, ...]:
    steps = tuple(_step(entry, content) for entry in content["step"])
    for first, second in pairwise(steps):
        apart = first.banks and second.banks and not first.banks & second.banks
        # One turn goes round the seats once, so its steps cannot go round in two directions.
        if first.turn and first.turn == second.turn and first.order != second.order and not apart:
            raise PackRefused(f"Steps {first.key} and {second.key} share a turn and go round in different orders.")
    return steps


def _step(entry: Mapping[str, Any], content: Mapping[str, Any]) -> ProcedureStep:
    known = {"key", "who", "text", "why", "source", "say", "order", "turn", "when", "settles", "takes", "judged"}
    unknown = sorted(set(entry) - known - set(_NAMED))
    if unknown:
        raise PackRefused(f"Step {entry.get('key')} has an unknown entry {unknown[0]}.")
    _one_of(entry, "order", get_args(Order))
    _one_of(entry, "when", get_args(When))
    for named in _NAMED:
        offered = {one["key"] for one in content[named]}
        strange = [name for name in entry.get(named, ()) if name not in offered]
        if strange:
            raise PackRefused(f"Step {entry['key']} is for the {named} {strange[0]}, which the pack does not have.")
    plain = {name: value for name, value in entry.items() if name in known}
    kept_to: dict[str, Any] = {f"{named}s": frozenset(entry.get(named, ())) for named in _NAMED}
    return ProcedureStep(**_with_tuples(plain), **kept_to)


_NAMED = ("shuffler", "bank", "profile")  # what a step can be kept to


def _one_of(entry: Mapping[str, Any], name: str, offered: Sequence[str]) -> None:
    if name in entry and entry[name] not in offered:
        raise PackRefused(f"Step {entry['key']} has the {name} {entry[name]!r}; it is one of {', '.join(offered)}.")
