"""Photos for tests: real ones, since nothing else is kept."""

from __future__ import annotations

from io import BytesIO
from typing import Any

from PIL import Image


def a_photo(kind: str = "JPEG", size: tuple[int, int] = (64, 48), colour: str = "green", **more: Any) -> bytes:
    file = BytesIO()
    Image.new("RGB", size, colour).save(file, kind, **more)
    return file.getvalue()
