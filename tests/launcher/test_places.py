"""Where an installation keeps its things."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from launcher.cluster import ServerAccount
from launcher.places import (
    LONGEST_SOCKET_PATH,
    SOCKET_NAME,
    Places,
    data_places,
    make_data_folder,
    make_socket_folder,
    socket_folder,
)
from launcher.sentences import CannotStart

US = ServerAccount(None, os.geteuid(), os.getegid())
DEEP = Path("/srv") / ("a very long folder name " * 8) / "data"


def test_the_data_folder_lies_in_the_project_unless_someone_says_otherwise(tmp_path: Path) -> None:
    assert data_places(tmp_path, {}).data == tmp_path / "data"
    assert data_places(tmp_path, {"FAIRMETER_DATA": "/srv/books"}).data == Path("/srv/books")
    assert data_places(tmp_path, {"FAIRMETER_DATA": "/srv/books"}, "/srv/typed").data == Path("/srv/typed")


def test_an_empty_variable_counts_as_unset(tmp_path: Path) -> None:
    assert data_places(tmp_path, {"FAIRMETER_DATA": ""}).data == tmp_path / "data"


def test_a_new_data_folder_cannot_be_listed_by_others(tmp_path: Path) -> None:
    places = Places(tmp_path / "data")
    make_data_folder(places)
    assert places.data.stat().st_mode & 0o066 == 0
    assert places.logs.stat().st_mode & 0o077 == 0


def test_a_data_folder_that_cannot_be_made_is_named_with_the_cure(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    with pytest.raises(CannotStart, match="--data DIR"):
        make_data_folder(Places(tmp_path / "file" / "data"))


def test_a_socket_fits_its_address_however_deep_the_data_lies() -> None:
    folder = socket_folder(Places(DEEP), US, {})
    assert len(os.fsencode(folder / SOCKET_NAME)) <= LONGEST_SOCKET_PATH


def test_the_same_data_folder_always_has_the_same_socket_and_another_has_another(tmp_path: Path) -> None:
    assert socket_folder(Places(tmp_path), US, {}) == socket_folder(Places(tmp_path), US, {})
    assert socket_folder(Places(tmp_path), US, {}) != socket_folder(Places(tmp_path / "x"), US, {})


@pytest.fixture
def runtime() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="run-") as folder:
        yield Path(folder)


def test_a_private_runtime_folder_is_preferred(runtime: Path) -> None:
    assert socket_folder(Places(DEEP), US, {"XDG_RUNTIME_DIR": str(runtime)}).parent == runtime


def test_a_runtime_folder_too_deep_for_a_socket_is_not_used(runtime: Path) -> None:
    deep = runtime / ("d" * LONGEST_SOCKET_PATH)
    deep.mkdir(mode=0o700)
    assert socket_folder(Places(DEEP), US, {"XDG_RUNTIME_DIR": str(deep)}).parent == Path("/tmp")


def test_a_runtime_folder_open_to_others_is_not_used(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    assert socket_folder(Places(DEEP), US, {"XDG_RUNTIME_DIR": str(tmp_path)}).parent == Path("/tmp")


def test_a_socket_folder_is_made_private_and_found_again(tmp_path: Path) -> None:
    folder = tmp_path / "sockets"
    make_socket_folder(folder, US)
    make_socket_folder(folder, US)
    assert folder.stat().st_mode & 0o777 == 0o700


def test_a_socket_folder_that_others_may_enter_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "sockets"
    folder.mkdir(mode=0o755)
    folder.chmod(0o755)
    with pytest.raises(CannotStart, match="not a private folder"):
        make_socket_folder(folder, US)


def test_a_link_in_the_place_of_a_socket_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir(mode=0o700)
    (tmp_path / "sockets").symlink_to(tmp_path / "real")
    with pytest.raises(CannotStart, match="not a private folder"):
        make_socket_folder(tmp_path / "sockets", US)
