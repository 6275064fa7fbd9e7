"""How often a preview that was asked for is looked after, and when its delay is an alarm."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from jackpot.errands.rules import Rhythm

PREVIEWS: Final = Rhythm("finish previews", every=timedelta(seconds=10), alarm_after=timedelta(minutes=5))
