"""Whom a request has to be told to, as every page of a request shows it."""

from __future__ import annotations

from typing import Any, Final

from django import template
from django.utils import timezone

from jackpot.notices.models import Notice
from jackpot.property.rules.notice import NoticeState
from jackpot.requests.models import Request

register = template.Library()
NOTICE_LOOKS: Final = {
    NoticeState.OPEN: ("due", "gold", "◔"),
    NoticeState.OVERDUE: ("overdue", "down", "!"),
    NoticeState.DONE: ("done", "ok", "✓"),
    NoticeState.FALLEN: ("no longer due", "", "■"),
}


@register.inclusion_tag("jackpot/notices/of_request.html")
def notices_of(row: Request) -> dict[str, Any]:
    found, now = Notice.objects.filter(request_id=row.pk).select_related("win"), timezone.now()
    return {"row": row, "notices": [(each, NOTICE_LOOKS[each.state(now)]) for each in found]}
