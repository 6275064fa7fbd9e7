"""What is taken as evidence, by its first bytes and its size; and under which name it is shown and taken home."""

from __future__ import annotations

import pytest

from jackpot.evidence.rules.evidence_file import (
    LARGEST_FILE,
    EvidenceKind,
    EvidenceRefused,
    name_to_take,
    read_upload,
    shown_name,
    spoken_size,
)


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (b"%PDF-1.7\n...", "pdf"), (b"\x89PNG\r\n\x1a\n...", "png"), (b"\xff\xd8\xff\xe0...", "jpeg"),
        (b"table,chips\r\nUTH-01,3\r\n", "text"), ("\ufeffKamera 7, 02:14 – läuft".encode(), "text"),
    ],
)  # fmt: skip
def test_a_file_is_what_its_first_bytes_say(content: bytes, kind: str) -> None:
    found = read_upload("whatever.exe", content)
    assert (found.kind, found.size) == (kind, len(content))


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "sheet.pdf is empty"), (b"%PDF-" + b"x" * LARGEST_FILE, "more than 10 MB"),
        (b"MZ\x90\x00\x03", "no PDF, PNG, JPEG or plain text"), (b"PK\x03\x04", "no PDF"), (b"\xff\xfea\x00", "no PDF"),
        (b"text with \x00 in it", "no PDF"), (b"GIF89a\x01", "no PDF"),
    ],
)  # fmt: skip
def test_anything_else_is_refused_in_a_sentence_that_names_it(content: bytes, why: str) -> None:
    with pytest.raises(EvidenceRefused, match=why):
        read_upload("sheet.pdf", content)


def test_the_largest_file_is_taken() -> None:
    assert read_upload("a.pdf", b"%PDF-" + b"x" * (LARGEST_FILE - 5)).size == LARGEST_FILE


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("C:\\books\\sheet 12.pdf", "sheet 12.pdf"), ("../../etc/passwd", "passwd"), ("a\x00b\n.pdf", "ab.pdf"),
        ("  ", "a file without a name"), ("", "a file without a name"), ("x" * 200 + ".pdf", "x" * 116 + ".pdf"),
        ("turned\u202efdp.exe", "turnedfdp.exe"),
    ],
)  # fmt: skip
def test_a_name_is_its_last_part_printable_and_bounded(given: str, shown: str) -> None:
    assert shown_name(given) == shown


def test_nothing_is_taken_home_under_a_name_that_a_computer_would_run() -> None:
    assert name_to_take("page.html", EvidenceKind.TEXT) == "page.html.txt"
    assert name_to_take("Count.LOG", EvidenceKind.TEXT) == "Count.LOG"
    assert name_to_take("sheet.exe", EvidenceKind.PDF) == "sheet.exe.pdf"


def test_a_size_is_never_told_too_small() -> None:
    assert [spoken_size(size) for size in (1, 1023, 1025, 1024**2 + 1)] == ["1 byte", "1023 bytes", "2 KB", "1.1 MB"]
