from __future__ import annotations

import re
from pathlib import Path

import orjson
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from jackpot.said_once import SaidTwice, refuse_twice
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


@pytest.mark.parametrize(("body", "id_"), [
    ('{"id":7,"do":"coin_in","do":"end","round":1}', 7), ('{"id":7,"do":"end","round":1,"round":2}', 7),
    ('{"id":7,"id":8,"do":"end","round":1}', None), ('{"id":7,"do":"void","round":1,"reason":"a:b","reason":"c"}', 7),
])  # fmt: skip
def test_a_word_that_stands_twice_is_refused_not_guessed(body: str, id_: int | None) -> None:
    for said in (body, body.encode()):
        with pytest.raises(NotAMessage, match=r"stands twice\. Say it once\.") as refused:
            read_message(said)
        assert refused.value.id == id_
    assert read_message('{"id":7,"do":"void","round":1,"reason":"a:b"}').words["reason"] == "a:b"


HIDDEN = r'"\u003a\u003a"'
NAMES = st.sampled_from(['"do"', '"id"', '"at"', '"round"', '"at" ', r'"\u0061t"', '"a:t"'])
VALUES = st.sampled_from(
    ['"end"', "7", '"2026-11-19T20:15:00Z"', HIDDEN, '"::"', '{"at":":"}', '{"at":1,"at":2}', "[]"]
)


@example([('"do"', '"end"'), ('"at"', HIDDEN), ('"at"', HIDDEN)])
@example([('"do"', '"end"'), ('"at"', '"::"'), ('"at" ', '"::"')])
@given(st.lists(st.tuples(NAMES, VALUES), max_size=5))
def test_whoever_says_a_word_twice_is_heard_by_no_short_cut(members: list[tuple[str, str]]) -> None:
    """However the names are written, and whatever hides colons in their values."""
    body = "{" + ",".join(f"{name}:{value}" for name, value in members) + "}"
    try:
        refuse_twice(body)
        twice = False
    except SaidTwice:
        twice = True
    for said in (body, body.encode()):
        try:
            read_message(said)
        except NotAMessage as why:
            told = str(why)
            assert ("stands twice" in told) == twice or "“id” must" in told
        else:
            assert not twice


@pytest.mark.parametrize("depth", [200, 600, 1_000])
def test_what_is_nested_deeply_gets_a_sentence_too(depth: int) -> None:
    with pytest.raises(NotAMessage):
        read_message('{"id":7,"do":"end","round":' + '{"a":' * depth + "1" + "}" * depth + ',"x":1}')
