"""SVG to PNG by the same wheel that sets the win pages."""

from __future__ import annotations

from typing import Final

DOTS: Final = 144.0  # an inch
SHEET: Final = b"""#set page(width: auto, height: auto, margin: 0pt)
#image(bytes(sys.inputs.svg), format: "svg")
"""


def picture(svg: str) -> bytes:
    # On use: the library is large, and most processes never draw a picture.
    import typst

    made = typst.compile(SHEET, sys_inputs={"svg": svg}, format="png", ppi=DOTS)
    assert isinstance(made, bytes), "one picture is one page"
    return made
