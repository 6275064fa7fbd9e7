"""The laboratory's pictures as SVG of our own, with attributes only: the page allows no style of its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Any, Final

from accounting.lab.pages.lab_scale import Scale, reaching, short

INKS: Final = ("#0b5c43", "#a04a00")
TEXT, MUTED, LINE = "#15211c", "#52605a", "#d6dcd8"
WIDTH, HEIGHT = 760.0, 330.0
LEFT, RIGHT, TOP, FOOT = 62.0, 14.0, 14.0, 40.0
FONT: Final = 'font-family="Inter, Helvetica, Arial, sans-serif"'
Answer = Mapping[str, Any]


def fan(answers: Sequence[Answer], currency: str) -> str:
    """How the meter may grow: half of all lives in the dark band, four of five in the light one."""
    days = [point["day"] for point in answers[0]["fan"]]
    across = Scale(max(days) or 1, LEFT, WIDTH - RIGHT)
    tops = [point["quantiles"][-1] for told in answers for point in told["fan"]]
    up = reaching(tops, HEIGHT - FOOT, TOP, 5)
    parts = [
        *_grid(across, up, "day", of=f"meter, {currency}"),
        *(part for n, told in enumerate(answers) for part in _band(told, n, across, up)),
    ]
    words = f"Growth of the meter over {days[-1]:.0f} days"
    return _svg(parts, f"{words}, in {currency}; the table below has every figure")


def returns(answers: Sequence[Answer], currency: str) -> str:
    """What a player is paid back at each meter, and where it reaches the chip."""
    points = [[(_number(at["meter"]), _share(at["player_return"])) for at in told["at_meters"]] for told in answers]
    across = reaching([meter for row in points for meter, _ in row], LEFT, WIDTH - RIGHT, 6)
    lines = [_line_through(row, across.top) for row in points]
    # A little above 1, so that the line of the whole chip is always in the picture.
    up = reaching([1.02, *(value for line in lines for _, value in line)], HEIGHT - FOOT, TOP, 5)
    parts = list(_grid(across, up, f"meter, {currency}", percent=True))
    even = up.at(1)
    parts.append(f'<path d="M{LEFT} {even:.1f}H{WIDTH - RIGHT}" stroke="{MUTED}" stroke-dasharray="2 4" fill="none"/>')
    parts.append(_text(LEFT + 8, even - 6, "the chip, 100 %", size=12))
    for number, line in enumerate(lines):
        path = "M" + "L".join(f"{across.at(x):.1f} {up.at(y):.1f}" for x, y in line)
        parts.append(f'<path d="{path}" {_stroke(number)}/>')
    return _svg(parts, f"Return to the player by meter, in {currency}; the table below has every figure")


def coin(parts: Sequence[tuple[str, float]]) -> str:
    """One chip as a bar: where it goes, in the order of the table below."""
    shades = ("#0b5c43", "#4f9a7f", "#d39a2c", "#8a4b00", "#5b6b87")
    # More than the whole chip may go out, where the house's own part is below nothing.
    whole = max(sum(share for _, share in parts if share > 0), 1.0)
    bars, x = [], 0.0
    for shade, (name, share) in zip(shades, parts, strict=True):
        if share > 0:
            width = WIDTH * share / whole
            bars.append(f'<rect x="{x:.2f}" y="0" width="{width:.2f}" height="30" fill="{shade}">')
            bars.append(f"<title>{escape(name)}</title></rect>")
            x += width
    return (
        f'<svg viewBox="0 0 {WIDTH} 30" preserveAspectRatio="none" role="img" '
        f'aria-label="Where each chip goes; the table below has every part" class="coin">{"".join(bars)}</svg>'
    )


def report(title: str, figures: Sequence[tuple[str, Sequence[str]]], picture: str) -> str:
    """One picture to send around: the figures above, the fan below."""
    rows = len(figures)
    head = 96.0 + rows * 26.0
    parts = [f'<rect width="{WIDTH + 40}" height="{head + HEIGHT + 20:.0f}" fill="#ffffff"/>']
    parts.append(_text(20, 40, title, size=22, ink=TEXT, weight=700))
    for number, (name, values) in enumerate(figures):
        y = 84 + number * 26
        parts.append(_text(20, y, name, size=15))
        for place, value in enumerate(values):
            parts.append(_text(400 + place * 190, y, value, size=15, ink=INKS[place], weight=650))
    inner = picture.replace("<svg ", f'<svg x="20" y="{head:.0f}" width="{WIDTH}" height="{HEIGHT}" ', 1)
    size = f'width="{WIDTH + 40:.0f}" height="{head + HEIGHT + 20:.0f}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} {FONT}>{"".join(parts)}{inner}</svg>'


def _svg(parts: Sequence[str], words: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH:.0f} {HEIGHT:.0f}" role="img" '
        f'aria-label="{escape(words)}" {FONT}>{"".join(parts)}</svg>'
    )


def _grid(across: Scale, up: Scale, what: str, *, percent: bool = False, of: str = "paid back") -> Iterator[str]:
    for value in up.ticks(5):
        y = up.at(value)
        yield f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="{LINE}" fill="none"/>'
        yield _text(LEFT - 8, y + 4, f"{100 * value:.0f} %" if percent else short(value), anchor="end", size=12)
    for value in across.ticks(7):
        yield _text(across.at(value), HEIGHT - FOOT + 18, short(value), anchor="middle", size=12)
    yield _text(WIDTH - RIGHT, HEIGHT - 6, what, anchor="end", size=12)
    yield _text(6, HEIGHT - 6, f"upwards: {of}", size=12)


def _band(told: Answer, number: int, across: Scale, up: Scale) -> Iterator[str]:
    points = [(across.at(point["day"]), [up.at(value) for value in point["quantiles"]]) for point in told["fan"]]
    ink = INKS[number]
    for low, high, veil in ((0, 4, "0.12"), (1, 3, "0.20")):
        there = "L".join(f"{x:.1f} {ys[high]:.1f}" for x, ys in points)
        back = "L".join(f"{x:.1f} {ys[low]:.1f}" for x, ys in reversed(points))
        yield f'<path d="M{there}L{back}Z" fill="{ink}" fill-opacity="{veil}"/>'
    middle = "L".join(f"{x:.1f} {ys[2]:.1f}" for x, ys in points)
    yield f'<path d="M{middle}" {_stroke(number)}/>'


def _stroke(number: int) -> str:
    # Not by colour alone: on paper and to many eyes two colours are one.
    dash = ' stroke-dasharray="9 5"' if number else ""
    return f'stroke="{INKS[number]}" stroke-width="2.5" stroke-linejoin="round" fill="none"{dash}'


def _text(
    x: float, y: float, words: str, *, anchor: str = "start", size: int = 13, ink: str = MUTED, weight: int = 400
) -> str:
    looks = f'text-anchor="{anchor}" font-size="{size}" fill="{ink}" font-weight="{weight}"'
    return f'<text x="{x:.1f}" y="{y:.1f}" {looks}>{escape(words)}</text>'


def _line_through(points: Sequence[tuple[float, float]], top: float) -> list[tuple[float, float]]:
    """The return is a straight line in the meter: two of its points give the whole of it."""
    (one, value), (other, higher) = min(points), max(points)
    slope = (higher - value) / (other - one) if other > one else 0.0
    return [(0.0, value - slope * one), (top, value + slope * (top - one))]


def _number(text: str) -> float:
    whole, _, rest = text.partition(".")
    return int(whole + rest) / int("1" + "0" * len(rest))


def _share(text: str) -> float:
    top, _, below = text.partition("/")
    return int(top) / int(below or 1)
