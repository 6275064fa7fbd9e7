"""Long calculations kept in a folder."""

from pathlib import Path

import pytest

from tables.games.cache import remembered


class Counted:
    """A calculation that counts how often it was done."""

    def __init__(self) -> None:
        self.times = 0

    def __call__(self) -> list[int]:
        self.times += 1
        return [1, 2, self.times]


def ask(folder: Path | None, work: Counted, digest: str = "a" * 64) -> list[int]:
    return remembered(folder, "sum", digest, calculate=work, plain=list, from_plain=list)


def test_the_second_time_the_answer_is_read(tmp_path: Path) -> None:
    work = Counted()
    assert [ask(tmp_path / "new", work), ask(tmp_path / "new", work)] == [[1, 2, 1], [1, 2, 1]]
    assert work.times == 1


def test_another_input_is_calculated_anew(tmp_path: Path) -> None:
    work = Counted()
    ask(tmp_path, work)
    ask(tmp_path, work, "b" * 64)
    assert work.times == 2


def test_without_a_folder_nothing_is_kept() -> None:
    work = Counted()
    ask(None, work)
    ask(None, work)
    assert work.times == 2


@pytest.mark.parametrize("damage", ["", "{", '{"digest": "other"}', "[]"])
def test_a_damaged_file_is_calculated_anew(tmp_path: Path, damage: str) -> None:
    work = Counted()
    ask(tmp_path, work)
    (kept,) = tmp_path.iterdir()
    kept.write_text(damage, encoding="ascii")
    assert ask(tmp_path, work) == [1, 2, 2]


def test_no_half_written_file_is_left(tmp_path: Path) -> None:
    ask(tmp_path, Counted())
    assert [path.suffix for path in tmp_path.iterdir()] == [".json"]
