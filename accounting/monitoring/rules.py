"""Families of figures, and their text as Prometheus reads it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

ESCAPED: Final = str.maketrans({"\\": r"\\", '"': r"\"", "\n": r"\n"})


@dataclass(frozen=True, slots=True)
class FigureFamily:
    """One name with its samples: each row is the words of its labels, in their order, and the figure."""

    name: str
    kind: Literal["gauge", "counter"]
    about: str
    labels: tuple[str, ...] = ()
    sql: str = ""

    def text(self, rows: Iterable[Sequence[Any]]) -> Iterator[str]:
        yield f"# HELP {self.name} {self.about}"
        yield f"# TYPE {self.name} {self.kind}"
        for *words, figure in rows:
            if figure is not None:
                yield f"{self.name}{self._labelled(words)} {_plain(figure)}"

    def _labelled(self, words: Sequence[Any]) -> str:
        told = zip(self.labels, words, strict=True)
        named = ",".join(f'{label}="{str(word).translate(ESCAPED)}"' for label, word in told)
        return f"{{{named}}}" if named else ""


def _plain(figure: Any) -> str:
    return str(int(figure)) if isinstance(figure, bool) else str(figure)
