"""Rounding or defect: what the figures of a doubtful step mean. Rounding shrinks in a wider dtype, a defect stays.

No constant tells them apart by size: in float32 healthy models differ by up to 1e-3, and true defects are as small as
4e-4. Two measures do. The wider run: rounding falls with the last place of the dtype (1e8 times from float32 to float64,
1e4 times from 16 bits to float32), a defect not at all. And the oracle's own rounding (`noise`), how far full() moves when
nothing but the shape of its computation changes, which no cache can have to do with:

  * a fault that exists in the narrow dtype only (an autocast, a cast that the wide run does not take) vanishes in the wide
    run as rounding does. But it is larger than what rounding does to this model, so a difference is excused only if it
    shrinks *and* is of the size of the oracle's own, or as many last places of the wide dtype are left of it: a token at
    which a model is sensitive makes rounding large in both;
  * a model that computes in its own dtype somewhere whatever its parameters are does not shrink, although it is healthy.
    Then its oracle still rounds coarsely in the wide run, which is made again with its casts to float32 widened. Where
    that cannot be, a difference is a proven defect only if it stays *and* stands clear of the oracle's own rounding,
    narrow and wide.

In 16 bits the wide run goes along from the first step, and judges; a cache that is allocated in 16 bits whatever the model
is in does not take part in it, which is seen, and then the oracle's own rounding is all there is to go by.

A third kind looks like neither: a top-k that breaks exact ties by the length of the row stays in the wide run, and moves the
oracle as much. It is a tie if the lanes agree as soon as every top-k takes the first of equals.

What cannot run wider is rounding if it is no larger than the oracle's own and tiny beside the logits; in 16 bits it is a
defect if it is far larger. Where none of these holds, the tolerance decides as if nothing had been measured. What is measured when: `is_doubtful`.
"""

from typing import Literal

from core import catalog
from core.trace.reader import Trace
from core.trace.records import CACHED, Doubt, StepFacts

Settled = Literal["rounding", "tie", "defect"]

# Usual rounding needs no second look. float32: all but two of 111 healthy models lie below 1e-4, and relative to the
# logits (rel_l2) below 1e-5; float64: its tolerance; in 16 bits nothing is usual.
USUAL = {"float32": 1e-4, "float64": catalog.TOLERANCES["float64"]}
USUAL_RELATIVE = {"float32": 5e-5}
# Above both of these a difference in float32 is a defect without a wider run, unless the oracle moves as much.
LARGE, LARGE_RELATIVE = 1e-2, 1e-3
LARGEST = {
    "float64": catalog.TOLERANCES["float32"],
    "float32": catalog.TOLERANCES["bfloat16"],
}  # ever excused
SHRINKS = 100.0  # rounding falls at least so many times
STAYS = 3.0  # a defect falls less than so many times
OWN = 10.0  # times the oracle's noise, which is a maximum over few shapes: still the model's own rounding
PLAIN = 2.0  # times the oracle's noise: its own rounding, without a wider run to confirm it
PLACES = 30.0  # times as many last places as are left in the wide run: rounding differs so much from dtype to dtype
NARROWER = 2.0**29  # last place of float32 in those of float64
CLEAR = 4.0  # times the oracle's noise: no part of the model's rounding


def is_doubtful(facts: StepFacts, dtype: str) -> bool:
    """Whether the difference of a step is neither usual rounding nor beyond doubt (not finite)."""
    diff, wide = facts.max_abs_diff, facts.wide_max_abs_diff
    if diff is None:
        return False
    if facts.judged_in is not None:
        return diff > 0 or (wide is not None and wide > USUAL[facts.judged_in])
    is_usual = diff <= USUAL.get(dtype, 0.0) and (facts.rel_l2 or 0.0) <= USUAL_RELATIVE.get(dtype, 1.0)
    return not is_usual


def is_certain(facts: StepFacts, dtype: str, noise: float | None) -> bool:
    """Whether a step is bad whatever a wider run says: not finite, or large and far from the oracle's own rounding."""
    if facts.max_abs_diff is None:
        return True
    is_large = facts.max_abs_diff > LARGE and not (facts.rel_l2 or 1.0) <= LARGE_RELATIVE
    return dtype == "float32" and is_large and noise is not None and facts.max_abs_diff > OWN * noise


def is_narrow_inside(noise: float | None, wide_noise: float | None) -> bool:
    """Whether the oracle rounds in the wide run as only a narrower part of it can."""
    return noise is not None and wide_noise is not None and wide_noise * SHRINKS > noise


def doubt_at(trace: Trace, step_index: int) -> Doubt | None:
    """Return what was measured at a step; a run that has not ended has no measures yet."""
    doubts = trace.end.doubts if trace.end is not None else []
    return next((doubt for doubt in doubts if doubt.step_index == step_index), None)


def settled_at(trace: Trace, step_index: int) -> Settled | None:
    """Return what the measures of a step show, None where there are none or they show nothing."""
    doubt = doubt_at(trace, step_index)
    return None if doubt is None else settled(trace.facts(step_index), doubt, trace.info.model.dtype)


def settled(facts: StepFacts, doubt: Doubt, dtype: str) -> Settled | None:
    """Return what the measures show, None where the tolerance has to decide."""
    diff, noise = facts.max_abs_diff, doubt.noise
    if diff is None or noise is None:
        return None
    is_own = diff <= OWN * noise
    if facts.judged_in is not None:
        return _settled_in_16_bits(facts, doubt, is_own)
    stable = doubt.stable_max_abs_diff
    if stable is not None and stable <= catalog.default_tolerance(dtype):
        return "tie"
    if dtype not in catalog.WIDER:  # the oracle of float64 moves as much only if something in it is narrower
        return "rounding" if is_own and diff <= LARGEST["float64"] else None
    if doubt.wide_max_abs_diff is None:
        return _settled_as_it_is(facts, dtype, noise)
    wide, wide_noise = doubt.wide_max_abs_diff, doubt.wide_noise
    is_alike = dtype == "float32" and diff <= PLACES * NARROWER * wide
    if wide * SHRINKS <= diff and (is_own or is_alike) and diff <= LARGEST.get(dtype, 0.0):
        return "rounding"
    stays = wide * STAYS > diff and wide_noise is not None and wide > CLEAR * max(noise, wide_noise)
    return "defect" if stays else None


def _settled_as_it_is(facts: StepFacts, dtype: str, noise: float) -> Settled | None:
    """Nothing was run wider: only what plainly is the oracle's own rounding, or plainly is none, is told apart."""
    diff = facts.max_abs_diff or 0.0
    if is_certain(facts, dtype, noise) or (dtype in catalog.NARROW_DTYPES and diff > OWN * noise):
        return "defect"
    is_small = facts.rel_l2 is not None and facts.rel_l2 <= USUAL_RELATIVE.get(dtype, 0.0)
    return "rounding" if is_small and diff <= min(PLAIN * noise, LARGEST.get(dtype, 0.0)) else None


def may_be_tie(facts: StepFacts, doubt: Doubt, dtype: str) -> bool:
    """Whether a step is bad by its tolerance, and its oracle moves as much by itself when the text gets longer."""
    diff, noise = facts.max_abs_diff, doubt.noise
    if diff is None or noise is None or settled(facts, doubt, dtype) is not None:
        return False
    return catalog.default_tolerance(dtype) < diff <= OWN * noise


def _settled_in_16_bits(facts: StepFacts, doubt: Doubt, is_own: bool) -> Settled | None:
    """The float32 run judges. It excuses no difference that is far from what rounding does to the 16-bit oracle."""
    assert facts.judged_in is not None
    diff, wide = facts.max_abs_diff, facts.wide_max_abs_diff
    noise, wide_noise = doubt.noise, doubt.wide_noise
    if diff is None or wide is None or noise is None:
        return None
    if not is_own:
        return "defect"
    if wide <= catalog.default_tolerance(facts.judged_in):
        return "rounding"
    if (
        CACHED in doubt.left_narrow
    ):  # no wider run, then: what is as small as the oracle's rounding is not blamed
        return "rounding" if max(diff, wide) <= noise else None
    # the narrow lanes may agree to the bit: what shrinks then is the rounding that there could have been
    shrinks = wide * SHRINKS <= max(diff, noise) and wide_noise is not None and wide <= OWN * wide_noise
    if shrinks:
        return "rounding"
    return "defect" if wide_noise is not None and wide > OWN * wide_noise else None
