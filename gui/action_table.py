"""Every command once: menus, toolbar, keys, palette and key list all come from this table."""

import sys
from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QKeySequence

from core.text import QT_TRANSLATE_NOOP
from gui.run_stage import BUSY, Stage

CONTEXT = "actions"


@dataclass(frozen=True)
class Situation:
    """What decides which commands make sense now."""

    n_steps: int
    step: int
    stage: Stage
    n_layers: int
    n_heads: int
    n_batch_rows: int
    runs_scenarios: bool = False
    looks_for_cause: bool = False
    is_playing: bool = False
    is_measuring: bool = False
    is_known: bool = True  # the target, so that the run can be repeated
    has_bookmarks: bool = False
    can_go_back: bool = False
    can_go_forward: bool = False

    @property
    def can_run(self) -> bool:
        return self.stage is Stage.WAITING

    @property
    def has_trace(self) -> bool:
        return self.n_steps > 0

    @property
    def can_play(self) -> bool:
        return self.can_run or self.stage is Stage.RUNNING or self.n_steps > 1

    @property
    def is_busy(self) -> bool:
        return (
            self.stage in BUSY
            or self.runs_scenarios
            or self.looks_for_cause
            or self.is_playing
            or self.is_measuring
        )

    @property
    def can_go_on(self) -> bool:
        return self.step < self.n_steps - 1 or self.can_run


@dataclass(frozen=True)
class ActionSpec:
    """One command: English text and keys (the first one is shown in menus)."""

    id: str
    text: str
    keys: tuple[str, ...] = ()
    icon: str = ""
    is_enabled: Callable[[Situation], bool] = lambda situation: True
    is_checkable: bool = False


def _has_trace(situation: Situation) -> bool:
    return situation.has_trace


ACTIONS: tuple[ActionSpec, ...] = (
    ActionSpec("open", QT_TRANSLATE_NOOP("actions", "&Open trace or target…"), ("Ctrl+O",), "open"),
    ActionSpec("open_folder", QT_TRANSLATE_NOOP("actions", "Open &model folder…"), ("Ctrl+Shift+O",)),
    ActionSpec("compare", QT_TRANSLATE_NOOP("actions", "Comp&are traces…"), ()),
    ActionSpec("trusted", QT_TRANSLATE_NOOP("actions", "&Trusted files…"), ()),
    ActionSpec("save", QT_TRANSLATE_NOOP("actions", "&Save trace…"), ("Ctrl+S",), "save", _has_trace),
    ActionSpec("save_report", QT_TRANSLATE_NOOP("actions", "Save &report…"), ("Ctrl+Shift+S",), "", _has_trace),
    ActionSpec("save_notes", QT_TRANSLATE_NOOP("actions", "Save lab &notes…"), (), "", _has_trace),
    ActionSpec("picture", QT_TRANSLATE_NOOP("actions", "Save &picture…"), ("Ctrl+Shift+E",), "camera"),
    ActionSpec("copy_command", QT_TRANSLATE_NOOP("actions", "&Copy as command"), ("Ctrl+Shift+C",), "copy", lambda s: s.is_known),
    ActionSpec("quit", QT_TRANSLATE_NOOP("actions", "&Quit"), ("Ctrl+Q",)),
    ActionSpec("step", QT_TRANSLATE_NOOP("actions", "&Step"), ("F10", "Right"), "step", lambda s: s.can_go_on),
    ActionSpec("back", QT_TRANSLATE_NOOP("actions", "Step &back"), ("Shift+F10", "Left"), "back", lambda s: s.step > 0),
    ActionSpec("forward_ten", QT_TRANSLATE_NOOP("actions", "Ten steps &on"), ("Shift+Right",), "", lambda s: s.can_go_on),
    ActionSpec("back_ten", QT_TRANSLATE_NOOP("actions", "&Ten steps back"), ("Shift+Left",), "", lambda s: s.step > 0),
    ActionSpec("first", QT_TRANSLATE_NOOP("actions", "&First step"), ("Home",), "first", lambda s: s.step > 0),
    ActionSpec("last", QT_TRANSLATE_NOOP("actions", "&Last step"), ("End",), "last", lambda s: s.can_go_on),
    ActionSpec("run", QT_TRANSLATE_NOOP("actions", "&Run or pause"), ("Space",), "play", lambda s: s.can_play),
    ActionSpec("next_bad", QT_TRANSLATE_NOOP("actions", "&Next bad step"), ("F5", "B"), "next-bad", lambda s: s.can_go_on),
    ActionSpec("previous_bad", QT_TRANSLATE_NOOP("actions", "&Previous bad step"), ("Shift+F5", "Shift+B"), "previous-bad",
               lambda s: s.step > 0),
    ActionSpec("go_to_step", QT_TRANSLATE_NOOP("actions", "&Go to step…"), ("Ctrl+G",), "", _has_trace),
    ActionSpec("find_token", QT_TRANSLATE_NOOP("actions", "F&ind token…"), ("Ctrl+F",), "search", _has_trace),
    ActionSpec("bookmark", QT_TRANSLATE_NOOP("actions", "Boo&kmark"), ("Ctrl+B",), "bookmark", _has_trace),
    ActionSpec("next_bookmark", QT_TRANSLATE_NOOP("actions", "Ne&xt bookmark"), ("Ctrl+Shift+B",), "", lambda s: s.has_bookmarks),
    ActionSpec("go_back", QT_TRANSLATE_NOOP("actions", "Where I was &before"), ("Alt+Left",), "", lambda s: s.can_go_back),
    ActionSpec("go_forward", QT_TRANSLATE_NOOP("actions", "Where I was aft&er"), ("Alt+Right",), "", lambda s: s.can_go_forward),
    ActionSpec("stop_when", QT_TRANSLATE_NOOP("actions", "Stop &when…"), ("F9",), "flag"),
    ActionSpec("cancel", QT_TRANSLATE_NOOP("actions", "&Cancel run"), ("Esc",), "stop", lambda s: s.is_busy),
    ActionSpec("all_scenarios", QT_TRANSLATE_NOOP("actions", "A&ll scenarios"), ("F6",), "check", lambda s: not s.runs_scenarios),
    ActionSpec("profile", QT_TRANSLATE_NOOP("actions", "&Time and memory"), ("F7",), "", _has_trace),
    ActionSpec("restart", QT_TRANSLATE_NOOP("actions", "Record &again"), ("Ctrl+R",), "reset"),
    ActionSpec("free_run", QT_TRANSLATE_NOOP("actions", "Let each lane &write its own text, too"), (), "", lambda s: s.is_known, is_checkable=True),
    ActionSpec("next_layer", QT_TRANSLATE_NOOP("actions", "Next la&yer"), ("F11",), "layers", lambda s: s.n_layers > 1),
    ActionSpec("previous_layer", QT_TRANSLATE_NOOP("actions", "Previous layer"), ("Shift+F11",), "", lambda s: s.n_layers > 1),
    ActionSpec("next_head", QT_TRANSLATE_NOOP("actions", "Next &head"), ("F12",), "", lambda s: s.n_heads > 1),
    ActionSpec("previous_head", QT_TRANSLATE_NOOP("actions", "Previous head"), ("Shift+F12",), "", lambda s: s.n_heads > 1),
    ActionSpec("next_row", QT_TRANSLATE_NOOP("actions", "Next batch ro&w"), ("R",), "", lambda s: s.n_batch_rows > 1),
    ActionSpec("log_scale", QT_TRANSLATE_NOOP("actions", "Attention on a &log scale"), ("Ctrl+L",), is_checkable=True),
    ActionSpec("mask_outline", QT_TRANSLATE_NOOP("actions", "Outline what the &mask allows"), (), is_checkable=True),
    ActionSpec("theme", QT_TRANSLATE_NOOP("actions", "&Light or dark"), ("Ctrl+T",), "theme"),
    ActionSpec("system_theme", QT_TRANSLATE_NOOP("actions", "Light or dark like the s&ystem"), ()),
    ActionSpec("language", QT_TRANSLATE_NOOP("actions", "中文 / &English"), ("Ctrl+Shift+L",), "language"),
    ActionSpec("zoom_in", QT_TRANSLATE_NOOP("actions", "&Larger"), ("Ctrl++", "Ctrl+="), "plus"),
    ActionSpec("zoom_out", QT_TRANSLATE_NOOP("actions", "&Smaller"), ("Ctrl+-",), "minus"),
    ActionSpec("zoom_reset", QT_TRANSLATE_NOOP("actions", "&Normal size"), ("Ctrl+0",)),
    ActionSpec("reset_layout", QT_TRANSLATE_NOOP("actions", "R&eset layout"), ("Ctrl+Shift+R",)),
    ActionSpec("fullscreen", QT_TRANSLATE_NOOP("actions", "F&ull screen"), ("Alt+Return",)),
    ActionSpec("palette", QT_TRANSLATE_NOOP("actions", "&Commands…"), ("Ctrl+K", "Ctrl+Shift+P"), "search"),
    ActionSpec("start_page", QT_TRANSLATE_NOOP("actions", "&Start page"), ("Ctrl+Shift+H",)),
    ActionSpec("tour", QT_TRANSLATE_NOOP("actions", "&Tour"), (), "tour"),
    ActionSpec("lab", QT_TRANSLATE_NOOP("actions", "La&b"), ("F8",)),
    ActionSpec("words", QT_TRANSLATE_NOOP("actions", "&Words"), ()),
    ActionSpec("keys", QT_TRANSLATE_NOOP("actions", "&Keys"), ("F1", "?"), "help"),
    ActionSpec("about", QT_TRANSLATE_NOOP("actions", "&About KVScope"), (), "info"),
)  # fmt: skip


def plain_text(spec: ActionSpec) -> str:
    """The text without the mark of its menu letter."""
    return without_letter(QCoreApplication.translate(CONTEXT, spec.text))


def without_letter(text: str) -> str:
    """A menu's text as it is read aloud."""
    head, mark, _ = text.partition("(&")  # Chinese menus write the letter behind the text
    return (head if mark else text.replace("&", "")).rstrip("…")


def first_key(spec: ActionSpec) -> str:
    """The key that menus show, as this platform writes it; empty where there is none."""
    return shown_keys(spec)[0] if spec.keys else ""


def shown_keys(spec: ActionSpec) -> tuple[str, ...]:
    """At most two keys, as they are drawn: as symbols on a Mac, else by the names that are printed on them."""
    form = QKeySequence.SequenceFormat
    written = form.NativeText if sys.platform == "darwin" else form.PortableText
    return tuple(QKeySequence(key).toString(written) for key in spec.keys[:2])


def keys_text(spec: ActionSpec) -> str:
    """The keys as this platform writes them."""
    return " · ".join(QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText) for key in spec.keys)


def tool_tip(spec: ActionSpec) -> str:
    """What a button says when the mouse rests on it."""
    return f"{plain_text(spec)}  ({keys_text(spec)})" if spec.keys else plain_text(spec)
