"""Facts to bytes. typst is imported on use; one page at a time in a process, some milliseconds each."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from accounting.paper.rules.copies import Form

TEMPLATES: Final = Path(__file__).parent / "templates"
RECEIPT_DOTS: Final = 203.2  # an inch: eight dots a millimetre, as thermal printers have
SCREEN_DOTS: Final = 110
_one_at_a_time = threading.Lock()


def page_bytes(facts: Mapping[str, Any], form: Form) -> bytes:
    """What is printed: a tagged PDF, for the receipt a picture. The same facts give the same bytes."""
    if form is Form.RECEIPT:
        return picture(facts, form, RECEIPT_DOTS)
    return document(facts, form)


def document(facts: Mapping[str, Any], form: Form) -> bytes:
    """A PDF that says of itself that everybody can have it read aloud (PDF/UA-1)."""
    import typst

    try:
        return _set(facts, form, own_fonts=True, format="pdf", pdf_standards=["ua-1"])
    except typst.TypstError:  # a name in letters that our fonts do not have: this machine's may
        return _set(facts, form, own_fonts=False, format="pdf")


def picture(facts: Mapping[str, Any], form: Form, dots: float = SCREEN_DOTS) -> bytes:
    return _set(facts, form, own_fonts=True, format="png", ppi=dots)


def rule_card_document(facts: Mapping[str, Any], form: Form) -> bytes:
    """A table's rule card; it may need a second page."""
    return _pages(facts, form, "rulecard.typ")


def par_sheet_document(facts: Mapping[str, Any], form: Form) -> bytes:
    """A par sheet; a long pay table needs a second page."""
    return _pages(facts, form, "parsheet.typ")


def report_document(facts: Mapping[str, Any], form: Form) -> bytes:
    """A report on as many pages as it has rows for."""
    return _pages(facts, form, "report.typ")


def tax_record_document(facts: Mapping[str, Any], form: Form) -> bytes:
    """Who got how much of a slip; several people may need a second page."""
    return _pages(facts, form, "taxrecord.typ")


def returned_document(facts: Mapping[str, Any], form: Form) -> bytes:
    """The paper of money that came back over the window."""
    return _pages(facts, form, "returned.typ")


def code_sheet_document(facts: Mapping[str, Any], form: Form) -> bytes:
    """One-time codes of devices, to be cut out and taken to the boxes."""
    return _pages(facts, form, "codes.typ")


def _pages(facts: Mapping[str, Any], form: Form, template: str) -> bytes:
    how: dict[str, Any] = {"format": "pdf", "at": facts["at"], "template": template}
    try:
        return _typeset(facts, form, own_fonts=True, pdf_standards=["ua-1"], **how)
    except _refused():
        return _typeset(facts, form, own_fonts=False, **how)


def _refused() -> type[Exception]:
    import typst

    refused: type[Exception] = typst.TypstError
    return refused


def _set(facts: Mapping[str, Any], form: Form, *, own_fonts: bool, **how: Any) -> bytes:
    name = "receipt.typ" if form is Form.RECEIPT else "page.typ"
    return _typeset(facts, form, own_fonts=own_fonts, at=facts["copy"]["at"], template=name, **how)


def _typeset(facts: Mapping[str, Any], form: Form, *, own_fonts: bool, at: int, template: str, **how: Any) -> bytes:
    # Keys in order and the copy's own time: the same facts are the same bytes, whoever sets them and when.
    text = json.dumps({**facts, "form": form.value}, sort_keys=True, ensure_ascii=False)
    with _one_at_a_time:
        made = _compiler(template, own_fonts).compile(sys_inputs={"facts": text}, timestamp=int(at), **how)
    assert isinstance(made, bytes), "a win page is one page"
    return made


@lru_cache(maxsize=8)
def _compiler(name: str, own_fonts: bool) -> Any:
    """Fonts come with the wheel: a page looks the same on every machine."""
    import typst

    fonts = typst.Fonts(include_system_fonts=not own_fonts)
    return typst.Compiler(TEMPLATES / name, root=TEMPLATES, font_paths=fonts)
