from __future__ import annotations

import re
from pathlib import Path

import orjson
import pytest

from tables.gateway.messages import NotAMessage, read_message, signature_of, stored_answer

PROTOCOL = (Path(__file__).parents[3] / "docs" / "device-protocol.md").read_text()


def test_the_documented_signature_is_the_one_we_check() -> None:
    body = b'{"id":2,"do":"coin_in","round":118,"seats":[1,2,5]}'
    documented = re.search(r"X-Signature {3,}([0-9a-f]{64})", PROTOCOL)
    assert documented is not None
    path = "/api/v1/tables/UTH-04/messages"
    assert signature_of(bytes(32), "POST", path, "1763459999000", 7, body) == documented[1]


def test_a_stored_answer_gets_the_senders_id_and_whether_it_was_said_before() -> None:
    assert stored_answer("a7", '{"ok":true}', repeat=True) == b'{"id":"a7","repeat":true,"ok":true}'


@pytest.mark.parametrize("id_", [7, "a7", 2**53])
@pytest.mark.parametrize("said", ['"do":"dance"', '"do":5', '"do":["beat"]', '"other":1', '"do":"beat","tip":1'])
def test_a_refusal_carries_the_id_that_could_be_read(id_: int | str, said: str) -> None:
    with pytest.raises(NotAMessage) as refused:
        read_message(f'{{"id":{orjson.dumps(id_).decode()},{said}}}')
    assert refused.value.id == id_


@pytest.mark.parametrize(
    "said", ['{"id":[1],"do":"beat"}', '{"id":true,"do":"beat"}', "[1]", '{"id":1', '{"do":"dance"}']
)
def test_an_id_that_is_none_is_not_said_again(said: str) -> None:
    with pytest.raises(NotAMessage) as refused:
        read_message(said)
    assert refused.value.id is None
