"""The house beside its rule book: what it asks, what stands, and what this house decided otherwise."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from accounting.reports.rules.declaring import (
    LongText,
    OfficeReport,
    Reckoned,
    ReckonedRows,
    ReportColumn,
    ReportGroup,
    ReportQuestion,
)
from jackpot.property.models.property import Property
from jackpot.rule_books.queries import beside_its_rule_book, rule_book_coded
from jackpot.rule_books.rules.comparing import RuleBookLine
from jackpot.rule_books.rules.rule_book import RuleBook

OTHERWISE, OWN_CARE, KEPT, AS_ASKED = "decided otherwise", "the house sees to it", "every house here", "as asked"
_PLACE: Final = {OTHERWISE: 0, OWN_CARE: 1, AS_ASKED: 2, KEPT: 3}


def rule_book_rows(question: ReportQuestion) -> ReckonedRows:
    """What differs comes first; a rule book whose file is gone is said, and nothing is compared."""
    premises = Property.objects.get(pk=question.premises_id)
    book = rule_book_coded(premises.rule_book)
    if book is None:
        note = f"The rule book {premises.rule_book} is not here any more. Put its file back, or choose another one."
        return ReckonedRows([], note)
    lines = beside_its_rule_book(premises, question.now)
    rows = [*map(_line, lines), *_sentences(book)]
    differing = sum(not line.agrees for line in lines)
    told = f"{book.name}. {book.about} This house decided otherwise in {differing} of {len(lines)}."
    return ReckonedRows(sorted(rows, key=lambda row: row["place"]), told)


def _line(line: RuleBookLine) -> dict[str, Any]:
    verdict = AS_ASKED if line.agrees else OTHERWISE
    return {
        "place": _PLACE[verdict], "what": line.label, "jackpot": line.where, "asked": line.asked,
        "stands": line.stands, "verdict": verdict, "why": line.why, "source": line.source,
    }  # fmt: skip


def _sentences(book: RuleBook) -> Iterator[dict[str, Any]]:
    for each in book.sentences:
        verdict = KEPT if each.kept else OWN_CARE
        yield {
            "place": _PLACE[verdict], "what": each.why, "jackpot": "", "asked": "", "stands": each.kept,
            "verdict": verdict, "why": "", "source": each.source,
        }  # fmt: skip


RULE_BOOK: Final = OfficeReport(
    code="rule-book", title="The house beside its rule book", group=ReportGroup.HOUSE,
    about="Switch by switch what the chosen rule book asks and what stands, with where it is written.",
    columns=(
        ReportColumn("what", "What", text=LongText.LINES),
        ReportColumn("jackpot", "Jackpot", leads="/jackpots/{jackpot}/versions/"),
        ReportColumn("asked", "Rule book", text=LongText.LINES),
        ReportColumn("stands", "This house", text=LongText.LINES), ReportColumn("verdict", "Verdict"),
        ReportColumn("why", "Why", text=LongText.LINES), ReportColumn("source", "Written in", text=LongText.LINES),
    ),
    note="Switches of the house are changed under Setting up, those of approval under Authority, those of terms under "
    "Terms; each by two people once a jackpot stands.",
    hidden=("place",), takes=(), order=("place", "what", "jackpot"), source=Reckoned(rule_book_rows),
    verbs=("read_books", "close_day", "set_up", "read_trail"),
)  # fmt: skip

RULE_BOOK_REPORTS: Final = (RULE_BOOK,)
