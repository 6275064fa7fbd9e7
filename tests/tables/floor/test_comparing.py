"""What a box and restored books say of each other, and what follows."""

from __future__ import annotations

import pytest

from tables.floor.rules.comparing import WhatTheyKnow, compared


@pytest.mark.parametrize(
    ("known", "verdict", "says"),
    [
        (WhatTheyKnow(197, 36, 197, 36), "agrees", "agree up to round 197"),
        (WhatTheyKnow(198, 36, 197, 0), "agrees", "agree up to round 198"),
        (WhatTheyKnow(0, 0, 0, 0), "agrees", "agree up to round 0"),
        (WhatTheyKnow(197, 36, 354, 36), "missing", "up to 354, the books up to 197: 157 rounds are missing"),
        (WhatTheyKnow(197, 36, 198, 36), "missing", "1 round is missing"),
        (WhatTheyKnow(197, 36, 195, 36), "differs", "another box, or it lost its memory"),
        (WhatTheyKnow(197, 36, 197, 37), "differs", "saw slip 37; the books end at slip 36"),
        (WhatTheyKnow(197, 36, 354, 40), "missing", "157 rounds are missing"),
        (WhatTheyKnow(197, 36, 354, 36, "Round 190: so."), "differs", "Round 190: so. Two people look at it"),
    ],
)
def test_the_verdict(known: WhatTheyKnow, verdict: str, says: str) -> None:
    found, why = compared(known)
    assert found == verdict
    assert says in why
    assert len(f"Restored books. {why}") <= 200
