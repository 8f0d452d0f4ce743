"""Whether a trace agrees with itself: a verdict must not rest on figures that the file's own arrays contradict."""

import math

import numpy as np

from core.trace.complete import contradiction
from core.trace.reader import LOGITS, Trace
from core.trace.records import LANES, StepFacts

SLACK = 1e-3  # of a difference: arrays are float32, figures were taken in float64


def check_consistent(trace: Trace) -> None:
    """Raise UnreadableError for the first contradiction; figures are taken again from the logits where both lanes' are there."""
    info = trace.info
    if not (math.isfinite(info.tolerance) and info.tolerance >= 0) or info.steps < 1:
        raise contradiction(0, f"tolerance {info.tolerance} over {info.steps} steps")
    for place in range(len(trace)):
        facts = trace.facts(place)
        n_known = info.model.vocab_size or math.inf  # 0 where it is unknown
        strange = [token for row in facts.tokens for token in row if not 0 <= token < n_known]
        if strange:
            raise contradiction(place, f"token {strange[0]} is none of a vocabulary of {n_known}")
        if any(diff is not None and not diff >= 0 for diff in (facts.max_abs_diff, facts.wide_max_abs_diff)):
            raise contradiction(place, "a difference is negative")
        if facts.is_compared and not _has_logits(trace, place):
            raise contradiction(place, "it says that its logits were compared, and has none")
        found = _largest_difference(trace, facts)
        if found and not facts.is_compared:
            raise contradiction(
                place, f"its logits differ by {found:.3g}, and it says that they were not compared"
            )
        claimed = math.inf if facts.max_abs_diff is None else facts.max_abs_diff
        if (
            found is not None and not found <= claimed * (1 + SLACK) + 1e-12
        ):  # the worse of two runs may be the other
            raise contradiction(place, f"its logits differ by {found:.3g}, its figures say {claimed:.3g}")
    _check_doubts(trace)


def _has_logits(trace: Trace, step: int) -> bool:
    """Whether both lanes' logits are there, or the top of them."""
    names = set(trace.tensor_names(step))
    return all(names & {f"{lane}/{kind}" for kind in LOGITS} for lane in LANES)


def _check_doubts(trace: Trace) -> None:
    for doubt in trace.end.doubts if trace.end is not None else ():
        if not 0 <= doubt.step_index < len(trace):
            raise contradiction(doubt.step_index, "it was measured and is not there")
        figures = (doubt.noise, doubt.wide_max_abs_diff, doubt.wide_noise, doubt.stable_max_abs_diff)
        if any(figure is not None and not figure >= 0 for figure in figures):
            raise contradiction(doubt.step_index, "a measured difference is negative")


def _largest_difference(trace: Trace, facts: StepFacts) -> float | None:
    """Return max |logit difference| over the rows that are no pads, infinite for NaN; None where logits are missing."""
    oracle, cached = (trace.tensor(facts.step_index, f"{lane}/logits") for lane in ("oracle", "cached"))
    if oracle is None or cached is None:
        return None
    n_rows = oracle.shape[1] if oracle.ndim == 3 else 0  # of the newest tokens
    if oracle.shape != cached.shape or len(oracle) != len(facts.tokens) or not 1 <= n_rows <= facts.q_len:
        raise contradiction(facts.step_index, f"logits of shapes {oracle.shape} and {cached.shape}")
    with np.errstate(invalid="ignore"):
        diff = np.where(oracle == cached, 0.0, np.abs(cached.astype(np.float64) - oracle.astype(np.float64)))
    place = np.arange(facts.text_len - n_rows, facts.text_len)
    for row, n_pads in enumerate(facts.pads[: len(diff)]):
        diff[row, place < n_pads] = 0.0
    return float(np.nan_to_num(diff, nan=np.inf, posinf=np.inf).max(initial=0.0))
