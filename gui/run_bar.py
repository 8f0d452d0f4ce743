"""The settings of a run, in one row: what the user chooses becomes a RunSpec."""

import math

from msgspec.structs import replace
from PySide6.QtCore import QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QWidget

from core.catalog import DEFAULT_IDS, DEFAULT_PROMPT, HF_PREFIX, LAYOUTS, MODELS, SCENARIOS
from core.engine.messages import RunSpec
from core.views.numbers import scientific
from gui.fault_button import FaultButton
from gui.fault_menu import FaultMenu
from gui.field import Choice, Field, show_in_combo, spin
from gui.glossary import meaning_of
from gui.recorded_spec import NO_TARGET
from gui.targets import is_builtin, layouts_of, shown_name, with_target
from gui.theme import mono_font, theme_events, ui_font
from gui.widgets.guard import guarded

ALL = "all"  # as on the command line
MAX_STEPS = 512
PROMPT_CHARACTERS = 26  # of the prompt that shall be seen
LEFT_OUT = (
    "fault",
    "scenario",
    "layout",
    "model",
    "prompt",
)  # words that give way to it, one after the other
SETTLE_MS = 300  # a spin box that is being turned starts one run, not ten


class RunBar(QWidget):
    """Model, cache, scenario, prompt, fault, steps, tolerance."""

    spec_edited = Signal(object)  # RunSpec
    tolerance_edited = Signal(float)
    all_asked = Signal()  # every scenario, one after another

    def __init__(self, fault_menu: FaultMenu) -> None:
        super().__init__()
        self._spec = RunSpec()
        self._takes_text = True
        self._make_controls(fault_menu)
        self._make_row()
        self._connect(fault_menu)
        theme_events().changed.connect(self._apply_fonts)
        self._apply_fonts()
        self.retranslate()
        self.show_spec(self._spec)

    def _make_controls(self, fault_menu: FaultMenu) -> None:
        self.model = Choice(())
        for target in MODELS:
            self.model.addItem(target, target)
        self.layout_box = Choice(LAYOUTS)
        self.scenario = Choice((*SCENARIOS, ALL))
        self.scenario.insertSeparator(len(SCENARIOS))
        self.prompt = QLineEdit()
        self.fault = FaultButton(fault_menu)
        self.steps = spin(1, MAX_STEPS)
        self.tolerance = QLineEdit()
        self._settle = QTimer(self, singleShot=True, interval=SETTLE_MS)

    def _make_row(self) -> None:
        controls = {
            "model": self.model,
            "layout": self.layout_box,
            "scenario": self.scenario,
            "prompt": self.prompt,
            "steps": self.steps,
            "tolerance": self.tolerance,
        }
        self.fields = {name: Field(control) for name, control in controls.items()}
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        for name in ("model", "layout", "scenario"):
            row.addWidget(self.fields[name])
        row.addWidget(self.fields["prompt"], 1)
        row.addWidget(self.fault)
        row.addWidget(self.fields["steps"])
        row.addWidget(self.fields["tolerance"])

    def _connect(self, fault_menu: FaultMenu) -> None:
        self.model.activated.connect(self._on_model_chosen)
        self.layout_box.activated.connect(lambda: self._edit(layout=self.layout_box.currentText()))
        self.scenario.activated.connect(self._on_scenario_chosen)
        self.prompt.editingFinished.connect(self._on_prompt_finished)
        fault_menu.chosen.connect(lambda faults: self._edit(faults=faults))
        self.steps.valueChanged.connect(self._settle.start)
        self._settle.timeout.connect(lambda: self._edit(steps=self.steps.value()))
        self.tolerance.editingFinished.connect(self._on_tolerance_finished)
        self.tolerance.textEdited.connect(
            lambda: self.fields["tolerance"].set_wrong(self._typed_tolerance() is None)
        )

    def show_spec(self, spec: RunSpec, target_name: str = "", takes_text: bool = True) -> None:
        """Show the settings without sending them back. A trace's target has a name only: it cannot be chosen."""
        self._spec, self._takes_text = spec, takes_text
        with QSignalBlocker(self.steps):
            self.steps.setValue(spec.steps)
        self._settle.stop()
        self._show_target(spec.target, target_name)
        self._show_layout(spec)
        show_in_combo(self.scenario, spec.scenario)
        if not (self.prompt.hasFocus() and self.prompt.isModified()):
            self.prompt.setText(self._shown_prompt())
            self.prompt.setCursorPosition(0)
        self.fault.show_spec(spec)
        self.fault.set_possible(is_builtin(spec.target))
        self._fit()

    def _show_target(self, target: str, name: str) -> None:
        """Models, and below them what was opened in this window; a trace's own target only while it is shown."""
        stale = self.model.findData(NO_TARGET)
        if stale >= 0:
            self.model.removeItem(stale)
        if self.model.findData(target) < 0:
            self.model.addItem(name or shown_name(target), target)
            tip = target.removeprefix(HF_PREFIX) or name
            self.model.setItemData(self.model.count() - 1, tip, Qt.ItemDataRole.ToolTipRole)
        self.model.setCurrentIndex(self.model.findData(target))

    def _show_layout(self, spec: RunSpec) -> None:
        layouts = layouts_of(spec.target)
        with QSignalBlocker(self.layout_box):
            self.layout_box.clear()
            self.layout_box.addItems(list(layouts) or [self.tr("own")])
        self.layout_box.setEnabled(bool(layouts))
        if layouts:
            show_in_combo(self.layout_box, spec.layout)
        self.layout_box.updateGeometry()
        self._set_names()

    def show_tolerance(self, tolerance: float) -> None:
        self.tolerance.setText(scientific(tolerance))
        self.fields["tolerance"].set_wrong(False)

    def retranslate(self) -> None:
        self._set_names()
        self.fault.retranslate()
        self._fit()

    def _set_names(self) -> None:
        names = {
            "model": self.tr("Model"),
            "layout": self.tr("Cache"),
            "scenario": self.tr("Scenario"),
            "prompt": self.tr("Prompt"),
            "steps": self.tr("Steps"),
            "tolerance": self.tr("Tolerance"),
        }
        for name, field in self.fields.items():
            field.set_name(names[name], self._tip(name))

    def _tip(self, name: str) -> str:
        own = self.tr("The target brings its own cache")
        tips = {
            "layout": meaning_of("layout") if self.layout_box.isEnabled() else own,
            "steps": self.tr("Decode steps after the prompt"),
            "tolerance": meaning_of("tolerance"),
            "scenario": meaning_of("scenario"),
            "prompt": meaning_of("prefill"),
            "model": self._spec.target.removeprefix(HF_PREFIX) if not is_builtin(self._spec.target) else "",
        }
        return tips.get(name, "")

    @guarded
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Leave words out, the least needed first, until the prompt has a usable width."""
        wanted = QFontMetrics(self.prompt.font()).horizontalAdvance("m") * PROMPT_CHARACTERS
        for level in range(len(LEFT_OUT) + 1):
            self._leave_out(LEFT_OUT[:level])
            if self.width() - self._width_of_others() >= wanted:
                return

    def _leave_out(self, names: tuple[str, ...]) -> None:
        self.fault.set_brief("fault" in names)
        for name, field in self.fields.items():
            field.set_name_shown(name not in names)

    def _width_of_others(self) -> int:
        """What everything beside the prompt's text takes; layouts do not know yet what was hidden just now."""
        others = [field for name, field in self.fields.items() if name != "prompt"]
        row = self.layout()
        assert row is not None
        return (
            sum(field.wanted_width() for field in others)
            + self.fields["prompt"].wanted_width()
            - self.prompt.minimumWidth()
            + self.fault.wanted_width()
            + row.spacing() * len(others)
            + row.spacing()
        )

    def _edit(self, **changes: object) -> None:
        wanted = replace(self._spec, **changes)
        if wanted != self._spec:
            self.spec_edited.emit(wanted)

    def _on_scenario_chosen(self) -> None:
        chosen = self.scenario.currentText()
        if chosen == ALL:
            show_in_combo(self.scenario, self._spec.scenario)
            self.all_asked.emit()
        else:
            self._edit(scenario=chosen)

    def _on_model_chosen(self) -> None:
        wanted = with_target(self._spec, str(self.model.currentData()))
        if wanted != self._spec:
            self.spec_edited.emit(wanted)

    def _on_prompt_finished(self) -> None:
        if not self.prompt.isModified():
            return
        self.prompt.setModified(False)
        text = self.prompt.text()
        if text == self._shown_prompt():
            return
        ids = _typed_ids(text) if self._takes_ids() else None
        self._edit(prompt=None if ids else text or None, prompt_ids=ids)

    def _takes_ids(self) -> bool:
        """Numbers are ids where the run shown has a prompt of ids; elsewhere they are text like any other."""
        return self._spec.prompt_ids is not None or not self._takes_text

    def _shown_prompt(self) -> str:
        """What was asked for, or the default of the target."""
        if self._spec.prompt is not None:
            return self._spec.prompt
        ids = self._spec.prompt_ids or (None if self._takes_text else DEFAULT_IDS)
        return DEFAULT_PROMPT if ids is None else ", ".join(map(str, ids))

    def _on_tolerance_finished(self) -> None:
        tolerance = self._typed_tolerance()
        if tolerance is None:
            self.show_tolerance(self._spec.tolerance or 5e-4)
        else:
            self.fields["tolerance"].set_wrong(False)
            self.tolerance_edited.emit(tolerance)

    def _typed_tolerance(self) -> float | None:
        try:
            value = float(self.tolerance.text())
        except ValueError:
            return None
        return value if math.isfinite(value) and value > 0 else None

    def _apply_fonts(self) -> None:
        row = self.layout()
        assert row is not None
        row.setSpacing(QFontMetrics(ui_font()).height() // 3)
        for field in self.fields.values():
            field.fit()
        mono = mono_font()
        for control in (self.model, self.layout_box, self.scenario, self.prompt, self.steps, self.tolerance):
            control.setFont(mono)
        metrics = QFontMetrics(mono)
        self.steps.setFixedWidth(metrics.horizontalAdvance("000") + round(1.3 * metrics.height()))
        self.tolerance.setFixedWidth(metrics.horizontalAdvance("5.00e-4") + 4)
        self.prompt.setMinimumWidth(metrics.horizontalAdvance("m") * 10)
        self._fit()


def _typed_ids(text: str) -> tuple[int, ...] | None:
    """3, 1, 4 as token ids; None where it is anything else."""
    parts = [part.strip() for part in text.split(",")]
    return (
        tuple(map(int, parts))
        if all(part.isascii() and part.isdigit() and len(part) < 10 for part in parts)
        else None
    )
