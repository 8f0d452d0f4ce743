"""What must be said beside the attention of a layer: that what is shown is not what the model did."""

from core.text import QT_TRANSLATE_NOOP, Text
from core.trace.reader import Trace
from core.views.selection import Selection


def attention_note(trace: Trace, selection: Selection) -> Text | None:
    """Return a remark on the selected layer, None where its recorded weights give the output that the model got.

    While decoding one layer a step is checked, so the newest step that says something counts.
    """
    for step_index in range(selection.step, -1, -1) if len(trace) else ():
        facts = trace.facts(step_index)
        errors = [
            lane.output_errors.get(selection.layer)
            for lane in (facts.oracle, facts.cached)
            if lane is not None
        ]
        found = [error for error in errors if error is not None]
        if found:
            template = QT_TRANSLATE_NOOP(
                "core",
                "Layer {layer} computes something else than the attention shown: its weights times v miss the output that the model got by {percent} %.",
            )
            return Text(template, {"layer": selection.layer, "percent": f"{100 * max(found):.2g}"})
    return None
