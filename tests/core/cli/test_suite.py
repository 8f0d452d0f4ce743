"""`check --suite audit`."""

import json
from pathlib import Path

import pytest

from core.errors import EXIT_DIVERGENT, EXIT_EQUIVALENT, EXIT_USAGE
from tests.core.support import main


def test_that_a_suite_brings_its_own_prompts() -> None:
    assert main("check", "--suite", "audit", "--prompt", "mine").returncode == EXIT_USAGE


@pytest.mark.slow
@pytest.mark.parametrize("model", ["tiny:rope-gqa", "tiny:learned-mha", "tiny:alibi-mqa"])
def test_that_the_audit_passes_on_every_checkpoint(model: str, tmp_path: Path) -> None:
    done = main("check", model, "--suite", "audit", "--json", str(tmp_path / "a.json"))
    assert done.returncode == EXIT_EQUIVALENT, done.stderr
    runs = json.loads((tmp_path / "a.json").read_bytes())["runs"]
    assert len(runs) == 10
    assert sum(one["n_sensitive"] for one in runs) > 20
    assert not any(one["n_changed"] for one in runs)


@pytest.mark.slow
def test_that_a_fault_that_the_text_hides_is_found_by_the_logits() -> None:
    done = main("check", "--suite", "audit", "--fault", "value-degraded")
    assert done.returncode == EXIT_DIVERGENT
    assert "10 of 10 prompts diverge" in done.stdout
