"""The model's own promises: shapes, masks, positions, tokens, files."""

from pathlib import Path

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from tinylm import tokenizer
from tinylm.checkpoint import load_checkpoint, random_model, save_checkpoint
from tinylm.config import CONFIGS, ModelConfig
from tinylm.generate import sample
from tinylm.masks import causal_mask


def test_that_k_and_v_are_batch_kv_heads_length_head_dim() -> None:
    for config in CONFIGS.values():
        ids = torch.zeros(2, 5, dtype=torch.int64)
        _, past_kv = random_model(config)(ids, torch.arange(5).expand_as(ids))
        assert len(past_kv) == config.n_layers
        assert past_kv[0].rows()[0].shape == (2, config.n_kv_heads, 5, config.head_dim)


def test_that_a_causal_mask_is_aligned_to_the_bottom_right() -> None:
    assert causal_mask(2, 4).tolist() == [[True, True, True, False], [True, True, True, True]]


def test_that_a_window_of_two_shows_the_query_and_the_token_before_it() -> None:
    assert causal_mask(2, 4, window=2).tolist() == [[False, True, True, False], [False, False, True, True]]


def test_that_one_query_within_the_window_needs_no_mask() -> None:
    assert causal_mask(1, 4) is None
    assert causal_mask(1, 4, window=4) is None
    assert causal_mask(1, 5, window=4) is not None


def test_that_a_pad_sees_itself_only() -> None:
    mask = causal_mask(3, 3, None, torch.tensor([[False, True, True]]))
    assert mask[0, 0].tolist() == [[True, False, False], [False, True, False], [False, True, True]]


def test_that_rope_scores_depend_on_the_distance_only() -> None:
    model = random_model(CONFIGS["rope-gqa"])
    ids = torch.tensor([[7, 8, 9]])
    near, far = (
        model(ids, torch.arange(start, start + 3).unsqueeze(0), None, causal_mask(3, 3))[0]
        for start in (0, 40)
    )
    torch.testing.assert_close(near, far, atol=1e-5, rtol=0)


def test_that_alibi_ignores_position_ids_and_learned_positions_do_not() -> None:
    ids = torch.tensor([[7, 8, 9]])
    for name, same in (("alibi-mqa", True), ("learned-mha", False)):
        model = random_model(CONFIGS[name])
        a, b = (
            model(ids, torch.tensor([positions]), None, causal_mask(3, 3))[0]
            for positions in ([0, 1, 2], [5, 5, 5])
        )
        assert torch.equal(a, b) is same


@pytest.mark.slow
@given(st.text(max_size=40))
def test_that_any_text_comes_back_from_its_ids(text: str) -> None:
    ids = tokenizer.encode(text)
    assert tokenizer.decode(ids) == text
    assert all(0 <= token_id < tokenizer.VOCAB_SIZE for token_id in ids)


def test_that_ids_without_a_character_decode_to_the_replacement_character() -> None:
    assert tokenizer.decode([0xFF]) == "\N{REPLACEMENT CHARACTER}"
    assert tokenizer.decode([tokenizer.VOCAB_SIZE + 5]) == "\N{REPLACEMENT CHARACTER}"


def test_that_a_config_with_impossible_heads_is_refused() -> None:
    with pytest.raises(ValueError, match="n_heads 4 is not a multiple of n_kv_heads 3"):
        ModelConfig("x", "rope", n_kv_heads=3)


def test_that_a_checkpoint_comes_back_with_its_figures(tmp_path: Path) -> None:
    model = random_model(CONFIGS["rope-gqa"], seed=3)
    save_checkpoint(tmp_path / "x.safetensors", model, {"loss": 1.5})
    again, figures = load_checkpoint(tmp_path / "x.safetensors")
    assert figures == {"loss": 1.5}
    assert all(torch.equal(a, b) for a, b in zip(model.parameters(), again.parameters(), strict=True))


def test_that_an_unknown_checkpoint_names_the_shipped_ones() -> None:
    with pytest.raises(ValueError, match="rope-gqa, learned-mha, alibi-mqa"):
        load_checkpoint("rope-gpa")


def test_that_each_shipped_checkpoint_is_small_and_trained() -> None:
    for name in CONFIGS:
        model, figures = load_checkpoint(name)
        assert sum(p.numel() for p in model.parameters()) * 4 < 3_000_000
        assert figures["held_out_loss"] < figures["bigram_loss"] < figures["unigram_loss"]


def test_that_sampling_uses_only_its_own_generator() -> None:
    logits = torch.zeros(1, 50)
    draws = [sample(logits, 1.0, torch.Generator().manual_seed(7)) for _ in range(2)]
    assert torch.equal(*draws)
    assert sample(torch.eye(4)[:1], 0, torch.Generator()).item() == 0
