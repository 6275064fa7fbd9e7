"""Files of evidence added in the same moment: what one person adds a day, and what one round has, is counted once."""

from __future__ import annotations

import pytest
from django.db import transaction

from jackpot.evidence.actions import keep
from jackpot.evidence.actions.keep import MOST_FILES, checked_upload, file_of
from jackpot.evidence.actions.of_round import add_to_round
from jackpot.evidence.models import EvidenceFile, RoundEvidence
from jackpot.people.models import Operator
from jackpot.refusals import Refused
from jackpot.wins.rules.round_ref import RoundRef
from tests.builders import a_person
from tests.races.test_floor_looks_races import behind
from tests.tables.hits.test_late_claim import an_ended_round, claimed

pytestmark = pytest.mark.race
HERE = RoundRef("UTH-01", 1)


def adds(by: Operator, text: str) -> RoundEvidence:
    return add_to_round(place=HERE, upload=checked_upload(f"{text}.txt", text.encode()), by=by)


def adds_elsewhere(by: Operator, text: str) -> EvidenceFile:
    """As an act does that asks for something with its file, far away from that round."""
    with transaction.atomic():
        return file_of(checked_upload(f"{text}.txt", text.encode()), by)


def test_two_files_of_one_person_in_one_moment_stay_within_the_day(
    fresh_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    claimed(an_ended_round())
    monkeypatch.setattr(keep, "MOST_A_DAY", 12)
    adder = a_person("adder", may=("approve",))
    heard = behind(lambda: adds(adder, "ten bytes!"), lambda: adds_elsewhere(adder, "ten others"))
    assert isinstance(heard, Refused), "counted before the first one's file was there"
    assert heard.code == "much"
    assert EvidenceFile.objects.count() == 1


def test_two_people_at_once_add_no_file_too_many_to_a_round(fresh_database: str) -> None:
    claimed(an_ended_round())
    first, second = a_person("ada", may=("approve",)), a_person("bea", may=("approve",))
    for number in range(MOST_FILES - 1):
        adds(first, f"{number}")
    heard = behind(lambda: adds(first, "the twentieth"), lambda: adds(second, "one more"))
    assert isinstance(heard, Refused)
    assert heard.code == "many"
    assert RoundEvidence.objects.count() == MOST_FILES


def test_two_who_add_the_same_file_at_once_find_it_once(fresh_database: str) -> None:
    claimed(an_ended_round())
    first, second = a_person("ada", may=("approve",)), a_person("bea", may=("approve",))
    heard = behind(lambda: adds(first, "the same"), lambda: adds(second, "the same"))
    assert isinstance(heard, RoundEvidence)
    assert RoundEvidence.objects.get().pk == heard.pk
