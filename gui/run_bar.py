"""The settings of a run, in one row: what the user chooses becomes a RunSpec."""

import math

from msgspec.structs import replace
from PySide6.QtCore import QSignalBlocker, QTimer, Signal
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QWidget

from core.catalog import DEFAULT_PROMPT, LAYOUTS, MODELS, SCENARIOS
from core.engine.messages import RunSpec
from core.views.numbers import scientific
from gui.fault_button import FaultButton, FaultMenu
from gui.field import Choice, Field, show_in_combo, spin
from gui.theme import mono_font, theme_events

MAX_STEPS = 512
SETTLE_MS = 300  # a spin box that is being turned starts one run, not ten


class RunBar(QWidget):
    """Model, cache, scenario, prompt, fault, steps, tolerance."""

    spec_edited = Signal(object)  # RunSpec
    tolerance_edited = Signal(float)

    def __init__(self, fault_menu: FaultMenu) -> None:
        super().__init__()
        self._spec = RunSpec()
        self._make_controls(fault_menu)
        self._make_row()
        self._connect(fault_menu)
        theme_events().changed.connect(self._apply_fonts)
        self._apply_fonts()
        self.retranslate()
        self.show_spec(self._spec)

    def _make_controls(self, fault_menu: FaultMenu) -> None:
        self.model = Choice(MODELS)
        self.layout_box = Choice(LAYOUTS)
        self.scenario = Choice(SCENARIOS)
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
        row.setSpacing(self.fontMetrics().height() // 3)
        for name in ("model", "layout", "scenario"):
            row.addWidget(self.fields[name])
        row.addWidget(self.fields["prompt"], 1)
        row.addWidget(self.fault)
        row.addWidget(self.fields["steps"])
        row.addWidget(self.fields["tolerance"])

    def _connect(self, fault_menu: FaultMenu) -> None:
        self.model.activated.connect(lambda: self._edit(target=self.model.currentText()))
        self.layout_box.activated.connect(lambda: self._edit(layout=self.layout_box.currentText()))
        self.scenario.activated.connect(lambda: self._edit(scenario=self.scenario.currentText()))
        self.prompt.editingFinished.connect(self._on_prompt_finished)
        fault_menu.chosen.connect(lambda fault: self._edit(faults=(fault,) if fault else ()))
        self.steps.valueChanged.connect(self._settle.start)
        self._settle.timeout.connect(lambda: self._edit(steps=self.steps.value()))
        self.tolerance.editingFinished.connect(self._on_tolerance_finished)
        self.tolerance.textEdited.connect(
            lambda: self.fields["tolerance"].set_wrong(self._typed_tolerance() is None)
        )

    def show_spec(self, spec: RunSpec) -> None:
        """Show the settings without sending them back."""
        self._spec = spec
        with QSignalBlocker(self.steps):
            self.steps.setValue(spec.steps)
        self._settle.stop()
        show_in_combo(self.model, spec.target)
        show_in_combo(self.layout_box, spec.layout)
        show_in_combo(self.scenario, spec.scenario)
        if not (self.prompt.hasFocus() and self.prompt.isModified()):
            self.prompt.setText(_shown_prompt(spec))
            self.prompt.setCursorPosition(0)
        self.fault.show_faults(spec.faults)

    def show_tolerance(self, tolerance: float) -> None:
        self.tolerance.setText(scientific(tolerance))
        self.fields["tolerance"].set_wrong(False)

    def retranslate(self) -> None:
        names = {
            "model": self.tr("Model"),
            "layout": self.tr("Cache"),
            "scenario": self.tr("Scenario"),
            "prompt": self.tr("Prompt"),
            "steps": self.tr("Steps"),
            "tolerance": self.tr("Tolerance"),
        }
        for name, field in self.fields.items():
            field.set_name(names[name])
        self.fields["layout"].setToolTip(self.tr("How the cached lane stores keys and values"))
        self.fields["steps"].setToolTip(self.tr("Decode steps after the prompt"))
        self.fields["tolerance"].setToolTip(self.tr("Largest |Δ logit| that counts as equal"))
        self.fault.retranslate()

    def _edit(self, **changes: object) -> None:
        wanted = replace(self._spec, **changes)
        if wanted != self._spec:
            self.spec_edited.emit(wanted)

    def _on_prompt_finished(self) -> None:
        if not self.prompt.isModified():
            return
        self.prompt.setModified(False)
        text = self.prompt.text()
        if text != _shown_prompt(self._spec):
            self._edit(prompt=text or None, prompt_ids=None)

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
        mono = mono_font()
        for control in (self.model, self.layout_box, self.scenario, self.prompt, self.steps, self.tolerance):
            control.setFont(mono)
        metrics = QFontMetrics(mono)
        self.steps.setFixedWidth(metrics.horizontalAdvance("000") + round(1.3 * metrics.height()))
        self.tolerance.setFixedWidth(metrics.horizontalAdvance("5.00e-4") + 4)
        self.prompt.setMinimumWidth(metrics.horizontalAdvance("m") * 10)


def _shown_prompt(spec: RunSpec) -> str:
    if spec.prompt_ids is not None:
        return ", ".join(map(str, spec.prompt_ids))
    return spec.prompt if spec.prompt is not None else DEFAULT_PROMPT
