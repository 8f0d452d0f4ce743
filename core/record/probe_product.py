"""Products of two tensors by the names of their axes, however they were written, and the way back to (B, H, T, D).

matmul, bmm, baddbmm and einsum all say the same: some axes run through both operands and the result (batch, heads),
some are summed over, and some belong to one operand only (queries, keys).
"""

import math
from dataclasses import dataclass
from typing import Any

from torch import Tensor

from core.record.probe_rows import Frame


@dataclass(frozen=True)
class Product:
    """Two operands, detached, and a name for each of their axes and of the result's."""

    left: Tensor
    right: Tensor
    left_axes: str
    right_axes: str
    out_axes: str

    def flipped(self) -> "Product":
        return Product(self.right, self.left, self.right_axes, self.left_axes, self.out_axes)

    @property
    def batch(self) -> str:
        """Axes that run through both operands and the result."""
        return "".join(x for x in self.out_axes if x in self.left_axes and x in self.right_axes)

    @property
    def summed(self) -> str:
        return "".join(x for x in self.left_axes if x in self.right_axes and x not in self.out_axes)

    @property
    def left_own(self) -> str:
        return "".join(x for x in self.out_axes if x not in self.right_axes)

    @property
    def right_own(self) -> str:
        return "".join(x for x in self.out_axes if x not in self.left_axes)

    def size(self, axis: str) -> int:
        return max(
            tensor.shape[axes.index(axis)]
            for tensor, axes in ((self.left, self.left_axes), (self.right, self.right_axes)) if axis in axes
        )  # fmt: skip


def product_of(left: Tensor, right: Tensor, out: Tensor, equation: Any = None) -> Product | None:
    """Return the product that gave `out`; None where the operands have no batch axis in common, as with plain weights."""
    left, right = left.detach(), right.detach()
    if equation is not None:
        return _einsum(equation, left, right)
    n_batch = out.dim() - 2
    if left.dim() < 3 or right.dim() < 3:
        return None
    batch = "abcdefgh"[:n_batch]
    axes = [batch[n_batch - (x.dim() - 2) :] for x in (left, right)]
    return Product(left, right, axes[0] + "mx", axes[1] + "xn", batch + "mn")


def _einsum(equation: Any, left: Tensor, right: Tensor) -> Product | None:
    if not isinstance(equation, str) or equation.count(",") != 1 or "->" not in equation:
        return None
    inputs, out = equation.replace(" ", "").split("->")
    named = inputs.split(",")
    if "..." in inputs:  # the dots stand for as many axes as an operand has left, counted from the right
        n_dots = [
            x.dim() - len(axes.replace("...", "")) for x, axes in zip((left, right), named, strict=True)
        ]
        dots = "0123456789"[: max(n_dots)]
        named = [axes.replace("...", dots[len(dots) - n :]) for n, axes in zip(n_dots, named, strict=True)]
        out = out.replace("...", dots)
    product = Product(left, right, named[0], named[1], out)
    is_plain = all(len(set(axes)) == len(axes) for axes in (*named, out))
    return product if is_plain and product.batch and product.summed else None


@dataclass(frozen=True)
class Roles:
    """What the axes of a product with attention in it mean: (batch, heads.., queries) of the left operand."""

    batch: str
    heads: str
    queries: str  # empty: one query, whose axis was dropped

    @classmethod
    def of(cls, product: Product, keys: str, order: str, frame: Frame) -> "Roles | None":
        """`order` names the axes of the scores (or weights); where it is unclear, the queries stand next to the keys."""
        own = sorted(product.left_own, key=lambda x: abs(order.index(x) - order.index(keys)))
        queries = next((x for x in own if product.size(x) == frame.q_len), own[0] if own else "")
        if frame.batch is None or len(product.batch) == 1:
            batch = product.batch[:1]
        else:
            batch = next((x for x in product.batch if product.size(x) == frame.batch), "")
        heads = "".join(x for x in product.batch + product.left_own if x not in (batch, queries))
        return cls(batch, heads, queries) if batch else None


def left_4d(product: Product, roles: Roles, last: str, frame: Frame) -> Tensor | None:
    """Return the left operand as (B, H, T, last)."""
    x = _permuted(product.left, product.left_axes, roles.batch + roles.heads, roles.queries, last)
    x = x.expand(*(product.size(axis) for axis in roles.batch + roles.heads), -1, -1)
    return _merged(x, frame)


def right_4d(product: Product, roles: Roles, keys: str, last: str, frame: Frame) -> Tensor | None:
    """Return the right operand as (B, G, S, last), with fewer heads than the left where they are shared."""
    x = _permuted(product.right, product.right_axes, roles.batch + roles.heads, keys, last)
    sizes = [product.size(axis) for axis in roles.batch + roles.heads]
    held = [n for n, whole in zip(x.shape, sizes, strict=False) if whole > 1]
    if held != sorted(
        held, key=lambda n: n == 1
    ):  # query head h does not read kv head h // group: spell it out
        x = x.expand(*sizes, -1, -1)
    return _merged(x.expand(sizes[0], *x.shape[1:]), frame)


def _permuted(x: Tensor, axes: str, heads: str, middle: str, last: str) -> Tensor:
    """Order the axes as heads.., middle, last; an axis that the tensor lacks has size 1."""
    for axis in heads + (middle or "?"):
        if axis not in axes:
            x, axes = x.unsqueeze(0), axis + axes
    x = x.permute([axes.index(axis) for axis in heads + (middle or "?") + last])
    return x.flatten(len(heads) + 1) if len(last) > 1 else x


def _merged(x: Tensor, frame: Frame) -> Tensor | None:
    """(B, heads.., T, D) or (B * H, T, D) -> (B, H, T, D)."""
    batch = x.shape[0] if x.dim() > 3 else (frame.batch or 1)
    if frame.batch not in (None, batch) or math.prod(x.shape[:-2]) % batch:
        return None
    return x.reshape(batch, -1, *x.shape[-2:])
