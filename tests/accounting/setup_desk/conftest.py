from __future__ import annotations

import pytest
from django.test import Client

from jackpot.property.models.property import Property
from tests.accounting.setup_desk.desk_scene import a_new_house, browser


@pytest.fixture
def house() -> Property:
    return a_new_house()


@pytest.fixture
def ann(house: Property) -> Client:
    return browser("ann")
