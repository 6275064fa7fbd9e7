"""A browser for the tests that need one."""

from __future__ import annotations

import shutil
from collections.abc import Mapping

# The one without windows first: the same engine for two thirds of the CPU.
NAMES = (
    "chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome",
)  # fmt: skip
HOW_TO_INSTALL = "apt-get install --no-install-recommends chromium-headless-shell, or chromium"


def find_chromium(environ: Mapping[str, str]) -> str | None:
    """What FAIRMETER_CHROMIUM names, else the first one on the path."""
    chosen = environ.get("FAIRMETER_CHROMIUM")
    if chosen:
        return shutil.which(chosen)
    return next((found for name in NAMES if (found := shutil.which(name))), None)
