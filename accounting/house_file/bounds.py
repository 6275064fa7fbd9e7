"""What no house needs and the reader of TOML does not bear: keys of thousands of parts, lists in lists without end.

Its time grows with the square of a key's parts, and it gives up by faults of its own. So a file is looked through once,
past its texts and comments, before it is read.
"""

from __future__ import annotations

import re
from typing import Final

MOST_DOTS: Final = 64  # in a line, outside of texts: a key has four parts at most
DEEPEST: Final = 16
WIDEST: Final = 80
# From left to right, as the reader does: a mark of a text within a comment begins none, and the other way round.
_SPOKEN: Final = re.compile(
    r'"""(?:\\.|[^\\])*?"""|' + r"'''.*?'''|" + r'"(?:\\.|[^"\\\n])*"|' + r"'[^'\n]*'|#[^\n]*", re.DOTALL
)
_WIDE: Final = re.compile(rf"[0-9A-Fa-f_]{{{WIDEST},}}")


def beyond_bounds(text: str) -> tuple[int, str] | None:
    """The line and the sentence of what is not even read; None for every file that a house may have."""
    depth = 0
    for number, line in enumerate(_SPOKEN.sub(_only_its_lines, text).split("\n"), start=1):
        if line.count(".") > MOST_DOTS:
            return number, f"this line has more than {MOST_DOTS} points outside of texts. A key has a few parts."
        if _WIDE.search(line) is not None:
            return number, f"this number has {WIDEST} digits or more. Amounts are texts, such as “20000.00”."
        for sign in line:
            depth += (sign in "[{") - (sign in "]}")
            if depth > DEEPEST:
                return number, f"lists and tables stand more than {DEEPEST} deep in each other. No house is so deep."
    return None


def _only_its_lines(spoken: re.Match[str]) -> str:
    """Something stood there, so many lines long."""
    return "'" + "\n" * spoken[0].count("\n")
