"""Which program serves here, as the install log has it."""

from __future__ import annotations

from jackpot.software.models import InstalledBuild


def build_serving() -> str:
    """The first letters of its digest; nothing before a worker ever started."""
    build: str | None = InstalledBuild.objects.order_by("-id").values_list("build", flat=True).first()
    return (build or "")[:12]
