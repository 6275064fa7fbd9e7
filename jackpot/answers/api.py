"""A request that names itself: its repeat hears the stored answer, and nothing happens twice.

Every door of the API is asked here (`jackpot.web.api.once`). As with a page's form the key is written in the act's own
transaction, beside its line in the trail; the answer follows behind the commit.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import Any, Final
from uuid import uuid4

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.db import InterfaceError, OperationalError
from drf_spectacular.utils import OpenApiParameter
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from jackpot.answers.actions import SentForm, answered, count_form, forget_form, keep_answer, one_asking
from jackpot.answers.rules import check_key
from jackpot.trail.actions.trail import beside_the_line
from jackpot.web.api.once import HEADER, said_again

KEY: Final = OpenApiParameter(
    HEADER, str, OpenApiParameter.HEADER, required=True,
    description="8 to 60 letters and digits of your own; a repeat with the same key hears the stored answer.",
)  # fmt: skip
# What only a person knows: no digest of it is kept. All else is part of what a key stands for, a card's number too.
UNKEPT: Final = ("pin", "password")
LONGEST_KEPT: Final = 100_000


def answer_once(request: Request, work: Callable[[], dict[str, Any]]) -> Response:
    """For what is not done without a key. The rest is what every door does (`once_per_key`)."""
    check_key(request.headers.get(HEADER, ""))
    return Response({"ok": True, **work(), "repeat": False})


def once_per_key(door: Any, request: Request, act: Callable[[], Any]) -> Any:
    """Does it once per person and key; of two at the same moment the second hears what the first was told."""
    key = request.headers.get(HEADER, "")
    if not key or not request.user.is_authenticated or getattr(door, "only_looks", False):
        return act()
    check_key(key)
    sent = SentForm(request.user.username, key, _digest(request), str(uuid4()), prefix="")
    with one_asking(actor=sent.actor, key=key):
        known = answered(sent)
        if known is not None:
            return said_again(known["said"], known["status"])
        response = _marked(sent, act)
        if not isinstance(response, Response) or response.status_code >= 400:
            forget_form(sent)  # a file leaves nothing to say again, and what was refused was not done
        else:
            with suppress(OperationalError, InterfaceError):  # what it said is a comfort; that it counted stands
                keep_answer(sent, _as_said_again(response, getattr(door, "tells_once", ())))
    return response


def _marked(sent: SentForm, act: Callable[[], Any]) -> Any:
    mark = beside_the_line.set(partial(count_form, sent))
    try:
        return act()
    except (OperationalError, InterfaceError):
        raise  # not sure: where the act stands, its key stands with it
    except Exception:
        forget_form(sent)
        raise
    finally:
        beside_the_line.reset(mark)


def _as_said_again(response: Response, tells_once: tuple[str, ...]) -> dict[str, Any]:
    """As it is said again; of secrets and one-time codes nothing is kept, and they are null then."""
    said = json.loads(JSONRenderer().render(response.data))
    if len(json.dumps(said)) > LONGEST_KEPT:
        return {}
    return {"status": response.status_code, "said": _without(said, tells_once)}


def _without(said: Any, names: tuple[str, ...]) -> Any:
    match said:
        case dict():
            return {name: None if name in names else _without(each, names) for name, each in said.items()}
        case list():
            return [_without(each, names) for each in said]
    return said


def _digest(request: Request) -> str:
    """Keyed: a payee's number has nine digits, a card's not many more, and nobody counts them back without the file."""
    words = {"method": request.method, "to": request.get_full_path(), "said": _words(request.data)}
    key = hmac.digest(settings.MASTER_KEY, b"asked over the API", "sha256")
    return hmac.digest(key, json.dumps(words, sort_keys=True).encode(), "sha256").hex()


def _words(said: Any) -> Any:
    match said:
        case Mapping():
            return {str(name): _words(said[name]) for name in said if not str(name).endswith(UNKEPT)}
        case list() | tuple():
            return [_words(each) for each in said]
        case UploadedFile():
            content = hashlib.sha256()
            for part in said.chunks():
                content.update(part)
            said.seek(0)
            return [str(said), content.hexdigest()]
    return said
