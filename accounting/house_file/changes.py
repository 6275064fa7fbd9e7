"""One line of what a load changes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from accounting.house_file.change_kind import ChangeKind
from accounting.house_file.parts import FilePart
from accounting.house_file.sections import CasinoRefused
from jackpot.refusals import Refused


@dataclass(frozen=True, slots=True)
class ChangedFact:
    """One fact that differs, by its name in the file and in a few words: "seats 6 → 7"."""

    fact: str
    words: str

    def __str__(self) -> str:
        return self.words


@dataclass(frozen=True, slots=True)
class FileChange:
    """ "+ table UTH-04: 7 seats" is new, "~ table UTH-04: seats 6 → 7" differs."""

    new: bool
    kind: ChangeKind
    code: str  # what it is called in the file: never the whole number of a card
    words: str
    facts: tuple[str, ...] = ()  # those that differ, by their names
    whom: str = ""  # the user name of whom it is about: nobody brings in, or signs, what is about themselves

    @property
    def subject(self) -> str:
        return f"{self.kind} {self.code}"

    def alters(self, *facts: str) -> bool:
        """Whether one of these facts differs; of something new every fact is."""
        return self.new or not set(facts).isdisjoint(self.facts)

    def __str__(self) -> str:
        return f"{'+' if self.new else '~'} {self.subject}: {self.words}"

    def plain(self) -> Mapping[str, Any]:
        """As it is kept with the request that asks for it."""
        return {"new": self.new, "kind": self.kind.value, "code": self.code, "words": self.words}


def added(kind: ChangeKind, code: str, words: str, *, whom: str = "") -> FileChange:
    return FileChange(new=True, kind=kind, code=code, words=words, whom=whom)


def altered(kind: ChangeKind, code: str, facts: Sequence[ChangedFact], *, whom: str = "") -> FileChange:
    words = "; ".join(map(str, facts))
    return FileChange(new=False, kind=kind, code=code, words=words, facts=tuple(each.fact for each in facts), whom=whom)


@contextmanager
def at(part: FilePart) -> Iterator[None]:
    """What an action refuses is refused with the line of the file that asked for it."""
    try:
        yield
    # It names its line already; wrapped again it would name two.
    except CasinoRefused:
        raise
    except Refused as refusal:
        raise part.refused(refusal) from None
