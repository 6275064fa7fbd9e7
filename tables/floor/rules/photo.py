"""A photo as it is kept: drawn anew from its pixels, so that nothing of the file that came is in it but the picture."""

from __future__ import annotations

import struct
import warnings
import zlib
from io import BytesIO
from typing import Final

from PIL import Image

MOST_BYTES: Final = 2_000_000
MOST_PIXELS: Final = 40_000_000  # what a tablet takes; a small file may unpack to gigabytes
LONGEST_SIDE: Final = 2560
QUALITY: Final = 85
MEDIA_TYPE: Final = "image/jpeg"
KNOWN: Final = ("JPEG", "PNG")
# Of what a camera wrote only this is read; what else it says may be anything, and goes with the file.
ORIENTATION: Final = 0x0112
UPRIGHT: Final = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}
_BROKEN: Final = (OSError, SyntaxError, ValueError, EOFError, struct.error, zlib.error, Image.DecompressionBombError)


class PhotoRefused(ValueError):
    """A file that is no photo that we keep; the message says why."""


def redrawn(content: bytes) -> bytes:
    """The picture as a JPEG of ours: upright, no larger than a page shows, without place, device or anything hidden."""
    if len(content) > MOST_BYTES:
        raise PhotoRefused(f"The photo has {len(content):,} bytes; up to {MOST_BYTES:,} are kept. Take a smaller one.")
    try:
        # The size is judged here, and a camera's broken words count for nothing.
        with warnings.catch_warnings(action="ignore"), Image.open(BytesIO(content), formats=KNOWN) as photo:
            if photo.width * photo.height > MOST_PIXELS:
                size = f"{photo.width:,} × {photo.height:,} points; up to {MOST_PIXELS // 1_000_000} million are kept"
                raise PhotoRefused(f"The photo has {size}. Take a smaller one.")
            photo.draft("RGB", (LONGEST_SIDE, LONGEST_SIDE))  # a JPEG is unpacked at a smaller size at once
            return _drawn(photo)
    except PhotoRefused:
        raise
    except _BROKEN:
        raise PhotoRefused("The file is no photo that we know. Take a JPEG or a PNG.") from None


def _drawn(photo: Image.Image) -> bytes:
    upright = _upright(photo)
    upright.thumbnail((LONGEST_SIDE, LONGEST_SIDE))
    if upright.mode in ("RGBA", "LA", "PA", "P"):  # what shone through is white, as on the page that shows it
        seen = upright.convert("RGBA")
        upright = Image.new("RGBA", seen.size, "white")
        upright.alpha_composite(seen)
    pixels = upright.convert("RGB")
    # From the bare pixels: what the library carried along of the file (words, profiles, places) stays behind.
    clean = Image.frombytes("RGB", pixels.size, pixels.tobytes())
    drawn = BytesIO()
    clean.save(drawn, "JPEG", quality=QUALITY, optimize=True)
    return drawn.getvalue()


def _upright(photo: Image.Image) -> Image.Image:
    """Turned as its camera says; where that cannot be read, it stays as it lies."""
    try:
        turned = UPRIGHT.get(photo.getexif().get(ORIENTATION, 1))
    except (*_BROKEN, TypeError, AttributeError):
        turned = None
    return photo.copy() if turned is None else photo.transpose(turned)
