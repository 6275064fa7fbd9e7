"""What is kept of a photo is its picture: no place, no device, nothing behind its end, no gigabytes."""

from __future__ import annotations

import struct
import zlib
from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageOps

from tables.floor.rules.photo import LONGEST_SIDE, MOST_BYTES, PhotoRefused, redrawn
from tests.photos import a_photo


def opened(content: bytes) -> Image.Image:
    picture = Image.open(BytesIO(content))
    picture.load()
    return picture


@pytest.mark.parametrize("kind", ["JPEG", "PNG"])
def test_a_photo_is_drawn_anew_as_a_jpeg(kind: str) -> None:
    kept = opened(redrawn(a_photo(kind)))
    assert (kept.format, kept.size, kept.mode) == ("JPEG", (64, 48), "RGB")
    red, green, blue = kept.getpixel((10, 10))
    assert (red < 10, 120 < green < 136, blue < 10) == (True, True, True)


def test_where_and_with_what_it_was_taken_is_not_kept() -> None:
    told = Image.Exif()
    told[0x0110] = "Somebody's telephone"
    told.get_ifd(0x8825)[2] = (36.0, 7.0, 0.0)
    sent = a_photo(exif=told, comment=b"somebody was here")
    assert b"telephone" in sent
    kept = redrawn(sent)
    assert not opened(kept).getexif()
    assert b"telephone" not in kept
    assert b"somebody" not in kept


def test_it_stands_upright_without_saying_so() -> None:
    turned = Image.Exif()
    turned[0x0112] = 6  # lies on its side
    kept = opened(redrawn(a_photo(size=(64, 48), exif=turned)))
    assert kept.size == (48, 64)
    assert not kept.getexif()


ASCII, SHORT, RATIONAL, DOUBLE, SOFTWARE, WIDE = 2, 3, 5, 12, 0x0131, 0x011A


def camera_words(turned: int, tag: int, kind: int, value: bytes) -> bytes:
    """What a camera wrote: how it was held, and one more word of whatever kind."""
    entries = [(tag, kind, 1, struct.pack(">I", 38)), (0x0112, SHORT, 1, struct.pack(">HH", turned, 0))]
    rows = b"".join(struct.pack(">HHI", *row[:3]) + row[3] for row in sorted(entries))
    return b"Exif\0\0MM\0*" + struct.pack(">IH", 8, len(entries)) + rows + struct.pack(">I", 0) + value


@pytest.mark.parametrize("kind", ["JPEG", "PNG"])
@pytest.mark.parametrize(("tag", "of_kind"), [(SOFTWARE, DOUBLE), (SOFTWARE, RATIONAL), (WIDE, ASCII)])
def test_odd_words_of_a_camera_are_no_fault_and_it_stands_upright(kind: str, tag: int, of_kind: int) -> None:
    sent = a_photo(kind, size=(64, 48), exif=camera_words(6, tag, of_kind, struct.pack(">d", 72.0)))
    assert opened(redrawn(sent)).size == (48, 64)


@pytest.mark.parametrize("turned", range(10))
def test_it_is_turned_as_its_camera_was_held(turned: int) -> None:
    told = Image.Exif()
    told[0x0112] = turned
    corner = Image.new("RGB", (64, 48), "white")
    corner.paste("black", (0, 0, 16, 16))
    file = BytesIO()
    corner.save(file, "PNG", exif=told)
    expected = ImageOps.exif_transpose(Image.open(BytesIO(file.getvalue())))
    kept = opened(redrawn(file.getvalue()))
    assert kept.size == expected.size
    for point in ((4, 4), (kept.width - 5, 4), (4, kept.height - 5), (kept.width - 5, kept.height - 5)):
        assert abs(kept.getpixel(point)[0] - expected.getpixel(point)[0]) < 30


def test_words_that_cannot_be_read_at_all_leave_it_as_it_lies() -> None:
    assert opened(redrawn(a_photo(size=(64, 48), exif=b"Exif\0\0MM\0*nothing"))).size == (64, 48)


def test_what_hangs_behind_its_end_is_not_kept() -> None:
    assert b"<script>" not in redrawn(a_photo("PNG") + b"<script>alert(1)</script>")
    assert b"<script>" not in redrawn(a_photo() + b"<script>alert(1)</script>")


def test_what_shines_through_is_white() -> None:
    file = BytesIO()
    Image.new("RGBA", (8, 8), (0, 0, 0, 0)).save(file, "PNG")
    assert opened(redrawn(file.getvalue())).getpixel((4, 4)) == (255, 255, 255)


def test_a_large_one_is_made_as_small_as_a_page_shows() -> None:
    assert opened(redrawn(a_photo(size=(4000, 2000)))).size == (LONGEST_SIDE, LONGEST_SIDE // 2)


def test_a_small_file_that_unpacks_to_gigabytes_is_refused_unopened() -> None:
    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    head = chunk(b"IHDR", struct.pack(">IIBBBBB", 60_000, 60_000, 8, 2, 0, 0, 0))
    bomb = b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", zlib.compress(bytes(1_000_000))) + chunk(b"IEND", b"")
    with pytest.raises(PhotoRefused, match=r"60,000 × 60,000 points|no photo that we know"):
        redrawn(bomb)


@pytest.mark.parametrize(
    "content",
    [b"", b"%PDF-1.7", b"GIF89a", b"\xff\xd8\xff\xe0 a photo", b"\x89PNG\r\n\x1a\n<html>", a_photo()[:200],
     a_photo("PNG")[:60], b"<svg xmlns='http://www.w3.org/2000/svg'/>", a_photo("GIF"), a_photo("BMP")],
)  # fmt: skip
def test_what_is_no_photo_is_refused(content: bytes) -> None:
    with pytest.raises(PhotoRefused, match="Take a JPEG or a PNG"):
        redrawn(content)


def test_a_photo_too_large_is_refused_with_its_size() -> None:
    with pytest.raises(PhotoRefused, match="2,000,001 bytes"):
        redrawn(b"\xff\xd8\xff".ljust(MOST_BYTES + 1, b"x"))


@given(st.binary(max_size=400), st.sampled_from(["JPEG", "PNG"]), st.integers(0, 500))
def test_whatever_is_written_over_it_it_is_drawn_or_refused(noise: bytes, kind: str, at: int) -> None:
    sent = bytearray(a_photo(kind))
    sent[at : at + len(noise)] = noise
    try:
        kept = redrawn(bytes(sent))
    except PhotoRefused:
        return
    assert opened(kept).format == "JPEG"
