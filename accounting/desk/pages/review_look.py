"""The review of rights on its page: the number of lines and a digest say nothing, so it leads to the list itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from django.urls import reverse

from accounting.desk.pages.look import RequestEffect, RequestFact, RequestLook

REVIEW_CODE: Final = "people_review"


class ReviewLook(RequestLook):
    """Whoever signs second has looked through the same lines as the first; the digest says that they are the same."""

    def facts(self, row: Any) -> Sequence[RequestFact]:  # noqa: ARG002  each kind takes what it needs
        return [RequestFact("The list", "everybody’s rights, line by line", reverse("people-review"))]

    def effect(self, row: Any) -> RequestEffect:
        seen = "I have looked through everybody’s rights, line by line." if row.is_open else ""
        return replace(super().effect(row), to_see=seen)
