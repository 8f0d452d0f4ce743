"""The look of a slot's state: a colour that red-green-blind eyes keep apart, and a letter that needs none."""

from dataclasses import dataclass
from typing import Literal

from PySide6.QtGui import QColor

from core.verdict.diagnosis.slot_map import State
from gui.theme import Theme


@dataclass(frozen=True)
class StateLook:
    """A fill, and what is written on it."""

    fill: QColor
    ink: QColor
    letter: str


_LETTERS = {
    State.OK: "", State.PAD: "p", State.EMPTY: "\u00b7", State.DIFFERENT: "\u2260", State.NEAR: "\u2248", State.ZERO: "0",
    State.NOT_FINITE: "N", State.MISPLACED: "T", State.OTHER_ROW: "R", State.OTHER_LAYER: "L", State.DUPLICATE: "D",
    State.STALE: "S",
}  # fmt: skip
# lightness and hue both change from one to the next; red stays for rows that are over the tolerance and nothing else
_FILLS: dict[Literal["light", "dark"], dict[State, str]] = {
    "light": {
        State.OK: "#e3eaf3", State.NEAR: "#f5d94e", State.ZERO: "#39424e", State.NOT_FINITE: "#c2178f", State.MISPLACED: "#7a52c7",
        State.OTHER_ROW: "#0b7f86", State.OTHER_LAYER: "#7d4f16", State.DUPLICATE: "#f0a6c8", State.STALE: "#9aa83a",
    },
    "dark": {
        State.OK: "#2c3542", State.NEAR: "#e8cb45", State.ZERO: "#c9d1db", State.NOT_FINITE: "#ff5fcb", State.MISPLACED: "#a98bf0",
        State.OTHER_ROW: "#35b5bb", State.OTHER_LAYER: "#b98444", State.DUPLICATE: "#f5b3d0", State.STALE: "#a9b84c",
    },
}  # fmt: skip
_INKS = QColor("#161b22"), QColor("#ffffff")


def state_look(state: int, theme: Theme) -> StateLook:
    """Return how a state is drawn."""
    name = State(state)
    if name in (State.PAD, State.EMPTY):
        return StateLook(theme.unseen, theme.muted, _LETTERS[name])
    fill = theme.bad if name is State.DIFFERENT else QColor(_FILLS[theme.name][name])
    return StateLook(fill, max(_INKS, key=lambda ink: contrast(ink, fill)), _LETTERS[name])


def contrast(a: QColor, b: QColor) -> float:
    """Return the contrast of two colours as WCAG defines it, from 1 to 21."""
    light, dark = sorted((_luminance(a), _luminance(b)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: QColor) -> float:
    parts = (colour.redF(), colour.greenF(), colour.blueF())
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
