"""What is taken as evidence: how large, of which kind by its first bytes, and under which name it is shown."""

from __future__ import annotations

import enum
import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final

LARGEST_FILE: Final = 10 * 1024 * 1024
LONGEST_NAME: Final = 120
_MEBIBYTE: Final = 1024 * 1024
_NO_TEXT: Final = re.compile("[\x00-\x08\x0b\x0e-\x1f\x7f-\x9f]")  # controls that no text needs


class EvidenceKind(enum.StrEnum):
    PDF = "pdf"
    PNG = "png"
    JPEG = "jpeg"
    TEXT = "text"


FIRST_BYTES: Final[Mapping[EvidenceKind, bytes]] = {
    EvidenceKind.PDF: b"%PDF-",
    EvidenceKind.PNG: b"\x89PNG\r\n\x1a\n",
    EvidenceKind.JPEG: b"\xff\xd8\xff",
}
MEDIA_TYPES: Final[Mapping[EvidenceKind, str]] = {
    EvidenceKind.PDF: "application/pdf",
    EvidenceKind.PNG: "image/png",
    EvidenceKind.JPEG: "image/jpeg",
    EvidenceKind.TEXT: "text/plain; charset=utf-8",
}
# How a file of each kind may end when somebody takes it home; the first is given to a name that ends otherwise.
ENDINGS: Final[Mapping[EvidenceKind, tuple[str, ...]]] = {
    EvidenceKind.PDF: (".pdf",),
    EvidenceKind.PNG: (".png",),
    EvidenceKind.JPEG: (".jpg", ".jpeg"),
    EvidenceKind.TEXT: (".txt", ".log"),  # no .csv: a spreadsheet would reckon what it finds there
}


class EvidenceRefused(Exception):
    """Why a file is not taken, in a sentence with its cure."""


@dataclass(frozen=True, slots=True)
class EvidenceUpload:
    """A file that was looked at and may be kept."""

    name: str
    kind: EvidenceKind
    content: bytes
    sha256: str

    @property
    def size(self) -> int:
        return len(self.content)


def read_upload(name: str, content: bytes) -> EvidenceUpload:
    """The file with its kind and digest; what is empty, too large or of no known kind is refused."""
    shown = shown_name(name)
    if not content:
        raise EvidenceRefused(f"{shown} is empty. Choose the file anew.")
    if len(content) > LARGEST_FILE:
        raise EvidenceRefused(
            f"{shown} has more than {LARGEST_FILE // _MEBIBYTE} MB, the most that is kept. "
            "Add the pages or pictures that matter, and name a longer recording in words."
        )
    return EvidenceUpload(shown, kind_of_content(shown, content), content, hashlib.sha256(content).hexdigest())


def kind_of_content(shown: str, content: bytes) -> EvidenceKind:
    """By what stands in the file, never by its name: a name says what somebody would like it to be."""
    for kind, first in FIRST_BYTES.items():
        if content.startswith(first):
            return kind
    if _is_text(content):
        return EvidenceKind.TEXT
    raise EvidenceRefused(
        f"{shown} is no PDF, PNG, JPEG or plain text. Print it to a PDF, or take a picture of it, and add that."
    )


def _is_text(content: bytes) -> bool:
    try:
        # With its mark in front or without: some programs save text so, and the content is kept as it came either way.
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return False
    return _NO_TEXT.search(text) is None


def shown_name(name: str) -> str:
    """The last part of a path, printable and bounded; the end of a long name says more than its middle."""
    last = PurePosixPath(name.replace("\\", "/")).name
    printable = "".join(each for each in last if each.isprintable()).strip()
    return printable[-LONGEST_NAME:].strip() or "a file without a name"


def name_to_take(shown: str, kind: EvidenceKind) -> str:
    """The name under which it is taken home: it never ends like something that a computer would run."""
    return shown if shown.lower().endswith(ENDINGS[kind]) else f"{shown}{ENDINGS[kind][0]}"


def name_in_export(sha256: str, kind: EvidenceKind) -> str:
    return f"{sha256}{ENDINGS[kind][0]}"


def spoken_size(size: int) -> str:
    """812 bytes, 14 KB, 2.3 MB: whole steps, never less than there is."""
    if size < 1024:
        return f"{size} byte{'' if size == 1 else 's'}"
    if size < _MEBIBYTE:
        return f"{-(-size // 1024)} KB"
    tenths = -(-size * 10 // _MEBIBYTE)
    return f"{tenths // 10}.{tenths % 10} MB"
