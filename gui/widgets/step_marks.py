"""Marks of steps in the timeline: a quiet band for what is special, a line at the foot for tokens that matter."""

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, QPointF, QRectF
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from core.text import QT_TRANSLATE_NOOP
from core.views.step_marks import MarkKind, SensitiveStep, StepMark, StepMarks
from gui.theme import current_theme
from gui.token_text import visible

CONTEXT = "step_marks"
WORDS: dict[MarkKind, str] = {
    "chunk": QT_TRANSLATE_NOOP("step_marks", "chunk"),
    "turn": QT_TRANSLATE_NOOP("step_marks", "turn"),
    "draft": QT_TRANSLATE_NOOP("step_marks", "draft"),
    "rollback": QT_TRANSLATE_NOOP("step_marks", "rollback"),
    "reorder": QT_TRANSLATE_NOOP("step_marks", "reorder"),
}
SENTENCES: dict[MarkKind, str] = {
    "chunk": QT_TRANSLATE_NOOP("step_marks", "a further chunk of the prompt: {n} tokens at once"),
    "turn": QT_TRANSLATE_NOOP("step_marks", "a later turn begins: {n} tokens at once"),
    "draft": QT_TRANSLATE_NOOP("step_marks", "{n} draft tokens at once, to be checked"),
    "rollback": QT_TRANSLATE_NOOP("step_marks", "before it the cache was rolled back to {n} tokens"),
    "reorder": QT_TRANSLATE_NOOP("step_marks", "before it the batch rows changed places"),
}
ROLLED_BACK = QT_TRANSLATE_NOOP("step_marks", "before it the cache was rolled back")
MATTERS = QT_TRANSLATE_NOOP("step_marks", "chose “{text}”, part of a number, a date, an address or an id")
CHANGED = QT_TRANSLATE_NOOP(
    "step_marks",
    "chose “{text}”, part of a number, a date, an address or an id; the cached lane would choose “{other}”",
)


def mark_words(marks: StepMarks) -> dict[int, str]:
    """A word or two for each step that is special, for the axis."""
    words: dict[int, list[str]] = {}
    for mark in marks.marks:
        words.setdefault(mark.step, []).append(QCoreApplication.translate(CONTEXT, WORDS[mark.kind]))
    return {step: " · ".join(found) for step, found in words.items()}


def describe_marks(marks: StepMarks, step: int) -> list[str]:
    """A sentence for each mark of the step."""
    lines = [_sentence(mark) for mark in marks.marks if mark.step == step]
    return lines + [_about_token(one) for one in marks.sensitive if one.step == step]


def paint_marks(
    painter: QPainter, marks: StepMarks, area: QRectF, place_of: Callable[[float], float], unit: float
) -> None:
    """Paint into the plot's area; `place_of` is a step's horizontal place there."""
    painter.save()
    painter.setClipRect(area)
    pitch = place_of(1) - place_of(0)
    for step in sorted({mark.step for mark in marks.marks}):
        _paint_band(painter, area, place_of(step), pitch, unit)
    for one in marks.sensitive:
        _paint_foot(
            painter, area.bottom(), place_of(one.step), pitch, unit, is_changed=one.cached is not None
        )
    painter.restore()


def _paint_band(painter: QPainter, area: QRectF, x: float, pitch: float, unit: float) -> None:
    """A notch at the top shows a band that has become narrow."""
    theme, width = current_theme(), max(pitch - 2, 2.0)
    painter.fillRect(QRectF(x - width / 2, area.top(), width, area.height()), theme.chip)
    _triangle(painter, QPointF(x, area.top() + unit * 0.22), unit * 0.22, theme.muted, points_down=True)


def _paint_foot(
    painter: QPainter, bottom: float, x: float, pitch: float, unit: float, is_changed: bool
) -> None:
    """One dashed line as in the strip of tokens; two red ones and a peak where the token would be another."""
    theme = current_theme()
    half = max(1.0, min(pitch * 0.7, unit * 1.1) / 2)
    if not is_changed:
        pen = QPen(theme.accent, unit * 0.12)
        pen.setDashPattern([1.6, 1.2])
        painter.setPen(pen)
        painter.drawLine(QPointF(x - half, bottom - unit * 0.15), QPointF(x + half, bottom - unit * 0.15))
        return
    painter.setPen(QPen(theme.bad, unit * 0.12))
    for up in (0.12, 0.36):
        painter.drawLine(QPointF(x - half, bottom - unit * up), QPointF(x + half, bottom - unit * up))
    _triangle(painter, QPointF(x, bottom - unit * 0.7), unit * 0.24, theme.bad, points_down=False)


def _triangle(painter: QPainter, centre: QPointF, size: float, colour: QColor, points_down: bool) -> None:
    sign = 1 if points_down else -1
    corners = [(-size, -sign * size), (size, -sign * size), (0.0, sign * size)]
    painter.save()
    painter.setPen(QPen(colour, 0.5))
    painter.setBrush(colour)
    painter.drawPolygon(QPolygonF([centre + QPointF(x, y) for x, y in corners]))
    painter.restore()


def _sentence(mark: StepMark) -> str:
    template = ROLLED_BACK if mark.tokens is None else SENTENCES[mark.kind]
    return QCoreApplication.translate(CONTEXT, template).format(n=mark.tokens)


def _about_token(one: SensitiveStep) -> str:
    template = MATTERS if one.cached is None else CHANGED
    return QCoreApplication.translate(CONTEXT, template).format(
        text=visible(one.oracle, 24), other=visible(one.cached or "", 24)
    )
