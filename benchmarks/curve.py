"""A small line chart as SVG: sizes on a logarithmic axis, milliseconds on a plain one."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape

_WIDTH, _HEIGHT = 640, 360
_LEFT, _RIGHT, _TOP, _BOTTOM = 56, 170, 24, 48
_COLOURS = ("#2563eb", "#dc2626", "#059669", "#9333ea")
_STEPS = 5


def drawn(title: str, sizes: Sequence[int], lines: Mapping[str, Sequence[float]]) -> str:
    """Return the chart; each line has a value for each size."""
    most = max(max(values) for values in lines.values())
    step = _nice(most / _STEPS)
    top = step * math.ceil(most / step)
    low, high = math.log10(sizes[0]), math.log10(sizes[-1])

    def across(size: int) -> float:
        share = (math.log10(size) - low) / ((high - low) or 1.0)
        return _LEFT + share * (_WIDTH - _LEFT - _RIGHT)

    def up(value: float) -> float:
        return _HEIGHT - _BOTTOM - value / top * (_HEIGHT - _TOP - _BOTTOM)

    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" '
        'font-family="sans-serif" font-size="12">'
    )
    parts = [
        head,
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#fff"/>',
        f'<text x="{_LEFT}" y="15" font-weight="bold">{escape(title)}</text>',
    ]
    for number in range(round(top / step) + 1):
        y = up(number * step)
        parts.append(
            f'<line x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{y:.1f}" y2="{y:.1f}" stroke="#ddd"/>'
            f'<text x="{_LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{number * step:g}</text>'
        )
    parts += [
        f'<text x="{across(size):.1f}" y="{_HEIGHT - _BOTTOM + 18}" text-anchor="middle">'
        f"{size:,}</text>"
        for size in sizes
    ]
    parts.append(
        f'<text x="{(_LEFT + _WIDTH - _RIGHT) / 2}" y="{_HEIGHT - 8}" text-anchor="middle">'
        "papers in the library</text>"
    )
    for (name, values), colour in zip(lines.items(), _COLOURS, strict=False):
        path = " ".join(f"{across(s):.1f},{up(v):.1f}" for s, v in zip(sizes, values, strict=True))
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [
            f'<circle cx="{across(s):.1f}" cy="{up(v):.1f}" r="3" fill="{colour}"/>'
            for s, v in zip(sizes, values, strict=True)
        ]
        parts.append(
            f'<text x="{_WIDTH - _RIGHT + 8}" y="{up(values[-1]) + 4:.1f}" fill="{colour}">'
            f"{escape(name)}: {values[-1]:g} ms</text>"
        )
    return "\n".join([*parts, "</svg>\n"])


def _nice(step: float) -> float:
    """Return 1, 2 or 5 times a power of ten, the least that is not below ``step``."""
    power = 10.0 ** math.floor(math.log10(step))
    return float(next(n * power for n in (1, 2, 5, 10) if n * power >= step))
