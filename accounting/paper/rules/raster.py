"""A picture for a receipt printer: black and white dots, eight to a byte, and the command to cut (ESC/POS)."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from typing import Any, Final

# Clears whatever a job that broke off left behind: its font, its margins, half a picture.
START: Final = b"\x1b@"
CUT: Final = b"\n\n\n\x1dV\x42\x00"
BAND: Final = 240  # lines in one command: small printers have small memories
SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
# Greys become a pattern of dots, so that the word behind the text stays behind it; near-black text stays solid.
BAYER: Final = ((0, 8, 2, 10), (12, 4, 14, 6), (3, 11, 1, 9), (15, 7, 13, 5))


class NotAPicture(ValueError):
    """Bytes that are no picture as the typesetter makes it."""


def receipt_commands(png: bytes) -> bytes:
    """The whole receipt as a printer on a raw port takes it."""
    import numpy

    grey = grey_of(png)
    height, width = grey.shape
    # Thresholds from 96 to 216 of 255: what is darker than all of them is solid, what is lighter stays white.
    steps = numpy.tile(numpy.array(BAYER) * 8 + 96, (height // 4 + 1, width // 4 + 1))[:height, :width]
    dots = numpy.packbits(grey < steps, axis=1)
    return START + b"".join(_bands(dots)) + CUT


def grey_of(png: bytes) -> Any:
    """Brightness 0 to 255 by line and dot. Reads 8-bit RGB and RGBA on white, as the typesetter writes them."""
    import numpy

    header, packed = _parts(png)
    width, height, depth, colour = struct.unpack(">IIBB", header[:10])
    # The typesetter writes nothing else; another kind would come out as noise on a page that is paid on.
    if depth != 8 or colour not in (2, 6):
        raise NotAPicture(f"A receipt is a picture of 8-bit colours, not of depth {depth} and kind {colour}.")
    channels = 4 if colour == 6 else 3
    lines = numpy.frombuffer(zlib.decompress(packed), numpy.uint8).reshape(height, 1 + width * channels)
    pixels = _unfiltered(lines, channels).reshape(height, width, channels).astype(numpy.uint32)
    # How bright an eye sees red, green and blue (ITU-R BT.601), in whole numbers.
    grey = (pixels[..., 0] * 299 + pixels[..., 1] * 587 + pixels[..., 2] * 114) // 1000
    return grey if channels == 3 else (grey * pixels[..., 3] + 255 * (255 - pixels[..., 3])) // 255


def _bands(dots: Any) -> Iterator[bytes]:
    for top in range(0, len(dots), BAND):
        band = dots[top : top + BAND]
        yield b"\x1dv0\x00" + struct.pack("<HH", band.shape[1], band.shape[0]) + band.tobytes()


def _parts(png: bytes) -> tuple[bytes, bytes]:
    if not png.startswith(SIGNATURE):
        raise NotAPicture("These bytes are no PNG.")
    at, header, packed = len(SIGNATURE), b"", b""
    while at < len(png):
        size, kind = struct.unpack(">I4s", png[at : at + 8])
        body = png[at + 8 : at + 8 + size]
        header, packed = (body, packed) if kind == b"IHDR" else (header, packed + (body if kind == b"IDAT" else b""))
        at += size + 12
    return header, packed


def _unfiltered(lines: Any, channels: int) -> Any:
    """Each line says in its first byte how it was foretold; adding what was foretold gives the line back."""
    import numpy

    made = numpy.zeros((len(lines), lines.shape[1] - 1), numpy.uint8)
    above = numpy.zeros(lines.shape[1] - 1, numpy.uint8)
    for number, (kind, line) in enumerate(zip(lines[:, 0].tolist(), lines[:, 1:], strict=True)):
        match kind:
            case 0:
                above = line
            # Additions of bytes may overflow: PNG means them modulo 256, and so does the type of the array.
            case 1:
                above = numpy.cumsum(line.reshape(-1, channels), axis=0, dtype=numpy.uint8).reshape(-1)
            case 2:
                above = line + above
            case _:
                above = _foretold(kind, line.tolist(), above.tolist(), channels)
        made[number] = above
    return made


def _foretold(kind: int, line: list[int], above: list[int], channels: int) -> Any:
    """The two kinds that look left and up at once, byte by byte."""
    import numpy

    made: list[int] = []
    for place, value in enumerate(line):
        left = made[place - channels] if place >= channels else 0
        corner = above[place - channels] if place >= channels else 0
        guess = (left + above[place]) // 2 if kind == 3 else _nearest(left, above[place], corner)
        made.append((value + guess) & 255)
    return numpy.array(made, numpy.uint8)


def _nearest(left: int, up: int, corner: int) -> int:
    # PNG calls it Paeth. Of neighbours that are equally near the first in this order counts, as in every reader.
    aim = left + up - corner
    return min((left, up, corner), key=lambda each: abs(aim - each))
