from __future__ import annotations

import struct
import zlib

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from accounting.paper.rules.raster import BAND, CUT, START, NotAPicture, grey_of, receipt_commands


def chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def png(pixels: numpy.ndarray, kinds: list[int]) -> bytes:
    """A PNG whose lines are foretold in the given ways, written apart from the reader."""
    height, width, channels = pixels.shape
    lines = pixels.reshape(height, -1).astype(int)
    packed = b""
    for number, line in enumerate(lines):
        kind = kinds[number % len(kinds)]
        up = lines[number - 1] if number else line * 0
        left = numpy.concatenate([numpy.zeros(channels, int), line[:-channels]])
        corner = numpy.concatenate([numpy.zeros(channels, int), up[:-channels]])
        packed += bytes([kind]) + bytes(((line - foretold(kind, left, up, corner)) % 256).astype(numpy.uint8))
    header = struct.pack(">IIBBBBB", width, height, 8, 6 if channels == 4 else 2, 0, 0, 0)
    body = chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(packed)) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + body


def foretold(kind: int, left: numpy.ndarray, up: numpy.ndarray, corner: numpy.ndarray) -> numpy.ndarray:
    if kind == 4:
        aim = left + up - corner
        a, b, c = abs(aim - left), abs(aim - up), abs(aim - corner)
        return numpy.where((a <= b) & (a <= c), left, numpy.where(b <= c, up, corner))
    return [left * 0, left, up, (left + up) // 2][kind]


PICTURES = arrays.arrays(numpy.uint8, st.tuples(st.integers(1, 9), st.integers(1, 17), st.just(3)))


@given(PICTURES, st.lists(st.integers(0, 4), min_size=1, max_size=5))
def test_a_picture_reads_back_however_its_lines_were_foretold(pixels: numpy.ndarray, kinds: list[int]) -> None:
    wide = pixels.astype(numpy.uint32)
    brightness = (wide[..., 0] * 299 + wide[..., 1] * 587 + wide[..., 2] * 114) // 1000
    assert (grey_of(png(pixels, kinds)) == brightness).all()


def test_what_is_clear_is_white() -> None:
    assert grey_of(png(numpy.zeros((1, 2, 4), numpy.uint8), [0])).tolist() == [[255, 255]]


def test_a_receipt_is_started_sent_in_bands_and_cut() -> None:
    pixels = numpy.full((BAND + 2, 16, 3), 255, numpy.uint8)
    pixels[:, :3] = 0
    commands = receipt_commands(png(pixels, [1]))
    first = b"\x1dv0\x00" + struct.pack("<HH", 2, BAND) + b"\xe0\x00" * BAND
    second = b"\x1dv0\x00" + struct.pack("<HH", 2, 2) + b"\xe0\x00" * 2
    assert commands == START + first + second + CUT


def test_grey_becomes_a_few_dots_and_black_stays_solid() -> None:
    grey = receipt_commands(png(numpy.full((16, 16, 3), 200, numpy.uint8), [0]))
    black = receipt_commands(png(numpy.full((16, 16, 3), 40, numpy.uint8), [0]))
    dots = [sum(byte.bit_count() for byte in each[len(START) + 8 : -len(CUT)]) for each in (grey, black)]
    assert 0 < dots[0] < 128
    assert dots[1] == 256


@pytest.mark.parametrize("bytes_", [b"", b"%PDF-1.7"])
def test_what_is_no_picture_is_refused(bytes_: bytes) -> None:
    with pytest.raises(NotAPicture):
        receipt_commands(bytes_)
