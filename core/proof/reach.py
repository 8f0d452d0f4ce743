"""How far back a model's attention reaches: found by letting the oracle read a text that is long enough."""

import torch

from core.proof.gather import lane_evidence
from core.proof.replay import ReplayLanes
from core.verdict.diagnosis.evidence import Evidence

ROOM = 32  # tokens beyond twice the text


@torch.no_grad()
def window_of_model(evidence: Evidence, lanes: ReplayLanes) -> int | None:
    """Return how many tokens the newest query of a longer text sees, the fewest of all layers; None if it sees all.

    The text is repeated to twice its length or to the model's context. Windows that are wider show nothing there.
    """
    if evidence.window is not None:
        return evidence.window
    row = min(range(evidence.batch), key=lambda b: evidence.pads[b])
    text = torch.from_numpy(evidence.text[row : row + 1, evidence.pads[row] :])
    n_tokens = min(evidence.max_length or 2 * text.shape[1] + ROOM, 2 * text.shape[1] + ROOM)
    if n_tokens <= text.shape[1]:
        return None
    longer = text.repeat(1, -(-n_tokens // text.shape[1]))[:, :n_tokens]
    try:
        step = lanes._run_oracle(longer, 1)
    except Exception:  # a target may end before the length that it states
        return None
    counts = [int(call.allowed[0, :, -1].any(0).sum()) for call in lane_evidence([step], 1).calls]
    return min((count for count in counts if 0 < count < n_tokens), default=None)
