"""Names the cause of a bad step from what both lanes had in hand: signatures rank hypotheses, repairs prove them."""

from core.verdict.diagnosis.evidence import Evidence
from core.verdict.diagnosis.hypothesis import Hypothesis


def hypotheses(evidence: Evidence) -> list[Hypothesis]:
    return []
