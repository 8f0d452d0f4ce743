"""Who may attend to whom, as a boolean mask: True = may attend."""

import torch
from torch import Tensor


def causal_mask(
    q_len: int, kv_len: int, window: int | None = None, key_is_token: Tensor | None = None
) -> Tensor | None:
    """Return the mask of `q_len` queries that are the last of `kv_len` keys; None where every key is visible.

    The queries sit at the END of the keys (bottom-right alignment): query i is key kv_len - q_len + i.

    Args:
        window: a query attends to the last `window` tokens, itself included.
        key_is_token: (B, S) bool, False for a left pad. A pad attends to itself, so that no row is empty.

    Returns:
        (T, S), or (B, 1, T, S) when `key_is_token` is given.
    """
    reach_is_bounded = window is not None and kv_len > window
    if q_len == 1 and not reach_is_bounded and key_is_token is None:
        return None
    key = torch.arange(kv_len)
    query = torch.arange(kv_len - q_len, kv_len).unsqueeze(1)
    mask = key <= query
    if window is not None:
        mask &= key > query - window
    if key_is_token is None:
        return mask
    return (mask & key_is_token[:, None, None, :]) | (key == query)
