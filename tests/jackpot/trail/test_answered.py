from __future__ import annotations

import pytest

from jackpot.refusals import AlreadyPosted, NotUnderstood
from jackpot.trail.actions.answered import answered, check_key, remember

pytestmark = pytest.mark.django_db
ASKED = {"act": "approve", "win": "1"}


def kept(actor: str = "ann") -> None:
    remember(actor=actor, key="key-00000001", asked=ASKED, answer={"ok": True, "slip": 7})


def test_the_same_asking_hears_the_same_answer() -> None:
    kept()
    assert answered(actor="ann", key="key-00000001", asked=ASKED) == {"ok": True, "slip": 7, "repeat": True}


def test_another_key_or_another_person_hears_nothing() -> None:
    kept()
    assert answered(actor="ann", key="key-00000002", asked=ASKED) is None
    assert answered(actor="bob", key="key-00000001", asked=ASKED) is None


def test_the_same_key_with_other_words_is_loud() -> None:
    kept()
    with pytest.raises(AlreadyPosted, match="another request"):
        answered(actor="ann", key="key-00000001", asked={**ASKED, "win": "2"})


@pytest.mark.parametrize("key", ["", "1234567", "a" * 61, "key 00001", "schlüssel"])
def test_a_key_is_short_and_plain(key: str) -> None:
    with pytest.raises(NotUnderstood):
        check_key(key)
