"""The two systems with the versions that their sheets print (002:318-321, 412-414): exact, or that and higher."""

from __future__ import annotations

import pytest

from tables.floor.rules.versions import RuleKind, version_fits


@pytest.mark.parametrize(
    ("rule", "wanted", "fit", "do_not"),
    [
        (RuleKind.MINIMUM, "v6.6 Build 520", ["6.6 Build 520", "6.6 Build 1000", "6.7 Build 3", "7.0"],
         ["6.6 Build 519", "6.6", "6.5 Build 900"]),
        (RuleKind.EXACT, "v6.5.6SP", ["6.5.6SP", "v6.5.6sp"], ["6.5.6", "6.5.7SP", "6.5.6SP2"]),
        (RuleKind.EXACT, "v6.0", ["6.0", "6", "v6.0.0"], ["6.1", "5.9"]),
        (RuleKind.EXACT, "v1.66P$", ["1.66P$", "v1.66p$"], ["1.66P", "1.67P$"]),
        (RuleKind.MINIMUM, "v1.2.0", ["1.2.0", "1.2", "1.10", "2.0"], ["1.1.9", "", "newest"]),
        (RuleKind.MINIMUM, "v1.3.0", ["1.3.0", "1.3.1"], ["1.2.9"]),
        (RuleKind.EXACT, "v2.0.0", ["2.0.0", "2.0"], ["2.0.1", "1.9"]),
        (RuleKind.ANY, "", ["1.0", "whatever"], []),
    ],
)  # fmt: skip
def test_a_version_fits_as_it_is_printed(rule: RuleKind, wanted: str, fit: list[str], do_not: list[str]) -> None:
    assert {version: version_fits(version, rule, wanted) for version in fit} == dict.fromkeys(fit, True)
    assert {version: version_fits(version, rule, wanted) for version in do_not} == dict.fromkeys(do_not, False)
