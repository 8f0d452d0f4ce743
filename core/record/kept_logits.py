"""Which logits of a step are kept: all of a small vocabulary, the top of a large one beside the exact figures."""

import torch
from torch import Tensor

LARGE_VOCABULARY = 4096  # above it, all logits of a step would be most of the trace
N_KEPT = 256
MAX_ROWS = 8  # a chunk, a turn or drafts are kept row by row, of a long prefill only the newest row


def kept_logits(oracle: Tensor, cached: Tensor) -> dict[str, Tensor]:
    """Return the tensors for the trace from logits [B, Q, V] of both lanes.

    Of a large vocabulary: LANE/top_ids [B, R, K], the same ids for both lanes, and LANE/top_logits [B, R, K].
    """
    if oracle.shape[-1] <= LARGE_VOCABULARY:
        return {"oracle/logits": oracle, "cached/logits": cached}
    n_rows = oracle.shape[1] if oracle.shape[1] <= MAX_ROWS else 1
    oracle, cached = oracle[:, -n_rows:], cached[:, -n_rows:]
    ids = _top_of_both(oracle, cached)
    narrow = ids.to(torch.int32)
    return {
        "oracle/top_ids": narrow,
        "oracle/top_logits": oracle.gather(-1, ids),
        "cached/top_ids": narrow,
        "cached/top_logits": cached.gather(-1, ids),
    }


def _top_of_both(oracle: Tensor, cached: Tensor) -> Tensor:
    """Return N_KEPT ids [B, R, K]: those with the best rank in either lane, at least the first half of each lane's."""
    ranks = torch.arange(N_KEPT).expand(*oracle.shape[:-1], -1)
    best = torch.full(oracle.shape, N_KEPT, dtype=torch.int64)
    for lane in (oracle, cached):
        best.scatter_reduce_(-1, lane.topk(N_KEPT, -1).indices, ranks, "amin")
    return best.topk(N_KEPT, -1, largest=False).indices
