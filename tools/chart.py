"""A line through points as an SVG picture, for plots of the docs."""
import math

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 640, 360, 74, 30, 18, 46


def ticks(low, high, is_log):
    """Positions on the axis with what is written there."""
    if is_log:
        return [(power, f"1e{power}") for power in range(math.floor(low), math.ceil(high) + 1)]
    step = 10 ** math.floor(math.log10(max(high - low, 1e-30)))
    step *= 1 if (high - low) / step < 4 else 2
    return [(i * step, f"{i * step:g}") for i in range(math.floor(low / step), math.ceil(high / step) + 1)]


def draw(points, x_label, y_label, is_log=False):
    scale = math.log10 if is_log else float
    xs, ys = [scale(x) for x, _ in points], [scale(y) for _, y in points]
    across = ticks(min(xs), max(xs), is_log)
    up = ticks(min(ys) if is_log else 0, max(ys), is_log)

    def place(value, marks, first, last):
        return first + (last - first) * (value - marks[0][0]) / (marks[-1][0] - marks[0][0])

    def x(value):
        return place(value, across, LEFT, WIDTH - RIGHT)

    def y(value):
        return place(value, up, HEIGHT - BOTTOM, TOP)

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">',
           f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>']
    for value, text in up:
        out.append(f'<path d="M{LEFT} {y(value):.1f}H{WIDTH - RIGHT}" stroke="#ddd"/>')
        out.append(f'<text x="{LEFT - 8}" y="{y(value) + 4:.1f}" text-anchor="end">{text}</text>')
    for value, text in across:
        out.append(f'<text x="{x(value):.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{text}</text>')
    path = "L".join(f"{x(a):.1f} {y(b):.1f}" for a, b in zip(xs, ys))
    out.append(f'<path d="M{path}" fill="none" stroke="#0072b2" stroke-width="2"/>')
    out += [f'<circle cx="{x(a):.1f}" cy="{y(b):.1f}" r="3" fill="#0072b2"/>' for a, b in zip(xs, ys)]
    out.append(f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 8}" text-anchor="middle">{x_label}</text>')
    out.append(f'<text x="14" y="{(TOP + HEIGHT - BOTTOM) / 2}" text-anchor="middle" '
               f'transform="rotate(-90 14 {(TOP + HEIGHT - BOTTOM) / 2})">{y_label}</text>')
    return "\n".join(out + ["</svg>"]) + "\n"
