"""The timeline as an SVG: log10 of the difference of every step, the tolerance, what is over it, where the choice flips."""

import math
from collections.abc import Callable

import numpy as np

from core.report.page.markup import Html, el, join
from core.text import QT_TRANSLATE_NOOP, Text
from core.views.timeline import TimelineView

Say = Callable[[Text], str]
WIDTH, HEIGHT = 900, 220
LEFT, RIGHT, TOP, BOTTOM = 56, 14, 12, 26
MOST_POINTS = 1500


def timeline_svg(view: TimelineView, say: Say) -> Html:
    """Return the picture; of more steps than it has room for, the worst of each stretch is drawn."""
    tolerance = math.log10(view.tolerance) if view.tolerance > 0 else float(view.log10_diff.min())
    low = math.floor(min(float(view.log10_diff.min()), tolerance) - 0.2)
    high = math.ceil(max(float(view.log10_diff.max()), tolerance) + 0.2)
    last = max(1, view.n_planned)

    def x(step: float) -> float:
        return round(LEFT + 8 + (WIDTH - LEFT - RIGHT - 16) * step / last, 1)

    def y(value: float) -> float:
        return round(TOP + (HEIGHT - TOP - BOTTOM) * (high - value) / (high - low), 1)

    shown = _shown(view)
    path = " ".join(f"{x(step)},{y(float(view.log10_diff[step]))}" for step in shown)
    label = say(Text(QT_TRANSLATE_NOOP("core", "Largest logit difference of every step")))
    return el(
        "svg",
        *_axes(x, y, low, high, last),
        el("line", x1=LEFT, x2=WIDTH - RIGHT, y1=y(tolerance), y2=y(tolerance), stroke="var(--text)", stroke_dasharray="5 4"),
        el("polyline", points=path, fill="none", stroke="var(--muted)", stroke_width=1.2),
        *(_mark(view, step, x(step), y(float(view.log10_diff[step])), say) for step in shown),
        viewBox=f"0 0 {WIDTH} {HEIGHT}", role="img", aria_label=label,
    )  # fmt: skip


def _shown(view: TimelineView) -> list[int]:
    n_steps = len(view.log10_diff)
    if n_steps <= MOST_POINTS:
        return list(range(n_steps))
    parts = np.array_split(np.arange(n_steps), MOST_POINTS)
    worst = {int(part[view.log10_diff[part].argmax()]) for part in parts}
    return sorted(worst | ({view.first_bad} if view.first_bad is not None else set()))


def _axes(
    x: Callable[[float], float], y: Callable[[float], float], low: int, high: int, last: int
) -> list[Html]:
    """Decades as lines; about eight step numbers below."""
    out = []
    every = max(1, math.ceil((high - low) / 6))
    for decade in range(low, high + 1, every):
        out.append(el("line", x1=LEFT, x2=WIDTH - RIGHT, y1=y(decade), y2=y(decade), stroke="var(--line)"))
        out.append(el("text", f"1e{decade}", x=LEFT - 6, y=y(decade) + 4, text_anchor="end", font_size=12))
    stride = max(1, math.ceil(last / 12))
    for step in range(0, last + 1, stride):
        out.append(el("text", str(step), x=x(step), y=HEIGHT - 8, text_anchor="middle", font_size=12))
    return out


def _mark(view: TimelineView, step: int, x: float, y: float, say: Say) -> Html:
    """A dot for a good step, a cross for a bad one, a ring around a flipped choice: never colour alone."""
    bad = bool(view.is_bad[step])
    colour = "var(--bad)" if bad else "var(--good)"
    parts = [el("title", say(Text(QT_TRANSLATE_NOOP("core", "step {step}"), {"step": step})))]
    if bad:
        size = 6 if step == view.first_bad else 4
        line = f"M{x - size},{y - size}L{x + size},{y + size}M{x - size},{y + size}L{x + size},{y - size}"
        parts.append(el("path", d=line, stroke=colour, stroke_width=2.6 if step == view.first_bad else 1.6))
    else:
        parts.append(
            el(
                "circle",
                cx=x,
                cy=y,
                r=3,
                fill="var(--panel)" if view.is_exact[step] else colour,
                stroke=colour,
            )
        )
    if view.is_flip[step]:
        parts.append(el("circle", cx=x, cy=y, r=9, fill="none", stroke="var(--text)"))
    return el("g", join(*parts))
