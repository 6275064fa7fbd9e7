"""A played house with its auditor, and a parcel of all its days."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

from django.utils import timezone

from accounting.audit.actions.parcel import WrittenParcel, parcel_period, write_parcel
from jackpot.property.models.property import Property

VERIFIER = Path(__file__).parents[3] / "deploy" / "verify_books.py"


def a_parcel(house: Property, path: Path) -> WrittenParcel:
    today = house.gaming_day(timezone.now())
    return write_parcel(parcel_period(house, today, today), path, made_by="Test Auditor")


def verified(path: Path) -> tuple[int, str]:
    """What a stranger hears: the exit status, and everything said."""
    heard = subprocess.run(
        [sys.executable, "-I", str(VERIFIER), str(path)], capture_output=True, text=True, check=False
    )
    assert not heard.stderr, heard.stderr
    return heard.returncode, heard.stdout


def with_one_byte_flipped(path: Path, name: str) -> Path:
    """The same parcel but for one bit in the middle of one file; the ZIP itself is sound."""
    flipped = path.with_name(f"{name.replace('/', '-')}.zip")
    with zipfile.ZipFile(path) as sound, zipfile.ZipFile(flipped, "w", zipfile.ZIP_DEFLATED) as other:
        for each in sound.namelist():
            content = bytearray(sound.read(each))
            if each == name:
                content[len(content) // 2] ^= 1
            other.writestr(each, bytes(content))
    return flipped
