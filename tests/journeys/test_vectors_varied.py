"""Each vector of the rule sheet under each change that the sheet does not print, worked out by hand.

Other parts, three jackpots on one chip, no reserve, a limit that is reached, two top hits at two tables, and the first
of three in the queue cancelled. `stands` is meter / reserve / overflow as the auditor reads them afterwards.

The vectors themselves go over the wires (test_rule_sheet, test_wins); here are figures: boxes and auditor are indoors.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.builders import a_pay_table
from tests.journeys.room import Room
from tests.journeys.story import played, three, told
from tests.tables.hits.test_hit import REF_B

ENVY = {"pay_table": a_pay_table(lines=[
    {"code": "royal", "name": "Royal flush", "part": "1", "envy": "1000.00"},
    {"code": "five", "name": "Five percent", "part": "1/20", "envy": "50.00"},
])}  # fmt: skip
FIXED = a_pay_table(source="meter")
FROM_METER = {"pay_table": FIXED}
NONE = {"reserve_rate": "0"}
V2 = {"rate": "17.33", "reserve_rate": "0"}

# name, (opening meter, reserve), terms, what happens, what stands then
ONE_JACKPOT: list[tuple[str, tuple[str, str], dict[str, Any], str, str]] = [
    # V2: 3 × 0.1733 = 0.5199 a round
    ("V2 a part", ("10000.00", "0.00"), V2,  # 5 % of 10,000.51 = 500.0255
     "A bets 1 4 7; A asks 4=five; A pays 4=500.03", "9500.4899 / 0.00 / 0.00"),
    ("V2 a reserve", ("10000.00", "0.00"), {"rate": "17.33", "reserve_rate": "3.33"},  # 0.0099 + 10,000 + 0.0999
     "A bets 1 4 7; A asks 1=royal; A pays 1=10000.51", "10000.1098 / 0.00 / 0.00"),
    ("V2 a limit", ("10000.00", "0.00"), {**V2, "limit": "10000.51"},  # what overflowed before the mark stays
     "A bets 1 4 7; A asks 1=royal; A pays 1=10000.51", "10000.00 / 0.00 / 0.0099"),
    ("V2 two tables", ("10000.00", "0.00"), V2,  # 10,001.0398 at both marks; 0.0098 stays each time
     "A bets 1 4 7; B bets 2 3 5; A asks 7=royal; B asks 5=royal; B waits; A pays 7=10001.03; B pays 5=10000.00",
     "10000.0098 / 0.00 / 0.00"),
    ("V2 the first of three cancelled", ("10000.00", "0.00"), V2,  # 9 × 0.1733 = 1.5597
     ("A bets 1 4 7; B bets 2 3 5; C bets 4 5 6; A asks 1=royal; B asks 2=royal; C asks 6=royal; A rejects; C waits;"
     "B pays 2=10001.55; C pays 6=10000.00"), "10000.0097 / 0.00 / 0.00"),
    # V4: a royal and a lower part in one round, counter-clockwise
    ("V4 the royal farther right than a five", ("19998.60", "617.15"), {},  # 5 % of 10,617.25 = 530.8625
     "A bets 2 6; A asks 2=five 6=royal; A pays 6=20000.00 2=530.86", "10086.39 / 0.00 / 0.00"),
    ("V4 no reserve", ("19998.60", "0.00"), NONE,
     "A bets 2 6; A asks 2=royal 6=straight_flush; A pays 6=2000.00 2=18000.00", "10000.00 / 0.00 / 0.00"),
    ("V4 a limit", ("19998.60", "617.15"), {"limit": "19999.60"},  # 1.40 came, 1.00 fits
     "A bets 2 6; A asks 2=royal 6=straight_flush; A pays 6=1999.96 2=17999.64", "10617.25 / 0.00 / 0.40"),
    ("V4 two tables", ("19997.90", "617.10"), {},
     ("A bets 2 6; B bets 4; A asks 2=royal 6=straight_flush; B asks 4=royal; B waits; A pays 6=2000.00 2=18000.00;"
     "B pays 4=10617.25"), "10000.00 / 0.00 / 0.00"),
    ("V4 the first of three cancelled", ("19997.20", "617.05"), {},
     ("A bets 3; B bets 2 6; C bets 1; A asks 3=straight_flush; B asks 2=royal 6=straight_flush; C asks 1=royal;"
     "A rejects; C waits; B pays 6=2000.00 2=18000.00; C pays 1=10617.25"), "10000.00 / 0.00 / 0.00"),
    # V5: frozen at the mark while another table plays
    ("V5 a part", ("19999.30", "617.20"), {},
     "A bets 6; A marks 6=five; B plays 2 3 7; A asks; A pays 6=1000.00", "19002.10 / 617.40 / 0.00"),
    ("V5 no reserve and cancelled", ("19999.30", "0.00"), NONE,
     "A bets 6; A marks 6=royal; B plays 2 3 7; A asks; A rejects", "20002.10 / 0.00 / 0.00"),
    ("V5 a limit and cancelled", ("19999.30", "617.20"), {"limit": "20001.00"},
     "A bets 6; A marks 6=royal; B plays 2 3 7; A asks; A rejects", "20001.00 / 617.40 / 1.10"),
    # V5b: a second royal behind the first
    ("V5b no reserve", ("19999.30", "0.00"), NONE,
     ("A bets 1; A asks 1=royal; B bets 2 4 6; B asks 4=royal; C plays 1 2 3 4; B waits; A pays 1=20000.00;"
     "B pays 4=10002.10"), "10002.80 / 0.00 / 0.00"),
    ("V5b a limit", ("19999.30", "617.20"), {"limit": "20001.00"},  # A's reset takes the 3.90 that overflowed since
     ("A bets 1; A asks 1=royal; B bets 2 4 6; B asks 4=royal; C plays 1 2 3 4; B waits; A pays 1=20000.00;"
     "B pays 4=10622.15"), "10000.15 / 0.20 / 0.00"),
    ("V5b a limit and the first cancelled", ("19999.30", "617.20"), {"limit": "20001.00"},  # 2.80 since B's mark
     "A bets 1; A asks 1=royal; B bets 2 4 6; B asks 4=royal; C plays 1 2 3 4; A rejects; B pays 4=20001.00",
     "10620.20 / 0.20 / 1.10"),
    ("V5b a limit and older overflow", ("19999.30", "617.20"), {"limit": "20001.00", "overflow": "5.00"},  # 5.00 stays
     ("A bets 1; A asks 1=royal; B bets 2 4 6; B asks 4=royal; C plays 1 2 3 4; B waits; A pays 1=20000.00;"
     "B pays 4=10622.15"), "10000.15 / 0.20 / 5.00"),
    # A's reset returns 8.40 (7.00 came before B's mark) and its limit cuts 6.40 off again: that is due at B's reset
    ("V5b the first reset reaches the limit", ("10010.00", "7.95"), {"limit": "10010.00", "overflow": "5.00"},
     ("A bets 1; A asks 1=royal; C plays 1 2 3 4 5 6 7; B bets 1 2 3; B asks 1=royal; C plays 1 2; B waits;"
     "A pays 1=10010.00; B pays 1=10010.00"), "10006.90 / 0.10 / 5.70"),
    ("V5b all the overflow and the first reset reaches the limit", ("10010.00", "7.95"),
     {"limit": "10010.00", "overflow": "5.00", "policy": {"overflow_at_reset": "all"}},  # 14.10, then 12.10
     ("A bets 1; A asks 1=royal; C plays 1 2 3 4 5 6 7; B bets 1 2 3; B asks 1=royal; C plays 1 2; B waits;"
     "A pays 1=10010.00; B pays 1=10010.00"), "10010.00 / 0.10 / 2.60"),
    ("V5b three, and the first two resets reach the limit", ("10010.00", "29.95"), {"limit": "10010.00"},
     # 0.70 before A's mark, 5.60 and 3.50 between the marks, 1.40 after. A: 10,000 + 30.00 + 10.50, cut 30.50.
     # B: 10,000 + 0.40 + 30.50, cut 20.90. C: 10,000 + 0.25 + 20.90, cut 11.15
     ("A bets 1; A asks 1=royal; D plays 1 2 3 4 5 6 7; B bets 1; B asks 1=royal; C bets 1 2 3 4 5; C asks 1=royal;"
     "D plays 1 2; C waits; A pays 1=10010.00; C waits; B pays 1=10010.00; C pays 1=10010.00"),
     "10010.00 / 0.10 / 11.85"),
    ("V4 two royals of a round, and the first reset reaches the limit", ("10010.00", "15.90"),
     {"limit": "10010.00", "overflow": "5.00"},  # 16.00 of reserve, 6.00 of it cut off; the second reset takes it
     "A bets 1 2; A asks 1=royal 2=royal; A pays 2=10010.00 1=10010.00", "10006.00 / 0.00 / 6.40"),
    # V6: two of the same part in one round
    ("V6 two fives", ("19998.60", "617.15"), {},
     "A bets 3 7; A asks 3=five 7=five; A pays 7=1000.00 3=950.00", "18050.00 / 617.25 / 0.00"),
    ("V6 no reserve, clockwise", ("19998.60", "0.00"), {**NONE, "policy": {"order": "clockwise"}},
     "A bets 1 4; A asks 1=straight_flush 4=straight_flush; A pays 1=2000.00 4=1800.00", "16200.00 / 0.00 / 0.00"),
    ("V6 a limit", ("19999.00", "617.15"), {"limit": "20000.00"},
     "A bets 3 7; A asks 3=straight_flush 7=straight_flush; A pays 7=2000.00 3=1800.00", "16200.00 / 617.25 / 0.40"),
    ("V6 a royal behind", ("19997.90", "617.10"), {},
     ("A bets 3 7; B bets 2; A asks 3=straight_flush 7=straight_flush; B asks 2=royal; B waits;"
     "A pays 7=2000.00 3=1800.00; B pays 2=16200.00"), "10617.25 / 0.00 / 0.00"),
    ("V6 the first of three cancelled", ("19997.20", "617.05"), {},
     ("A bets 1; B bets 3 7; C bets 2; A asks 1=royal; B asks 3=straight_flush 7=straight_flush;"
     "C asks 2=straight_flush; A rejects; C waits; B pays 7=2000.00 3=1800.00; C pays 2=1620.00"),
     "14580.00 / 617.25 / 0.00"),
    # V7: fixed from the meter, several seats in one act
    ("V7 another board", ("497.90", "0.00"), {**FROM_METER, **NONE},  # the third 250.00 comes from the house
     "A bets 1 2 3; A asks 1=straight_flush 2=straight_flush 3=straight_flush; A pays 3=250.00 2=250.00 1=250.00",
     "0.00 / 0.00 / 0.00"),
    ("V7 a limit", ("18640.00", "0.00"), {**FROM_METER, **NONE, "limit": "18641.50"},
     ("A bets 1 2 3 4 5 6 7;"
     "A asks 1=royal_community 2=royal_community 3=royal_community 4=royal_community 5=royal_community"
     " 6=royal_community 7=royal_community; A pays 7=3000.00 6=3000.00 5=3000.00 4=3000.00 3=3000.00 2=3000.00"
     " 1=3000.00"), "0.00 / 0.00 / 3.40"),
    ("V7 a royal frozen elsewhere", ("18636.60", "0.00"), {**FROM_METER, **NONE},  # its basis is nobody else's
     ("A bets 1 2 3 4 5 6; B bets 3; B asks 3=royal_first_5; A asks 1=royal_community 2=royal_community;"
     "A pays 2=3000.00 1=3000.00; B pays 3=18641.50"), "10000.00 / 0.00 / 0.00"),
    ("V7 the first of three cancelled", ("18638.70", "0.00"), {**FROM_METER, **NONE},  # fixed awards never queue
     ("A bets 1; B bets 2 4; C bets 5; A asks 1=royal_community; B asks 2=royal_community 4=royal_community;"
     "C asks 5=straight_flush; A rejects; C pays 5=250.00; B pays 4=3000.00 2=3000.00"), "12391.50 / 0.00 / 0.00"),
    # V8: a part is rounded
    ("V8 ten per cent", ("18640.87", "0.00"), {},  # 1,864.157
     "A bets 2; A asks 2=straight_flush; A pays 2=1864.16", "16777.41 / 0.05 / 0.00"),
    ("V8 rounded down", ("18640.87", "0.00"), {"rounding": "down"},  # 932.0785
     "A bets 2; A asks 2=five; A pays 2=932.07", "17709.50 / 0.05 / 0.00"),
    ("V8 at the limit", ("18641.57", "0.00"), {**NONE, "limit": "18641.57"},
     "A bets 2; A asks 2=five; A pays 2=932.08", "17709.49 / 0.00 / 0.70"),
    ("V8 two tables", ("18640.17", "0.00"), NONE,  # 5 % of 17,709.49 = 885.4745
     "A bets 2; B bets 5; A asks 2=five; B asks 5=five; B waits; A pays 2=932.08; B pays 5=885.47",
     "16824.02 / 0.00 / 0.00"),
    ("V8 the first of three cancelled", ("18639.47", "0.00"), NONE,
     ("A bets 1; B bets 2; C bets 5; A asks 1=royal; B asks 2=five; C asks 5=five; A rejects; C waits; B pays 2=932.08;"
     "C pays 5=885.47"), "16824.02 / 0.00 / 0.00"),
    # V11: at the limit
    ("V11 a part leaves the overflow where it is", ("19999.30", "617.20"), {"limit": "20001.00"},
     "A bets 4; A marks 4=five; B plays 1 2 3; A asks; A pays 4=1000.00", "19001.00 / 617.40 / 1.10"),
    ("V11 no reserve", ("19999.30", "0.00"), {**NONE, "limit": "20001.00"},  # 1.00 left + 10,000 + 1.10
     "A bets 4; A marks 4=royal; B plays 1 2 3; A asks; A pays 4=20000.00", "10002.10 / 0.00 / 0.00"),
    ("V11 overflow as revenue", ("19999.30", "617.20"), {"limit": "20001.00", "policy": {"overflow": "revenue"}},
     "A bets 4; A marks 4=royal; B plays 1 2 3; A asks; A pays 4=20000.00", "10618.25 / 0.15 / 0.00"),
    ("V11 all the overflow at the reset", ("20000.65", "617.20"),
     {"limit": "20001.00", "policy": {"overflow_at_reset": "all"}},  # 0.35 before the mark, 1.40 since
     "A bets 4; A marks 4=royal; B plays 1 2; A asks; A pays 4=20001.00", "10619.00 / 0.10 / 0.00"),
    ("V11 the reseed reaches the limit", ("10299.30", "617.20"), {"limit": "10500.00"},  # 10,617.25 does not fit
     "A bets 4; A asks 4=royal; A pays 4=10300.00", "10500.00 / 0.00 / 117.25"),
    # V12: the sum of the act
    ("V12 a part below", ("99999.10", "0.00"), {},
     "A bets 3; A asks 3=five; A supervised 3=4999.99", "94999.81 / 0.05 / 0.00"),
    ("V12 a part at the threshold", ("99999.30", "0.00"), {},
     "A bets 3; A asks 3=five; A level; A pays 3=5000.00", "95000.00 / 0.05 / 0.00"),
    ("V12 held below by a limit", ("4999.99", "0.00"), {**NONE, "limit": "4999.99", "seed": "1000.00"},
     "A bets 3; A asks 3=royal; A supervised 3=4999.99", "1000.00 / 0.00 / 0.70"),
    ("V12 two acts are not one", ("4998.59", "0.00"), {**NONE, "seed": "4999.99"},
     "A bets 3; B bets 5; A asks 3=royal; B asks 5=royal; A supervised 3=4999.99; B supervised 5=4999.99",
     "4999.99 / 0.00 / 0.00"),
    ("V12 the first of three cancelled", ("4997.90", "0.00"), {**NONE, "seed": "4999.99"},
     ("A bets 1; B bets 3; C bets 5; A asks 1=straight_flush; B asks 3=royal; C asks 5=royal; B waits; A rejects;"
     "B level; B pays 3=5000.00; C supervised 5=4999.99"), "4999.99 / 0.00 / 0.00"),
    ("V12 fixed awards in one act", ("18638.00", "0.00"), {**FROM_METER, **NONE},
     ("A bets 1 5; A asks 1=royal_community 5=royal_community; A level; A pays 5=3000.00 1=3000.00; A bets 1 2 3;"
     "A asks 2=royal_community; A supervised 2=3000.00"), "9641.50 / 0.00 / 0.00"),
    # V14: fixed from the meter beside a royal of the same round
    ("V14 clockwise", ("19998.60", "0.00"), {**FROM_METER, "policy": {"order": "clockwise"}},  # 0.10 of reserve
     "A bets 3 6; A asks 3=royal_first_5 6=full_house; A pays 3=20000.00 6=10.00", "9990.10 / 0.00 / 0.00"),
    ("V14 no reserve", ("19998.60", "0.00"), {**FROM_METER, **NONE},
     "A bets 3 6; A asks 3=royal_first_5 6=full_house; A pays 6=10.00 3=19990.00", "10000.00 / 0.00 / 0.00"),
    ("V14 a part of 5 %", ("19998.60", "0.00"), {**FROM_METER, **NONE},  # 5 % of 19,990.00
     "A bets 3 6; A asks 3=royal_first_7 6=full_house; A pays 6=10.00 3=999.50", "18990.50 / 0.00 / 0.00"),
    ("V14 a limit", ("19999.00", "0.00"), {**FROM_METER, **NONE, "limit": "20000.00"},
     "A bets 3 6; A asks 3=royal_first_5 6=full_house; A pays 6=10.00 3=19990.00", "10000.00 / 0.00 / 0.40"),
    ("V14 two tables", ("19997.90", "0.00"), {**FROM_METER, **NONE},
     ("A bets 3 6; B bets 1; A asks 3=royal_first_5 6=full_house; B asks 1=royal_first_5; B waits;"
     "A pays 6=10.00 3=19990.00; B pays 1=10000.00"), "10000.00 / 0.00 / 0.00"),
    ("V14 the first of three cancelled", ("19997.20", "0.00"), {**FROM_METER, **NONE},
     ("A bets 7; B bets 3 6; C bets 1; A asks 7=royal_first_7; B asks 3=royal_first_5 6=full_house;"
     "C asks 1=royal_first_5; A rejects; C waits; B pays 6=10.00 3=19990.00; C pays 1=10000.00"),
     "10000.00 / 0.00 / 0.00"),
    # V16: envy
    ("V16 at a part", ("19997.90", "617.10"), ENVY,
     "A bets 2 4 7; A asks 4=five; A pays 4=1000.00 7=50.00 2=50.00", "18900.00 / 617.25 / 0.00"),
    ("V16 no reserve", ("19997.90", "0.00"), {**ENVY, **NONE},
     "A bets 1 3 5; A asks 5=royal; A pays 5=20000.00 3=1000.00 1=1000.00", "8000.00 / 0.00 / 0.00"),
    ("V16 a limit", ("19998.60", "617.10"), {**ENVY, "limit": "20000.00"},
     "A bets 1 3 5; A asks 1=royal; A pays 1=20000.00 5=1000.00 3=1000.00", "8617.25 / 0.00 / 0.70"),
    ("V16 two tables", ("19997.20", "617.05"), ENVY,
     ("A bets 2 4 7; B bets 6; A asks 2=royal; B asks 6=royal; B waits; A pays 2=20000.00 7=1000.00 4=1000.00;"
     "B pays 6=8617.25"), "10000.00 / 0.00 / 0.00"),
    ("V16 the first of three cancelled", ("19996.50", "617.00"), ENVY,
     ("A bets 1; B bets 2 4 7; C bets 6; A asks 1=royal; B asks 2=royal; C asks 6=five; A rejects; C waits;"
     "B pays 2=20000.00 7=1000.00 4=1000.00; C pays 6=430.86"), "8186.39 / 0.00 / 0.00"),
    # V18: a round elsewhere is voided before the approval
    ("V18 a part", ("19995.80", "616.95"), {},
     "B plays 1 2 3 4 5; A bets 6; A asks 6=five; B voids 1; A pays 6=1000.00", "18996.50 / 617.00 / 0.00"),
    ("V18 no reserve", ("19995.80", "0.00"), NONE,
     "B plays 1 2 3 4 5; A bets 6; A asks 6=royal; B voids 1; A pays 6=20000.00", "10000.00 / 0.00 / 0.00"),
    ("V18 a limit", ("19999.65", "616.95"), {"limit": "20000.00"},  # the void takes 0.35 and 3.15 of overflow back
     "B plays 1 2 3 4 5; A bets 6; A asks 6=royal; B voids 1; A pays 6=20000.00", "10616.65 / 0.00 / 0.70"),
    ("V18 two tables", ("19995.10", "616.90"), {},
     ("B plays 1 2 3 4 5; A bets 6; C bets 2; A asks 6=royal; C asks 2=royal; B voids 1; C waits; A pays 6=20000.00;"
     "C pays 2=10617.00"), "10000.00 / 0.00 / 0.00"),
    ("V18 the first of three cancelled", ("19994.40", "616.85"), {},
     ("B plays 1 2 3 4 5; A bets 6; C bets 2; D bets 1; A asks 6=royal; C asks 2=royal; D asks 1=five; B voids 1;"
     "A rejects; D waits; C pays 2=20000.00; D pays 1=530.85"), "10082.65 / 0.00 / 0.00"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("opening", "terms", "story", "stands"), [each[1:] for each in ONE_JACKPOT], ids=[each[0] for each in ONE_JACKPOT]
)
def test_one_jackpot(
    room_indoors: Room, opening: tuple[str, str], terms: dict[str, Any], story: str, stands: str
) -> None:
    played(room_indoors.ref_b(4, *opening, **terms), story)
    assert told(room_indoors) == stands


ROYAL = [{"code": "royal", "name": "Royal flush", "part": "1"}]
KEPT = (("GRAND", "20000.00", "100.00", "50", "1", "10000.00"), ("MIDI", "3000.00", "0.00", "20", "1", "1000.00"),
        ("MINI", "150.00", "0.00", "10", "1", "100.00"))  # fmt: skip
CLEAN = (("GRAND", "19999.00", "0.00", "50", "0", "10000.00"), ("MIDI", "2999.60", "0.00", "20", "0", "1000.00"),
         ("MINI", "149.80", "0.00", "10", "0", "100.00"))  # fmt: skip
FIRST_5 = [{"code": "royal_first_5", "name": "Royal flush, first 5 cards", "part": "1"}]
GRAND_FIXED = (*CLEAN[0], {"pay_table": FIXED})
THREE: list[tuple[str, Any, Any, str, str]] = [
    ("V2", ROYAL, (("GRAND", "10000.00", "0.00", "17.33", "0", "10000.00"),
                   ("MIDI", "3000.00", "0.00", "7.77", "0", "1000.00"),
                   ("MINI", "150.00", "0.00", "3.33", "0", "100.00")),
     "A bets 1 4 7; A asks 7=royal; A pays 7=10000.51 7=3000.23 7=150.09",
     "10000.0099 / 0.00 / 0.00 · 1000.0031 / 0.00 / 0.00 · 100.0099 / 0.00 / 0.00"),
    ("V4", REF_B, CLEAN, ("A bets 2 6; A asks 2=royal 6=straight_flush;"
     "A pays 6=2000.00 2=18000.00 6=300.00 2=2700.00 6=15.00 2=135.00"),
     "10000.00 / 0.00 / 0.00 · 1000.00 / 0.00 / 0.00 · 100.00 / 0.00 / 0.00"),
    ("V5 cancelled", ROYAL, KEPT, "A bets 6; A asks 6=royal; B plays 2 3 7; A rejects",
     "20002.00 / 100.04 / 0.00 · 3000.80 / 0.04 / 0.00 · 150.40 / 0.04 / 0.00"),
    ("V5b", ROYAL, KEPT, ("A bets 6; A asks 6=royal; B bets 2 3 7; B asks 7=royal; B waits;"
     "A pays 6=20000.50 6=3000.20 6=150.10; B pays 7=10101.51 7=1000.61 7=100.31"),
     "10000.03 / 0.00 / 0.00 · 1000.03 / 0.00 / 0.00 · 100.03 / 0.00 / 0.00"),
    ("V6", REF_B, CLEAN, ("A bets 3 7; A asks 3=straight_flush 7=straight_flush;"
     "A pays 7=2000.00 3=1800.00 7=300.00 3=270.00 7=15.00 3=13.50"),
     "16200.00 / 0.00 / 0.00 · 2430.00 / 0.00 / 0.00 · 121.50 / 0.00 / 0.00"),
    ("V7", FIRST_5, (GRAND_FIXED, *CLEAN[1:]), ("A bets 1 5; A asks 1=royal_community 5=royal_community;"
     "A pays 5=3000.00 1=3000.00"), "14000.00 / 0.00 / 0.00 · 3000.00 / 0.00 / 0.00 · 150.00 / 0.00 / 0.00"),
    ("V8", REF_B, (("GRAND", "18641.07", "0.00", "50", "0", "10000.00"),
                   ("MIDI", "2999.93", "0.00", "20", "0", "1000.00"), ("MINI", "150.01", "0.00", "10", "0", "100.00")),
     "A bets 5; A asks 5=five; A pays 5=932.08 5=150.01 5=7.51",
     "17709.49 / 0.00 / 0.00 · 2850.12 / 0.00 / 0.00 · 142.60 / 0.00 / 0.00"),
    ("V11", ROYAL, ((*KEPT[0], {"limit": "20000.20"}), KEPT[1], (*KEPT[2], {"limit": "150.10"})),
     "A bets 6; A marks 6=royal; B plays 2 3 7; A asks; A pays 6=20000.20 6=3000.20 6=150.10",
     "10101.51 / 0.03 / 0.30 · 1000.61 / 0.03 / 0.00 · 100.31 / 0.03 / 0.00"),
    ("V14", FIRST_5, (GRAND_FIXED, *CLEAN[1:]), ("A bets 3 6; A asks 3=royal_first_5 6=full_house;"
     "A pays 6=10.00 3=19990.00 3=3000.00 3=150.00"),
     "10000.00 / 0.00 / 0.00 · 1000.00 / 0.00 / 0.00 · 100.00 / 0.00 / 0.00"),
    ("V16", [{**ROYAL[0], "envy": "100.00"}], CLEAN,
     "A bets 2 6; A asks 2=royal; A pays 2=20000.00 6=100.00 2=3000.00 6=100.00 2=150.00 6=100.00",
     "9900.00 / 0.00 / 0.00 · 900.00 / 0.00 / 0.00 · 0.00 / 0.00 / 0.00"),
    ("V18", ROYAL, KEPT, "B plays 1 2 3 4 5; A bets 6; A asks 6=royal; B voids 1; A pays 6=20003.00 6=3001.20 6=150.60",
     "10097.51 / 0.00 / 0.00 · 1000.00 / 0.00 / 0.00 · 100.00 / 0.00 / 0.00"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("lines", "levels", "story", "stands"), [each[1:] for each in THREE], ids=[each[0] for each in THREE]
)
def test_three_jackpots_of_one_chip(room_indoors: Room, lines: Any, levels: Any, story: str, stands: str) -> None:
    played(room_indoors.opens(three(lines, *levels, tables=2)), story)
    assert told(room_indoors, ("GRAND", "MIDI", "MINI")) == stands
