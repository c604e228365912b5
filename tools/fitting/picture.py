"""The errors of all rows by family, as an SVG picture."""

import html
import zlib

LEFT, RIGHT, ROW, TOP, WIDTH = 250, 20, 26, 30, 860
LIMIT = 40  # percent at both ends; what is beyond is drawn there, as a ring


def draw(families):
    """`families`: (name, target for nine rows of ten or None, [(id of the row, error in %)])."""
    height = TOP + ROW * len(families) + 30
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" '
             f'viewBox="0 0 {WIDTH} {height}" font-family="sans-serif" font-size="12">',
             f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>', *axis(height)]
    for index, (name, target, errors) in enumerate(families):
        parts += family(TOP + ROW * index, name, target, errors)
    return "\n".join([*parts, "</svg>\n"])


def x_of(percent):
    held = min(max(percent, -LIMIT), LIMIT)
    return LEFT + (held + LIMIT) / (2 * LIMIT) * (WIDTH - LEFT - RIGHT)


def axis(height):
    for percent in range(-LIMIT, LIMIT + 1, 10):
        x = f"{x_of(percent):.1f}"
        shade = "#dddddd" if percent else "#555555"
        sign = f"{percent:+d}" if percent else "0"
        yield f'<line x1="{x}" y1="{TOP - 4}" x2="{x}" y2="{height - 26}" stroke="{shade}"/>'
        yield f'<text x="{x}" y="{TOP - 10}" text-anchor="middle">{sign} %</text>'
    legend = ("predicted / measured - 1; blue: target for nine rows of ten; "
              f"rings: beyond {LIMIT} %")
    yield f'<text x="{x_of(0):.1f}" y="{height - 8}" text-anchor="middle">{legend}</text>'


def family(top, name, target, errors):
    middle = top + ROW / 2
    if target:
        left, right = x_of(-target), x_of(target)
        yield (f'<rect x="{left:.1f}" y="{top + 2}" width="{right - left:.1f}" height="{ROW - 4}" '
               f'fill="#cfe3f5" fill-opacity="0.6"/>')
    yield (f'<text x="{LEFT - 12}" y="{middle + 4:.1f}" text-anchor="end">{html.escape(name)} '
           f'({len(errors)})</text>')
    for row, percent in errors:
        y = middle + (zlib.crc32(row.encode()) % 15 - 7)  # spread, the same every time
        form = 'fill="none" stroke="#b03030"' if abs(percent) > LIMIT else (
            'fill="#303030" fill-opacity="0.45"')
        yield f'<circle cx="{x_of(percent):.1f}" cy="{y:.1f}" r="2.2" {form}/>'
