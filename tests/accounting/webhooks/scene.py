"""A house with events and an administrator who sends them somewhere."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from accounting.feed.actions.numbering import number_events
from accounting.webhooks.actions.registering import RegisteredWebhook
from accounting.webhooks.actions.wire import PostAnswer
from jackpot.people.models import Operator
from jackpot.requests.models import Request
from tests.builders import a_person, a_property
from tests.ways_out import a_registered_webhook


def chief() -> Operator:
    return Operator.objects.filter(username="chief").first() or a_person("chief", may=("see", "read_trail", "people"))


def some_events(count: int) -> None:
    """So many requests, asked for and numbered."""
    person = chief()
    for _ in range(count):
        Request.objects.create(
            premises=person.premises, kind="people", reason="to be told", asked_by=person, asked_by_name=person.name
        )
    number_events()


def registered(
    address: str = "https://reports.example/events",
    *,
    kinds: Sequence[str] = ("books", "requests", "days"),
    after: int | None = 0,
    **more: Any,
) -> RegisteredWebhook:
    wish: dict[str, Any] = {
        "premises": a_property(), "name": "Figures", "reason": "follows the house", "by": chief(), **more,
    }  # fmt: skip
    return a_registered_webhook(address=address, kinds=kinds, after=after, **wish)


@dataclass
class Post:
    """Stands for the wire where the wire is not the point: answers in turn, keeps what was sent."""

    answers: list[PostAnswer] = field(default_factory=list)
    sent: list[tuple[str, bytes, dict[str, str]]] = field(default_factory=list)
    meanwhile: Callable[[], object] = lambda: None

    def __call__(self, address: str, body: bytes, headers: Mapping[str, str]) -> PostAnswer:
        self.sent.append((address, body, dict(headers)))
        meanwhile, self.meanwhile = self.meanwhile, lambda: None  # once
        meanwhile()
        return self.answers.pop(0) if self.answers else PostAnswer(True, "It answered 200 (OK).")


REFUSES = PostAnswer(False, "It answered 500 (Internal Server Error). A delivery counts once it answers 2xx.")
