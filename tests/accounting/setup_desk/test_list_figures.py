"""Figures in the lists of setting up."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from jackpot.property.models.property import Property
from tests.accounting.setup_desk.desk_scene import TABLES_FORM, an_opened_jackpot, post

pytestmark = pytest.mark.django_db


def test_figures_of_a_list_stand_on_the_right_below_their_heads(house: Property, ann: Client) -> None:
    """Money, shares and whole numbers of every list; words and days stand on the left."""
    an_opened_jackpot(ann)
    post(ann, "tables", **TABLES_FORM)
    jackpots, tables = (ann.get(f"/office/setup/part-{part}/").content.decode() for part in ("jackpots", "tables"))
    links = ann.get("/office/setup/links/").content.decode()
    assert '<th scope="col" class="right">Wager</th>' in links
    for page, figure in ((jackpots, "10,000.00"), (jackpots, "25"), (tables, "1.00"), (links, "1.00")):
        assert re.search(rf'<td class="right">{re.escape(figure)}\s*(?:%|</td>)', page), figure
    assert '<td class="right">uth' not in tables
