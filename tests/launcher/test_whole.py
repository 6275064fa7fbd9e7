"""What is read at once is what the parsers of HTTP and WebSocket read; all else is left to them."""

from __future__ import annotations

import httptools
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from websockets.frames import Opcode
from websockets.protocol import SERVER, Protocol

from launcher.whole import whole_request, whole_text

PLAIN = (
    b"POST /api/v1/tables/UTH-01/messages HTTP/1.1\r\nHost: 127.0.0.1:8080\r\nX-Device: BOX 1\r\nX-Time: 1\r\n"
    b"Content-Length: 12\r\n\r\n" + b'{"do":"end"}'
)
_PIECES = st.sampled_from(
    (
        rb"POST |GET |/a|/a?b|*| HTTP/1.1| HTTP/1.0|\r\n|\n|\r|\r\n\r\n| |\t|Host: x|Content-Length: 0|"
        rb"Content-Length: 3|Content-Length: +3|content-length: 03|abc|Connection: close|Transfer-Encoding: chunked|"
        rb"Expect: 100-continue|X-Device: \xe9|X-Time:|: |X-Time: a\x00b|0\r\n\r\n|xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
    )
    .decode("unicode_escape")
    .encode("latin-1")
    .split(b"|")
)


class Heard:
    """What the real parser finds."""

    def __init__(self) -> None:
        self.address = self.body = b""
        self.headers: list[tuple[bytes, bytes]] = []
        self.ended = 0

    def on_url(self, url: bytes) -> None:
        self.address += url

    def on_header(self, name: bytes, value: bytes) -> None:
        self.headers.append((name.lower(), value))

    def on_body(self, body: bytes) -> None:
        self.body += body

    def on_message_complete(self) -> None:
        self.ended += 1


def _same_as_the_parser(data: bytes) -> bool:
    """Whether it was read at once; then the parser reads one message, the same, which keeps its line open."""
    read = whole_request(data)
    if read is None:
        return False
    heard = Heard()
    parser = httptools.HttpRequestParser(heard)
    parser.feed_data(data)
    assert heard.ended == 1
    assert (read.address, read.headers, read.body) == (heard.address, heard.headers, heard.body)
    assert (parser.get_method(), parser.get_http_version(), parser.should_keep_alive()) == (b"POST", "1.1", True)
    assert not parser.should_upgrade()
    return True


def test_a_plain_request_is_read_at_once() -> None:
    assert _same_as_the_parser(PLAIN)


@pytest.mark.parametrize(
    "changed",
    [
        PLAIN[:-1], PLAIN + b"P", PLAIN + PLAIN, PLAIN.replace(b"POST", b"PUT"), PLAIN.replace(b"1.1", b"1.0", 1),
        PLAIN.replace(b"messages", b"messages?a=1"), PLAIN.replace(b"messages", b"mess%61ges"),
        PLAIN.replace(b"X-Time: 1", b"Connection: close"), PLAIN.replace(b"X-Time: 1", b"Expect: 100-continue"),
        PLAIN.replace(b"X-Time: 1", b"Transfer-Encoding: chunked"), PLAIN.replace(b"X-Time: 1", b"Content-Length: 12"),
        PLAIN.replace(b"X-Time: 1", b"X-Time:1"), PLAIN.replace(b"X-Time: 1", b"X-Time : 1"),
        PLAIN.replace(b"X-Time: 1", b"X-Time:  1"), PLAIN.replace(b"X-Time: 1", b"X-Time: 1 "),
        PLAIN.replace(b"X-Time: 1", b" folded: 1"), PLAIN.replace(b"X-Time: 1", b"X-Time: \x80"),
        PLAIN.replace(b"X-Time: 1", b"X-Time: a\x00"), PLAIN.replace(b"\r\nX-Time", b"\nX-Time"),
        PLAIN.replace(b"Content-Length: 12", b"Content-Length: 012"), PLAIN.replace(b"Content-Length: 12\r\n", b""),
        PLAIN.replace(b"Content-Length: 12", b"Content-Length: 11"), b"", b"\r\n" + PLAIN,
        PLAIN.replace(b"X-Time: 1", b"X-Time: " + b"1" * 3_000), PLAIN.replace(b"X-Time: 1", b"Cookie: a=b"),
    ],
)  # fmt: skip
def test_what_is_not_plain_is_left_to_the_parser(changed: bytes) -> None:
    assert whole_request(changed) is None


@given(
    st.integers(0, len(PLAIN)), st.integers(0, len(PLAIN)), st.one_of(_PIECES, st.binary(max_size=6)),
)  # fmt: skip
@example(0, 0, b"")
def test_a_request_with_any_piece_in_any_place_is_read_as_the_parser_reads_it(
    start: int, end: int, piece: bytes
) -> None:
    _same_as_the_parser(PLAIN[: min(start, end)] + piece + PLAIN[max(start, end) :])


@given(st.lists(_PIECES, max_size=12))
def test_a_request_out_of_pieces_is_read_as_the_parser_reads_it(pieces: list[bytes]) -> None:
    _same_as_the_parser(b"".join(pieces))


def _frame(words: bytes, mask: bytes, first: int = 0x81) -> bytes:
    size = bytes([0x80 | len(words)]) if len(words) < 126 else b"\xfe" + len(words).to_bytes(2, "big")
    return bytes([first]) + size + mask + bytes(each ^ mask[place % 4] for place, each in enumerate(words))


def _the_library_reads(data: bytes) -> list[bytes]:
    protocol = Protocol(SERVER)
    protocol.receive_data(data)
    assert protocol.parser_exc is None
    assert not protocol.reader.buffer
    frames = protocol.events_received()
    assert all(frame.opcode is Opcode.TEXT and frame.fin for frame in frames)  # type: ignore[union-attr]
    return [bytes(frame.data) for frame in frames]  # type: ignore[union-attr]


@given(st.binary(max_size=300), st.binary(min_size=4, max_size=4))
def test_a_whole_text_is_read_as_the_library_reads_it(words: bytes, mask: bytes) -> None:
    assert whole_text(_frame(words, mask)) == words
    assert _the_library_reads(_frame(words, mask)) == [words]


@given(st.binary(max_size=150), st.binary(min_size=4, max_size=4), st.integers(0, 160), st.binary(max_size=4))
def test_changed_frames_are_read_as_the_library_reads_them_or_not_at_all(
    words: bytes, mask: bytes, place: int, piece: bytes
) -> None:
    frame = _frame(words, mask)
    changed = frame[:place] + piece + frame[place + len(piece) :]
    if (read := whole_text(changed)) is not None:
        assert _the_library_reads(changed) == [read]


@pytest.mark.parametrize("first", [0x01, 0x80, 0x82, 0x88, 0x89, 0x8A, 0xC1, 0x91])
def test_fragments_other_frames_and_packed_ones_are_left_to_the_library(first: int) -> None:
    assert whole_text(_frame(b"words", b"abcd", first)) is None


@pytest.mark.parametrize("data", [b"", b"\x81", b"\x81\x85", b"\x81\x05words", b"\x81\xff" + bytes(8) + b"abcd"])
def test_what_is_short_or_not_masked_is_left_to_the_library(data: bytes) -> None:
    assert whole_text(data) is None
