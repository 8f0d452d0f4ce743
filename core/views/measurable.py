"""Whether a run may be measured: time and memory of something that computes other numbers mean nothing."""

from core.text import QT_TRANSLATE_NOOP, Text
from core.trace.reader import Trace
from core.verdict.steps import first_bad_step, n_decode_compared


def why_not_measured(trace: Trace | None, tolerance: float) -> Text | None:
    """Return what stands against measuring the target of this run; None where its check has passed."""
    if trace is None or not len(trace):
        return Text(QT_TRANSLATE_NOOP("core", "Nothing is recorded yet, so nothing has been judged."))
    first_bad = first_bad_step(trace, tolerance)
    if first_bad is not None:
        template = QT_TRANSLATE_NOOP(
            "core",
            "Not measured: the lanes differ from step {step} on. How fast a wrong number is made means nothing.",
        )
        return Text(template, {"step": first_bad})
    if not n_decode_compared(trace):
        return Text(
            QT_TRANSLATE_NOOP(
                "core", "Not measured: no decode step has been compared yet. Run to the end first."
            )
        )
    if trace.end is None or trace.end.status != "complete" or len(trace) != trace.info.steps:
        template = QT_TRANSLATE_NOOP(
            "core", "Not measured: {n_steps} of {n_planned} steps have been compared. Run to the end first."
        )
        return Text(template, {"n_steps": len(trace), "n_planned": trace.info.steps})
    return None
