"""The profile *deep*: full matrices and long repetitions, of which a normal run plays the edges."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from typing import Any, Final, TypeVar

import pytest

DEEP: Final = os.environ.get("FAIRMETER_TESTS", "quick") == "deep"
TOLD: Final = "deep_left_out"  # where a worker counts for the run what it left out
COUNT: Final = pytest.StashKey[int]()
T = TypeVar("T")


def often(quick: T, deep: T) -> T:
    """How often, or what of it: shortly in a normal run."""
    return deep if DEEP else quick


def edges(cases: Iterable[Any], is_edge: Callable[..., bool]) -> list[Any]:
    """All cases of a matrix; what is no edge waits for the profile deep."""
    told = [case if isinstance(case, tuple) else (case,) for case in cases]
    return [pytest.param(*each, marks=[] if is_edge(*each) else pytest.mark.deep) for each in told]


def left_out(items: list[pytest.Item], config: pytest.Config) -> None:
    """Takes away what is deep, unless somebody asked for it: by the profile, by its name or by its mark."""
    if DEEP or config.option.markexpr or any("::" in each for each in config.args):
        return
    deep = [item for item in items if item.get_closest_marker("deep")]
    items[:] = [item for item in items if item not in deep]
    config.hook.pytest_deselected(items=deep)
    config.stash[COUNT] = len(deep)
    if hasattr(config, "workeroutput"):
        config.workeroutput[TOLD] = len(deep)
