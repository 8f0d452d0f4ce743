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
    by_rank = torch.stack([lane.topk(N_KEPT, -1).indices for lane in (oracle, cached)], -1)  # [B, R, K, 2]
    rows = by_rank.flatten(-2).flatten(0, -2).tolist()
    return torch.tensor([list(dict.fromkeys(row))[:N_KEPT] for row in rows]).view(by_rank.shape[:-1])


def newest_top(kept: dict[str, Tensor], lane: str, n_top: int) -> list[int]:
    """Return the ids at the top of a lane's newest rows, from what is kept of its logits."""
    if f"{lane}/logits" in kept:
        newest = kept[f"{lane}/logits"][:, -1]
        return newest.topk(min(n_top, newest.shape[-1]), -1).indices.flatten().tolist()
    places = kept[f"{lane}/top_logits"][:, -1].topk(n_top, -1).indices
    return kept[f"{lane}/top_ids"][:, -1].gather(-1, places).flatten().tolist()
