"""docs/traceability.md, made of docs/traceability.toml: python3 -m tests.traceability writes it anew."""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from textwrap import fill
from typing import Any, Final

PROJECT: Final = Path(__file__).resolve().parent.parent
FACTS, PAGE = PROJECT / "docs" / "traceability.toml", PROJECT / "docs" / "traceability.md"
KEPT, PARTLY = "kept", "partly"
WIDTH: Final = 118
_RANGE: Final = re.compile(r"(\d+)(?:-(\d+))?")
HEAD: Final = """# From the sources to the tests

Every sentence of the four source documents, what it says in our words, where the house keeps it and which tests hold
it, each by its function. A sentence that is repeated is one entry with every place it stands at. Made of
[traceability.toml](traceability.toml) by `python3 -m tests.traceability`; a test fails when a line of a source has no
statement, when a path or a test is not there, or when this page is not what the file says.

"""


@dataclass(frozen=True)
class Statement:
    """Lines of the sources that say one thing."""

    source: str
    says: str
    place: list[str]
    tests: list[str] = field(default_factory=list)
    state: str = KEPT
    why: str = ""

    @property
    def places(self) -> int:
        """How often it stands in the sources."""
        return self.source.count(",") + self.source.count(";") + 1

    def lines(self) -> Iterator[tuple[str, int]]:
        """Each line it stands on, by document and number."""
        for part in self.source.split(";"):
            document, _, ranges = part.strip().partition(":")
            for each in ranges.split(","):
                found = _RANGE.fullmatch(each.strip())
                assert found is not None, f"“{each.strip()}” of {self.source} is no line and no range"
                first = int(found[1])
                yield from ((document, line) for line in range(first, int(found[2] or first) + 1))


def facts() -> tuple[dict[str, dict[str, Any]], list[Statement]]:
    content = tomllib.loads(FACTS.read_text(encoding="utf-8"))
    return content["documents"], [Statement(**each) for each in content["statement"]]


def sorted_out(statements: list[Statement]) -> tuple[list[Statement], list[Statement], list[Statement]]:
    """Those that tests hold, those kept partly, and those that no test can hold."""
    partly = [each for each in statements if each.state == PARTLY]
    whole = [each for each in statements if each.state != PARTLY]
    return [each for each in whole if each.tests], partly, [each for each in whole if not each.tests]


def page() -> str:
    """Short lines: a list for each statement rather than a table that no terminal holds."""
    documents, statements = facts()
    told = [f"- **{code}**: {each['name']} ({each['lines']} lines)\n" for code, each in documents.items()]
    kept, partly, read = (sum(each.places for each in of) for of in sorted_out(statements))
    count = (
        f"{len(statements)} sentences at {kept + partly + read} places: {kept} held by tests, {read} only read, "
        f"{partly} partly kept.\n"
    )
    return HEAD + "".join(told) + "\n" + count + "".join(f"\n{_shown(each)}" for each in statements)


def _shown(each: Statement) -> str:
    lines = [f"## {each.source}\n", f"\n{fill(each.says, WIDTH)}\n"]
    if each.state == PARTLY:
        lines.append(f"\n{fill(f'**Partly.** {each.why}', WIDTH)}\n")
    elif each.why:
        lines.append(f"\n{fill(each.why, WIDTH)}\n")
    lines += [f"\n- kept in `{path}`" for path in each.place]
    lines += [f"\n- held by `{name}`\n  in `{path}`" for path, _, name in (test.partition("::") for test in each.tests)]
    return "".join(lines) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    sys.stdout.write(f"{PAGE.name} is written.\n")
