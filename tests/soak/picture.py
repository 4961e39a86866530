"""Draws series over time, one panel above the other, as SVG."""

import html
import math

_WIDTH, _PANEL, _LEFT, _RIGHT, _TOP, _GAP = 860, 110, 60, 16, 40, 34
_LINES = 400  # points of a line: a picture needs no more
_COLOURS = ("#0969da", "#bc4c00")


def _ticks(most):
    """Round numbers from 0 to at least `most`, about four of them."""
    step = 10 ** math.floor(math.log10(most / 2)) if most > 0 else 1
    step *= next(factor for factor in (1, 2, 5, 10) if most / (step * factor) <= 4)
    return [step * place for place in range(max(1, math.ceil(most / step)) + 1)]


def _thin(values):
    """The largest of each part, so that peaks stay."""
    size = max(1, -(-len(values) // _LINES))
    return [(place, max(values[place:place + size])) for place in range(0, len(values), size)]


def _panel(top, title, lines, seconds):
    """One panel: its title, and lines as a dictionary of names and values, one each second."""
    ticks = _ticks(max((max(values, default=0) for values in lines.values()), default=0))
    x = lambda second: _LEFT + (_WIDTH - _LEFT - _RIGHT) * second / max(1, seconds - 1)
    y = lambda value: top + _PANEL * (1 - value / ticks[-1])
    parts = [f'<text x="{_LEFT}" y="{top - 8}">{html.escape(title)}</text>']
    for tick in ticks:
        parts.append(f'<line x1="{_LEFT}" y1="{y(tick):.1f}" x2="{_WIDTH - _RIGHT}" y2="{y(tick):.1f}" class="grid"/>')
        parts.append(f'<text x="{_LEFT - 8}" y="{y(tick) + 4:.1f}" text-anchor="end" class="faint">{tick:g}</text>')
    right = _WIDTH - _RIGHT
    for colour, (name, values) in reversed(list(zip(_COLOURS, lines.items()))):
        points = " ".join(f"{x(second):.1f},{y(value):.1f}" for second, value in _thin(values))
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="1.5"/>')
        if len(lines) > 1:
            parts.append(f'<text x="{right}" y="{top - 8}" text-anchor="end" fill="{colour}">{html.escape(name)}</text>')
            right -= 9 * len(name) + 16
    return "\n".join(parts)


def _time_axis(top, seconds):
    parts = []
    for minute in _ticks(seconds / 60):
        place = _LEFT + (_WIDTH - _LEFT - _RIGHT) * 60 * minute / max(1, seconds - 1)
        if place <= _WIDTH - _RIGHT + 1:
            parts.append(f'<text x="{place:.1f}" y="{top}" text-anchor="middle" class="faint">{minute:g} min</text>')
    return "\n".join(parts)


def draw(title, panels):
    """The SVG of a title and panels: pairs of a panel's title and its lines."""
    seconds = max(len(values) for _, lines in panels for values in lines.values())
    height = _TOP + len(panels) * (_PANEL + _GAP) + 20
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{height}" viewBox="0 0 {_WIDTH} {height}" '
        f'role="img">',
        f"<title>{html.escape(title)}</title>",
        "<style>text { font: 13px sans-serif } .faint { font-size: 11px; fill: #57606a } .grid { stroke: #d0d7de }"
        "</style>",
        '<rect width="100%" height="100%" fill="#ffffff"/>',
    ]
    top = _TOP
    for name, lines in panels:
        parts.append(_panel(top, name, lines, seconds))
        top += _PANEL + _GAP
    parts.append(_time_axis(top - _GAP + 18, seconds))
    return "\n".join(parts) + "\n</svg>\n"
