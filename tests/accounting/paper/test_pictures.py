"""Win pages as pictures: the same facts look as they looked when somebody last looked at them.

After a wanted change of the templates: FAIRMETER_NEW_PICTURES=1, look at every file in `pictures`, then keep them.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, Final

import pytest

from accounting.paper.printing.typeset import picture
from accounting.paper.rules.copies import Form
from accounting.paper.rules.raster import grey_of

KEPT: Final = Path(__file__).parent / "pictures"
DOTS: Final = 72
OTHERS: Final = 20  # so many dots may differ by the last bit of another processor's arithmetic


def facts(**changed: Any) -> dict[str, Any]:
    """An original of a royal, its day, names and seals fixed for ever."""
    return {**json.loads((KEPT / "royal.json").read_text()), **changed}


def differing(form: Form, told: dict[str, Any]) -> int:
    kept = grey_of((KEPT / f"{form.value}.png").read_bytes()).astype(int)
    made = grey_of(picture(told, form, DOTS)).astype(int)
    return int((abs(kept - made) > 60).sum()) if kept.shape == made.shape else made.size


@pytest.mark.parametrize("form", list(Form))
def test_every_form_looks_as_it_was_looked_at(form: Form) -> None:
    if os.environ.get("FAIRMETER_NEW_PICTURES"):
        (KEPT / f"{form.value}.png").write_bytes(picture(facts(), form, DOTS))
    assert differing(form, facts()) <= OTHERS


@pytest.mark.parametrize("form", list(Form))
@pytest.mark.parametrize(
    "changed",
    [{"slip": "8"}, {"amount": "$19,001.38"}, {"words": "Nineteen thousand one dollars"}],
    ids=lambda changed: next(iter(changed)),
)
def test_another_page_looks_otherwise(form: Form, changed: dict[str, Any]) -> None:
    assert differing(form, facts(**changed)) > OTHERS
