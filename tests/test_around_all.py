"""A scene that is set once for a file: each test finds it as it was made, whatever the one before did to it."""

from __future__ import annotations

import pytest

from jackpot.people.models import Role
from jackpot.property.models.property import Property
from tests.builders import a_property, a_role

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def standing(around_all: None) -> Property:
    return a_property()


@pytest.mark.parametrize("time", ["first", "second"])
def test_each_finds_the_scene_as_it_was_made(standing: Property, time: str) -> None:
    assert Property.objects.get().name == "Reference Card Room"
    assert not Role.objects.exists()
    a_role()
    Property.objects.update(name=f"Altered by the {time}")
