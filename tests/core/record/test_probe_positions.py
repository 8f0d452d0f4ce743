"""Position ids are seen wherever in a model they are handed over, the first of a call."""

from typing import Any

import pytest
import torch
from torch import Tensor, nn

from core.record.probe import observe


class Layer(nn.Module):
    def forward(self, x: Tensor, position_ids: Tensor) -> Tensor:
        return x + position_ids.unsqueeze(-1)


class Inner(nn.Module):
    """Makes its positions itself where it is given none, as models of transformers do."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.ModuleList([Layer() for _ in range(3)])

    def forward(self, x: Tensor, position_ids: Tensor | None = None) -> Tensor:
        if position_ids is None:
            position_ids = torch.arange(x.shape[1]).unsqueeze(0)
        for shift, layer in enumerate(self.layers):
            x = layer(x, position_ids + shift)
        return x


class Wrapper(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.model = Inner()

    def forward(self, x: Tensor, **more: Any) -> Tensor:
        return self.model(x, **more)


@pytest.mark.parametrize("make", [Inner, Wrapper])
def test_that_positions_which_a_model_makes_inside_are_seen(make: type[nn.Module]) -> None:
    model = make()
    for _ in range(2):
        with observe(model) as seen:
            model(torch.zeros(1, 4, 2))
        assert seen.position_ids is not None
        assert seen.position_ids.tolist() == [[0, 1, 2, 3]]


@pytest.mark.parametrize("make", [Inner, Wrapper])
def test_that_given_positions_are_those_of_the_outermost_call(make: type[nn.Module]) -> None:
    model = make()
    with observe(model) as seen:
        model(torch.zeros(1, 2, 2), position_ids=torch.tensor([[7, 8]]))
    assert seen.position_ids is not None
    assert seen.position_ids.tolist() == [[7, 8]]


def test_that_few_modules_of_a_deep_model_are_hooked() -> None:
    model = Wrapper()
    with observe(model):
        hooked = [name for name, one in model.named_modules() if one._forward_pre_hooks]
    assert hooked == ["model", "model.layers.0"]
    assert not any(one._forward_pre_hooks for one in model.modules())


@pytest.mark.filterwarnings("ignore")
def test_that_the_positions_of_a_transformers_model_are_seen_in_both_kinds_of_step() -> None:
    transformers = pytest.importorskip("transformers")
    from tests.core.record.test_probe_models import LLAMA

    model = transformers.LlamaForCausalLM(transformers.LlamaConfig(**LLAMA)).eval()
    with torch.inference_mode():
        with observe(model) as prefill:
            out = model(torch.tensor([[3, 1, 4]]), use_cache=True)
        with observe(model) as decode:
            model(torch.tensor([[1]]), use_cache=True, past_key_values=out.past_key_values)
    assert prefill.position_ids is not None
    assert decode.position_ids is not None
    assert (prefill.position_ids.tolist(), decode.position_ids.tolist()) == ([[0, 1, 2]], [[3]])
