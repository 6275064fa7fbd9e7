"""Builders for the laboratory: the rows of a known progressive, and a small game of our own."""

from fractions import Fraction

from jackpot.laboratory.outcomes import BoardKind, Outcomes, Witness, independent
from jackpot.laboratory.setting import LabSetting
from jackpot.money import Money
from jackpot.terms.rules.paytable import ForOne, PartOfMeter, PayLine, PayTable, Source

ROWS = ("ROYAL5", "ROYAL7", "BOARD", "SF", "QUADS", "FH")
CHANCES = (
    Fraction(1, 649_740),
    Fraction(19, 649_740),
    Fraction(1, 649_740),
    Fraction(81, 290_836),
    Fraction(1, 595),
    Fraction(726, 27_965),
)
PAYS = (PartOfMeter(Fraction(1)), PartOfMeter(Fraction(1, 20)), ForOne(3000), ForOne(250), ForOne(100), ForOne(10))
KNOWN = independent(ROWS, CHANCES)
TABLE = PayTable("P", tuple(PayLine(row, row, pays) for row, pays in zip(ROWS, PAYS, strict=True)))


def setting(
    source: Source = "meter",
    rate: str = "0.70",
    reserve: str = "0.05",
    seed: str = "10000",
    limit: str | None = None,
    table: PayTable = TABLE,
) -> LabSetting:
    return LabSetting(
        table.paid_from(source),
        Money.of("1.00"),
        Fraction(rate),
        Fraction(reserve),
        Money.of(seed),
        Money.of(limit) if limit else None,
    )


SMALL_TABLE = PayTable("S", (PayLine("ALL", "All", PartOfMeter(Fraction(1))), PayLine("TEN", "Ten", ForOne(10))))
SMALL = independent(("ALL", "TEN"), (Fraction(1, 500), Fraction(1, 25)))
# One board in twenty-five brings TEN to every seat, the others bring ALL to few.
SHARED = Outcomes(
    ("ALL", "TEN"),
    (Fraction(1, 500), Fraction(1, 25)),
    (BoardKind(24, (1, 0)), BoardKind(1, (0, 480))),
    480,
    {2: (Witness("9c", (("Ah", "ALL"), ("Kd", "TEN"))), Witness("8c", (("2h", "TEN"), ("2d", "TEN"))))},
)
