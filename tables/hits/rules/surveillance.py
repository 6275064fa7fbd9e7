"""What surveillance ticks off at a hit. Which of it a house asks for is its policy."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

CAMERA_TIME: Final = "camera_time"
ITEMS: Final[Mapping[str, str]] = {
    CAMERA_TIME: "Camera time",
    "seat": "Seat in the picture",
    "cards": "Cards visible",
}
