"""Recognises attention that is written by hand: product -> scale, mask, bias -> softmax -> product.

A TorchFunctionMode sees every call of torch. The result of a product of two activations gets a trail, which the usual
steps between the two products carry on; softmax turns it into a trail of weights, and a product of those with a third
activation of the same number of keys closes it. Whatever has no such trail (a router's softmax, a gate) is left alone.
"""

import weakref
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F
from torch.overrides import TorchFunctionMode

from core.record.attention import AttentionCall
from core.record.probe_product import Product, Roles, left_4d, product_of, right_4d
from core.record.probe_replace import Replacement, replaced
from core.record.probe_rows import Frame, kept_rows
from core.record.probe_sdpa import sdpa_call

_ARITHMETIC = {"add", "sub", "subtract", "mul", "multiply", "div", "divide", "true_divide"}
_MOVES = {"permute", "transpose", "transpose_", "swapaxes", "swapdims", "movedim", "moveaxis", "mT", "T", "mH"}  # fmt: skip
_CARRIES = {
    *_ARITHMETIC, *(f"{name}_" for name in _ARITHMETIC), *_MOVES,
    *(f"__{kind}{name}__" for kind in ("", "r", "i") for name in ("add", "sub", "mul", "truediv", "div")),
    "masked_fill", "masked_fill_", "where", "maximum", "minimum", "max", "clamp", "clamp_", "clamp_min", "clip", "tanh", "tanh_",
    "log_softmax", "nan_to_num", "nan_to_num_", "tril", "tril_", "index_fill", "masked_scatter", "addcmul",
    "to", "float", "half", "bfloat16", "double", "type", "type_as", "clone", "contiguous", "detach", "data", "copy_",
    "dropout", "dropout_", "view", "view_as", "reshape", "reshape_as", "flatten", "unflatten", "unsqueeze", "squeeze", "expand",
    "expand_as", "repeat", "repeat_interleave", "__getitem__", "narrow", "select", "split", "chunk", "unbind",
    "cat", "concat", "concatenate", "stack", "pad", "index_select",
}  # fmt: skip
_MATMULS = {"matmul", "bmm", "__matmul__", "baddbmm", "baddbmm_", "einsum"}
_SOFTMAXES = {"softmax", "_safe_softmax"}
_DIVISIONS = {"div", "div_", "divide", "true_divide", "__truediv__", "__itruediv__", "__div__"}


@dataclass(frozen=True)
class Trail:
    """Where a tensor came from: the products that were added up in it, and the axis of the keys where it is known."""

    products: tuple[Product, ...]
    axes: str  # of the tensor itself, "?" where a reshape made one unclear
    stage: str = "scores"  # then "exp" (a softmax spelled out), then "weights"
    keys: str = ""  # the axis over which the weights add up to 1
    scores: Tensor | None = None  # what softmax got, where it is asked for


class _Trails:
    """Trails by tensor; they go when their tensor goes, so that no scores are kept alive."""

    def __init__(self) -> None:
        self._held: dict[int, tuple[weakref.ref[Tensor], Trail]] = {}

    def __bool__(self) -> bool:
        return bool(self._held)

    def get(self, x: object) -> Trail | None:
        held = self._held.get(id(x))
        return held[1] if held is not None and held[0]() is x else None

    def set(self, x: Tensor, trail: Trail) -> None:
        key, held = id(x), self._held
        held[key] = weakref.ref(x, lambda _: held.pop(key, None)), trail


class AttentionMode(TorchFunctionMode):
    """Appends an AttentionCall for each attention that is seen, in the order in which they are finished."""

    def __init__(
        self, calls: list[AttentionCall], frame: Frame, replacement: Replacement | None = None
    ) -> None:
        super().__init__()
        self._calls, self._frame, self._replacement = calls, frame, replacement
        self._trails = _Trails()
        self._looks: dict[str, Callable[[str, tuple[Any, ...], dict[str, Any], Any], Tensor | None]] = {
            **dict.fromkeys(_CARRIES, self._carried), **dict.fromkeys(_MATMULS, self._multiplied),
            **dict.fromkeys((*_SOFTMAXES, "exp", "exp_"), self._normalised),
            "scaled_dot_product_attention": self._fused,
        }  # fmt: skip

    def __torch_function__(
        self, func: Any, types: Iterable[type], args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:  # fmt: skip
        kwargs = kwargs or {}
        name = getattr(func, "__name__", "")
        if name == "multi_head_attention_forward":
            return self._opened(func, args, kwargs)
        out = func(*args, **kwargs)
        if name == "__get__" and self._trails:  # a property such as x.mT
            name = getattr(getattr(func, "__self__", None), "__name__", "")
        look = self._looks.get(name)
        if look is not None:
            try:
                changed = look(name, args, kwargs, out)
            except Exception:  # whatever the recogniser cannot follow must not end the run that it watches
                return out
            return out if changed is None else changed
        return out

    def _opened(self, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Run a function of torch that is attention as a whole so that the calls inside are seen too."""
        names = vars(F)
        asks_for_modes = names["has_torch_function"]
        names["has_torch_function"] = lambda _: False
        try:
            with self:
                return func(*args, **kwargs)
        finally:
            names["has_torch_function"] = asks_for_modes

    def _fused(self, _: str, args: tuple[Any, ...], kwargs: dict[str, Any], out: Tensor) -> Tensor | None:
        return self._keep(out, lambda x: sdpa_call(x, self._frame, *args, **kwargs))

    def _keep(
        self, out: Tensor, view: Callable[[Tensor], AttentionCall | None], is_whole: bool = True
    ) -> Tensor | None:
        """Keep the call that gave `out`, and return what the model gets instead, if anything.

        An output that is still to be divided by the sum of its weights is not whole, and stays.
        """
        call = view(out)
        if call is None:
            return None
        self._calls.append(call)
        if self._replacement is None or not is_whole:
            return None
        return replaced(out, len(self._calls) - 1, call, self._replacement, view)

    def _multiplied(
        self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any], out: Tensor
    ) -> Tensor | None:
        given = list(_tensors((args, kwargs)))
        added = given.pop(0) if name.startswith("baddbmm") else None
        left, right = given[:2]
        product = product_of(left, right, out, args[0] if name == "einsum" else None)
        if product is None or _is_parameter(left) or _is_parameter(right):
            return None
        for one, other in ((left, product), (right, product.flipped())):
            trail = self._trails.get(one)
            if trail is not None and trail.stage != "scores":
                view = partial(_attention_call, trail, other, frame=self._frame)
                return self._keep(out.detach(), view, is_whole=trail.stage == "weights")
        before = self._trails.get(added)
        self._trails.set(out, Trail((product, *(before.products if before else ())), product.out_axes))
        return None

    def _carried(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any], out: Any) -> None:
        if not self._trails:
            return
        found = [(x, trail) for x in _tensors((args, kwargs)) if (trail := self._trails.get(x)) is not None]
        if not found:
            return
        before, trail = found[0]
        if trail.stage == "exp" and name in _DIVISIONS:
            trail = replace(trail, stage="weights")
        elif len(found) > 1 and trail.stage == "scores":  # q k + q_rope k_rope: all of them were added up
            trail = replace(
                trail, products=tuple({id(p): p for _, one in found for p in one.products}.values())
            )
        for result in _tensors(out):
            self._trails.set(result, replace(trail, axes=_axes_after(name, trail.axes, before, result)))

    def _normalised(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any], out: Tensor) -> None:
        scores = args[0] if args else kwargs.get("input")
        trail = self._trails.get(scores)
        if trail is None or trail.stage != "scores":
            return
        dim = kwargs.get("dim", args[1] if len(args) > 1 and name in _SOFTMAXES else -1)
        keys = trail.axes[dim] if isinstance(dim, int) else "?"
        stage = "weights" if name in _SOFTMAXES else "exp"
        keeps = self._frame.keeps_scores and stage == "weights"
        kept = scores.detach().clone() if keeps and isinstance(scores, Tensor) else None
        keys = trail.axes[-1] if keys == "?" else keys
        self._trails.set(out, replace(trail, stage=stage, keys=keys, scores=kept))


def _tensors(value: Any) -> Iterator[Tensor]:
    if isinstance(value, Tensor):
        yield value
    elif isinstance(value, list | tuple):
        for one in value:
            yield from _tensors(one)
    elif isinstance(value, dict):
        yield from _tensors(tuple(value.values()))


def _is_parameter(x: Tensor) -> bool:
    return isinstance(x, nn.Parameter) or isinstance(x._base, nn.Parameter)


def _axes_after(name: str, axes: str, before: Tensor, after: Tensor) -> str:
    """Name the axes of a result: moved by a transposition, the same for the same number, else those that still fit at the end."""
    if name in _MOVES and before.dim() == after.dim():
        free = list(range(before.dim()))
        named = ""
        for size, stride in zip(after.shape, after.stride(), strict=True):
            place = next((i for i in free if (before.shape[i], before.stride(i)) == (size, stride)), None)
            named += "?" if place is None else axes[place]
            if place is not None:
                free.remove(place)
        return named
    if before.dim() == after.dim():
        return axes
    kept = 0
    while kept < min(before.dim(), after.dim()) and before.shape[-1 - kept] == after.shape[-1 - kept]:
        kept += 1
    return "?" * (after.dim() - kept) + axes[len(axes) - kept :]


def _attention_call(trail: Trail, product: Product, out: Tensor, frame: Frame) -> AttentionCall | None:
    """Put the two products together; None where they do not fit each other."""
    keys = product.summed
    roles = Roles.of(product, keys, product.left_axes, frame) if len(keys) == 1 else None
    if roles is None:
        return None
    weights = left_4d(product, roles, keys, frame)
    v = right_4d(product, roles, keys, product.right_own, frame)
    values = Product(out, product.right, product.out_axes, product.right_axes, product.left_axes)
    output = left_4d(values, roles, product.right_own, frame)
    pairs = [pair for one in trail.products if (pair := _queries_and_keys(one, trail, frame)) is not None]
    if weights is None or v is None or output is None:
        return None
    if trail.stage == "exp":  # the sum is divided out of the output, or came off the scores
        weights = weights / weights.sum(-1, keepdim=True)
    fitting = [(q, k) for q, k in pairs if q.shape[:3] == weights.shape[:3] and k.shape[2] == v.shape[2]]
    if not fitting:
        return None
    q, k = _side_by_side(fitting)
    scores = _scores_of(weights, trail, product, roles, keys, frame)
    return kept_rows(AttentionCall(q, k, v, output=output, weights=weights, scores=scores), frame)


def _scores_of(
    weights: Tensor, trail: Trail, product: Product, roles: Roles, keys: str, frame: Frame
) -> Tensor | None:
    """Return what softmax got, (B, H, T, S); None where it cannot be put beside the weights."""
    if trail.scores is None or trail.scores.numel() != product.left.numel():
        return None
    same_axes = replace(product, left=trail.scores.reshape(product.left.shape))
    scores = left_4d(same_axes, roles, keys, frame)
    if scores is None or scores.shape != weights.shape:
        return None
    error = (scores.float().softmax(-1) - weights.float()).abs().nan_to_num().amax()
    return scores if bool(error < 1e-2) else None


def _side_by_side(pairs: list[tuple[Tensor, Tensor]]) -> tuple[Tensor, Tensor]:
    """A sum of products is one product of longer vectors: q1 k1 + q2 k2 = (q1, q2) (k1, k2)."""
    if len(pairs) == 1:
        return pairs[0]
    n_heads = max(k.shape[1] for _, k in pairs)
    keys = [k.repeat_interleave(n_heads // k.shape[1], 1) for _, k in pairs]
    return torch.cat([q for q, _ in pairs], -1), torch.cat(keys, -1)


def _queries_and_keys(product: Product, trail: Trail, frame: Frame) -> tuple[Tensor, Tensor] | None:
    if trail.keys in product.left_own:  # k @ q
        product = product.flipped()
    keys = product.right_own
    roles = Roles.of(product, keys, product.out_axes, frame) if len(keys) == 1 else None
    if roles is None:
        return None
    q = left_4d(product, roles, product.summed, frame)
    k = right_4d(product, roles, keys, product.summed, frame)
    return None if q is None or k is None else (q, k)
