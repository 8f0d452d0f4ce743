"""What a model of transformers cannot do is found out on a few tokens, and said."""

from pathlib import Path
from types import SimpleNamespace

import pytest
import torch

from core.engine.messages import RunSpec
from core.errors import UnreadableError
from core.targets.hf_load import load_hf
from core.targets.hf_shape import model_shape
from tests.core.targets.hf_models import IDS, save_model
from tests.core.targets.test_hf import judge, load

pytest.importorskip("transformers")

pytestmark = pytest.mark.slow


def test_that_an_encoder_that_was_not_saved_as_a_decoder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnreadableError, match="both directions"):
        load(save_model(tmp_path / "encoder", "bert"))
    decoder = load(save_model(tmp_path / "decoder", "bert", is_decoder=True))
    assert decoder.why_not("ragged-batch") is None


def test_that_a_decoder_whose_config_says_it_is_none_is_taken(tmp_path: Path) -> None:
    assert load(save_model(tmp_path / "model", "gpt_neox")).module.config.is_decoder is False


def test_that_a_family_that_counts_pads_as_positions_skips_ragged_batches(tmp_path: Path) -> None:
    why_not = load(save_model(tmp_path / "model", "bart")).why_not("ragged-batch")
    assert "position_ids" in str(why_not)


def test_that_positions_which_count_on_from_the_pad_id_are_told_so_in_a_ragged_batch(tmp_path: Path) -> None:
    folder = save_model(tmp_path / "model", "roberta")
    found = judge(f"hf:{folder}", tmp_path / "a.kvtrace", layout="dynamic", scenario="ragged-batch", steps=3)
    assert found.status == "pass"


def test_that_a_prompt_with_the_pad_id_is_pointed_out_where_positions_are_counted_by_it(
    tmp_path: Path,
) -> None:
    target = load(save_model(tmp_path / "model", "roberta"))
    assert target.note_on([(3, 1, 4)]) is None
    assert "pad id 0" in str(target.note_on([(3, 0, 4)]))
    assert load(save_model(tmp_path / "other", pad_token_id=0)).note_on([(3, 0, 4)]) is None


def test_that_what_varies_from_layer_to_layer_is_no_number_of_the_model() -> None:
    class PerLayer:
        num_attention_heads, hidden_size, model_type = 4, 32, "some"

        @property
        def head_dim(self) -> int:
            raise RuntimeError("'head_dim' is a per-layer attribute")

        @property
        def num_key_value_heads(self) -> int:
            raise RuntimeError("'num_key_value_heads' is a per-layer attribute")

        def get_text_config(self, decoder: bool) -> "PerLayer":
            return self

    model = SimpleNamespace(
        config=PerLayer(), dtype=torch.float32, get_output_embeddings=lambda: torch.nn.Linear(32, 97)
    )
    shape = model_shape(model)
    assert (shape.n_heads, shape.head_dim, shape.vocab_size) == (4, None, 97)


def test_that_alibi_takes_left_pads_but_not_with_a_static_cache(tmp_path: Path) -> None:
    folder = save_model(tmp_path / "model", "bloom")
    assert load(folder).why_not("ragged-batch") is None
    assert "left pads" in str(load(folder, layout="static", prompt_ids=IDS).why_not("ragged-batch"))


def test_that_a_window_can_be_rolled_back_when_the_run_will_need_it(tmp_path: Path) -> None:
    folder = save_model(tmp_path / "model", "mistral")
    assert load(folder, scenario="rollback").why_not("rollback") is None
    assert load(folder).why_not("beam-reorder") is None


def test_that_lanes_have_models_of_their_own_where_state_is_kept_on_modules(tmp_path: Path) -> None:
    spec = RunSpec(target=f"hf:{save_model(tmp_path / 'stateful', 'recurrent_gemma')}", layout="dynamic")
    fresh, _ = load_hf(spec)
    assert fresh().module is not fresh().module
    result = judge(spec.target, tmp_path / "a.kvtrace", layout="dynamic", scenario="decode", steps=4)
    assert result.status == "pass"
    plain, _ = load_hf(RunSpec(target=f"hf:{save_model(tmp_path / 'plain')}", layout="dynamic"))
    assert plain().module is plain().module
