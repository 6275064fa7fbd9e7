"""What is no demo casino, or not that of our file, and what tests call it."""

from __future__ import annotations

from pathlib import Path

import pytest

from accounting.house_file.demo import EMERALD, demo_logins, is_demo
from accounting.house_file.loader import load_casino
from tests import builders
from tests.accounting.house_file.conftest import SMALL

pytestmark = pytest.mark.django_db


def test_no_other_casino_has_demo_logins():
    load_casino(SMALL)
    assert not is_demo()
    assert demo_logins() == []


def test_a_demo_of_another_file_has_none_of_its_logins():
    builders.a_property(demo=True, code="OTHER")
    assert is_demo()
    assert demo_logins() == []


def test_the_builders_stand_up_the_same_casino():
    assert (builders.emerald().code, Path(builders.EMERALD)) == ("EMERALD", EMERALD)
