"""Style sheets and scripts are looked for once a run, not once for every client and every server that a test makes."""

from __future__ import annotations

from typing import Any

from whitenoise.middleware import WhiteNoiseMiddleware


def found_once() -> None:
    """WhiteNoise walks every folder of static files whenever a handler is made; nothing changes there meanwhile."""
    walk = WhiteNoiseMiddleware.add_files_from_finders
    found: dict[str, Any] = {}

    def remembered(self: WhiteNoiseMiddleware) -> None:
        if not found:
            walk(self)
            found.update(self.files)
        self.files.update(found)

    WhiteNoiseMiddleware.add_files_from_finders = remembered
