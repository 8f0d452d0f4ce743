"""Names the cause of a bad step from what both lanes had in hand: signatures rank hypotheses, repairs prove them."""

from core.verdict.diagnosis.diagnose import hypotheses as hypotheses
