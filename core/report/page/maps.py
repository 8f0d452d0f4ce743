"""Attention and cache of one step as pictures, made from the numbers of the trace."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from core.report.page.markup import Html, el
from core.report.page.pixels import BAD, CACHED, ORACLE, QUIET, image, shrunk, tinted
from core.text import QT_TRANSLATE_NOOP, Text
from core.views.attention import AttentionView
from core.views.slots import SlotsView

Say = Callable[[Text], str]
SIDE = 300
MARGIN = 30
LABELS = 26  # about so many tokens are named along an edge
MOST_LAYERS = 64
Cells = NDArray[np.float32]


def attention_figures(view: AttentionView, say: Say) -> list[Html]:
    """Return three maps: both lanes, and cached - oracle; a frame marks the cell that differs most."""
    largest = max(float(view.oracle.max()), float(view.cached.max()), 1e-9)
    lanes = (
        (QT_TRANSLATE_NOOP("core", "Oracle: the whole prefix"), view.oracle, ORACLE),
        (QT_TRANSLATE_NOOP("core", "Cached: new tokens only"), view.cached, CACHED),
    )
    figures = [
        _figure(say(Text(title)), view, tinted(np.sqrt(shrunk(weights) / largest), colour))
        for title, weights, colour in lanes
    ]
    template = QT_TRANSLATE_NOOP("core", "Cached \u2212 oracle, at most {largest}")
    title = say(Text(template, {"largest": f"{view.max_abs_diff:.3g}"}))
    return [*figures, _figure(title, view, _signed(view.difference, view.max_abs_diff))]


def _signed(difference: Cells, largest: float) -> NDArray[np.uint8]:
    """Rounding is not drawn as if it were a difference: below one in a thousand nothing is shown."""
    cells = shrunk(difference)
    strength = np.sqrt(np.abs(cells) / max(largest, 1e-3))
    return np.where((cells > 0)[..., None], tinted(strength, CACHED), tinted(strength, ORACLE))


def _figure(title: str, view: AttentionView, pixels: NDArray[np.uint8]) -> Html:
    n_tokens = len(view.labels)
    cell = SIDE / n_tokens
    parts = [
        el("rect", x=MARGIN, y=0, width=SIDE, height=SIDE, fill="var(--chip)"),
        image(pixels, MARGIN, 0, SIDE, SIDE),
        *_labels(view.labels, cell),
    ]
    border = MARGIN + view.prompt_len * cell
    if view.prompt_len < n_tokens:  # prefill | decode
        parts.append(
            el("line", x1=border, x2=border, y1=0, y2=SIDE, stroke="var(--muted)", stroke_dasharray="3 3")
        )
    if view.worst_cell is not None and view.max_abs_diff > 1e-3:
        query, key = view.worst_cell
        size = max(cell + 3.0, 7.0)
        parts.append(
            el("rect", x=MARGIN + (key + 0.5) * cell - size / 2, y=(query + 0.5) * cell - size / 2, width=size, height=size,
               fill="none", stroke="var(--bad)", stroke_width=1.6)
        )  # fmt: skip
    box = f"0 0 {MARGIN + SIDE + 4} {SIDE + MARGIN}"
    return el("figure", el("figcaption", title), el("svg", *parts, viewBox=box, role="img", aria_label=title))


def _labels(labels: Sequence[str], cell: float) -> list[Html]:
    """Token texts: queries on the left, keys below; of many, every so many."""
    out = []
    every = max(1, -(-len(labels) // LABELS))
    for index in range(len(labels) - 1, -1, -every):  # the newest is always named
        text, middle = labels[index][:4].strip() or "\u00b7", (index + 0.5) * cell
        out.append(el("text", text, x=MARGIN - 3, y=round(middle + 3, 1), text_anchor="end", font_size=8.5))
        out.append(
            el("text", text, x=round(MARGIN + middle, 1), y=SIDE + 11, text_anchor="middle", font_size=8.5)
        )
    return out


def slots_figure(view: SlotsView, limits: Sequence[tuple[float, float]], say: Say) -> Html:
    """Return layers by slots, K and V one below the other; red only where a difference is over what rounding makes.

    Args:
        limits: per layer, of K and of V.
    """
    n_layers, n_slots = view.dk.shape
    n_shown = min(n_layers, MOST_LAYERS)
    rows = np.stack((view.dk[:n_shown], view.dv[:n_shown]), 1).reshape(2 * n_shown, n_slots)
    row_limits = np.array(limits[:n_shown], np.float32).reshape(-1, 1)
    over = ~(rows <= row_limits) & (rows >= 0) | np.isnan(rows)
    strength = _decades(rows, row_limits)
    pixels = np.where(over[..., None], tinted(0.35 + 0.65 * strength, BAD), tinted(0.45 * strength, QUIET))
    height, width, left = 12, 840, 60
    parts: list[Html] = [
        el("rect", x=left, y=0, width=width, height=2 * n_shown * height, fill="var(--chip)"),
        image(pixels, left, 0, width, 2 * n_shown * height),
    ]
    for layer in range(n_shown):
        for place, name in enumerate("KV"):
            y = (2 * layer + place) * height
            parts.append(
                el("text", f"L{layer} {name}", x=left - 6, y=y + 10, text_anchor="end", font_size=10.5)
            )
        parts.append(
            el(
                "line",
                x1=left,
                x2=left + width,
                y1=2 * layer * height,
                y2=2 * layer * height,
                stroke="var(--panel)",
            )
        )
    every = max(1, -(-n_slots // 20))
    for slot in range(0, n_slots, every):
        x = left + (slot + 0.5) * width / n_slots
        parts.append(
            el(
                "text",
                str(slot),
                x=round(x, 1),
                y=2 * n_shown * height + 14,
                text_anchor="middle",
                font_size=10.5,
            )
        )
    title = say(
        Text(
            QT_TRANSLATE_NOOP("core", "Layers by slots, |\u0394K| above |\u0394V|; red is more than rounding")
        )
    )
    box = f"0 0 {left + width + 6} {2 * n_shown * height + 20}"
    return el("figure", el("figcaption", title), el("svg", *parts, viewBox=box, role="img", aria_label=title))


def _decades(rows: Cells, limits: Cells) -> Cells:
    """Return 0 for an exact zero or nothing, 1 for a thousand times the limit and more, by decades between."""
    ratio = np.maximum(rows, 0) / np.maximum(limits, 1e-12)
    decades = (np.log10(np.maximum(ratio, 1e-6)) + 6) / 9
    return np.where(rows > 0, np.clip(decades, 0, 1), 0).astype(np.float32)
