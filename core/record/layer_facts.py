"""What is noted of the cache after a step: shapes, bytes, and which layers lie in one storage."""

from collections.abc import Sequence

from torch import Tensor

from core.targets.base import CacheLayer
from core.trace.records import LayerFacts


def cache_layers(layers: Sequence[CacheLayer]) -> list[LayerFacts]:
    """Describe the layers of a cache as they are now; storages are numbered in the order of the layers."""
    storages: dict[int, str] = {}
    facts = []
    for layer in layers:
        storage = storages.setdefault(layer.buffers[0].untyped_storage().data_ptr(), f"#{len(storages) + 1}")
        facts.append(
            layer_facts(
                layer.k,
                layer.v,
                nbytes(layer.buffers),
                layer.capacity,
                storage,
                layer.block_table,
                layer.block_size,
            )
        )
    return facts


def layer_facts(
    k: Tensor,
    v: Tensor,
    allocated: int,
    capacity: int,
    storage: str | None,
    table: list[list[int]] | None = None,
    block_size: int | None = None,
) -> LayerFacts:
    """Describe one layer whose buffers have `allocated` bytes and room for `capacity` rows."""
    return LayerFacts(
        k_shape=list(k.shape), v_shape=list(v.shape), dtype=str(k.dtype).removeprefix("torch."), nbytes=nbytes((k, v)),
        allocated_nbytes=allocated, capacity=capacity, storage=storage, block_table=table, block_size=block_size,
    )  # fmt: skip


def nbytes(tensors: tuple[Tensor, ...]) -> int:
    """Return how many bytes the tensors' values take."""
    return sum(tensor.numel() * tensor.element_size() for tensor in tensors)
