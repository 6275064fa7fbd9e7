"""A photo as it is kept: drawn anew from its pixels, so that nothing of the file that came is in it but the picture."""

from __future__ import annotations

import struct
import warnings
import zlib
from io import BytesIO
from typing import Final

from PIL import Image, ImageOps

MOST_BYTES: Final = 2_000_000
MOST_PIXELS: Final = 40_000_000  # what a tablet takes; a small file may unpack to gigabytes
LONGEST_SIDE: Final = 2560
QUALITY: Final = 85
MEDIA_TYPE: Final = "image/jpeg"
KNOWN: Final = ("JPEG", "PNG")
_BROKEN: Final = (OSError, SyntaxError, ValueError, EOFError, struct.error, zlib.error, Image.DecompressionBombError)


class PhotoRefused(ValueError):
    """A file that is no photo that we keep; the message says why."""


def redrawn(content: bytes) -> bytes:
    """The picture as a JPEG of ours: upright, no larger than a page shows, without place, device or anything hidden."""
    if len(content) > MOST_BYTES:
        raise PhotoRefused(f"The photo has {len(content):,} bytes; up to {MOST_BYTES:,} are kept. Take a smaller one.")
    try:
        with warnings.catch_warnings(), Image.open(BytesIO(content), formats=KNOWN) as photo:
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)  # the size is judged here
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
    upright = ImageOps.exif_transpose(photo)
    upright.thumbnail((LONGEST_SIDE, LONGEST_SIDE))
    if upright.mode in ("RGBA", "LA", "PA", "P"):  # what shone through is white, as on the page that shows it
        seen = upright.convert("RGBA")
        upright = Image.new("RGBA", seen.size, "white")
        upright.alpha_composite(seen)
    pixels = upright.convert("RGB")
    clean = Image.frombytes("RGB", pixels.size, pixels.tobytes())
    drawn = BytesIO()
    clean.save(drawn, "JPEG", quality=QUALITY, optimize=True)
    return drawn.getvalue()
