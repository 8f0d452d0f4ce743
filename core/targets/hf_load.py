"""Loads a causal language model of transformers: never its own code, never the network unasked, never random weights."""

import copy
import importlib
import os
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import torch

from core import catalog
from core.engine.messages import RunSpec
from core.errors import EnvironmentFault, KVScopeError, UnreadableError, UsageError
from core.targets.gguf_header import GgufHeader, read_gguf_header
from core.targets.hf import HfModel, HfTarget
from core.targets.hf_files import PICKLES, check_folder, check_is_download, check_no_code, pickle_refused
from core.targets.hf_shape import model_shape
from core.targets.hf_trials import keeps_state, reads_both_ways
from core.targets.memory import check_device, check_memory
from core.text import QT_TRANSLATE_NOOP, Text

OLDEST = (5, 3)
INSTALL = 'pip install -e ".[hf]"'
_ROOM = 64  # rows of a static cache beside prompt and steps: turns and drafts
_REPOSITORY = re.compile(r"[\w.-]+/[\w.-]+")
_QUIET = {
    "HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1", "HF_HUB_DISABLE_TELEMETRY": "1",
}  # fmt: skip
_SHARED = Text(
    QT_TRANSLATE_NOOP(
        "core",
        "both lanes share the model's weights; state that it keeps on its modules would pass between them",
    )
)
_last: list[tuple[object, HfModel]] = []  # the scenarios of a check follow each other on one model


def load_hf(spec: RunSpec) -> tuple[Callable[[], HfTarget], Callable[[], HfTarget] | None]:
    """Return what makes an instance, and what makes one in the next wider dtype; they share weights.

    Raises:
        UsageError, UnreadableError, EnvironmentFault: what is wrong with the options, the files, or this machine.
    """
    _check_options(spec)
    device = check_device(spec.device or "cpu")
    dtype: torch.dtype = getattr(torch, spec.dtype or "float32")
    loaded = _loaded(spec, device, dtype)
    capacity = _static_capacity(spec, loaded)

    def instance(model: HfModel = loaded) -> HfTarget:
        if model.keeps_state:
            model = replace(model, model=copy.deepcopy(model.model))
        return HfTarget(model, spec.layout, capacity, records_past=spec.scenario == "rollback")

    wide_dtype = catalog.WIDER.get(spec.dtype or "float32")
    if wide_dtype is None:
        return instance, None
    wider: list[HfModel] = []

    def wide_instance() -> HfTarget:
        if not wider:  # only when it is asked for: it doubles the memory or more
            n_values = sum(weight.numel() for weight in loaded.model.parameters())
            check_memory(loaded.name, n_values * getattr(torch, wide_dtype).itemsize, device)
            model = copy.deepcopy(loaded.model).to(getattr(torch, wide_dtype))
            shape = msgspec.structs.replace(loaded.shape, dtype=wide_dtype)
            wider.append(replace(loaded, model=model, shape=shape))
        return instance(wider[0])

    return instance, wide_instance


def _check_options(spec: RunSpec) -> None:
    if spec.layout not in catalog.HF_LAYOUTS:
        raise UsageError(
            QT_TRANSLATE_NOOP(
                "core", "layout {layout} is one of the built-in models; {target} takes one of: {known}"
            ),
            layout=spec.layout,
            target=spec.target,
            known=", ".join(catalog.HF_LAYOUTS),
        )
    if spec.faults:
        raise UsageError(
            QT_TRANSLATE_NOOP("core", "{option} is for built-in models; {target} brings its own"),
            option="--fault",
            target=spec.target,
        )
    if spec.dtype is not None and spec.dtype not in catalog.TOLERANCES:
        raise UsageError(
            QT_TRANSLATE_NOOP("core", "unknown {what} {given!r}; choose one of: {known}"),
            what="dtype",
            given=spec.dtype,
            known=", ".join(catalog.TOLERANCES),
        )


def _loaded(spec: RunSpec, device: str, dtype: torch.dtype) -> HfModel:
    """Return the model, the one of the last run where its files have not changed."""
    named = Path(spec.target.removeprefix(catalog.HF_PREFIX)).expanduser()
    if not named.exists() and spec.allow_network:
        named = _download(named)
    if not named.exists():
        raise UnreadableError(
            QT_TRANSLATE_NOOP(
                "core",
                "{path}: there is no such folder or file; nothing is downloaded without --allow-network",
            ),
            path=str(named),
        )
    key = (spec.target, device, dtype, _stamp(named))
    if not _last or _last[0][0] != key:
        _last.clear()  # first, so that two models are never in memory together
        model = _load(spec.target, named, device, dtype)
        if _stamp(named) != key[3]:
            raise UnreadableError(
                QT_TRANSLATE_NOOP("core", "{path} changed while it was read; run again"), path=str(named)
            )
        _last.append((key, model))
    return _last[0][1]


def _stamp(named: Path) -> list[tuple[str, int, int]]:
    files = [named] if named.is_file() else sorted(path for path in named.iterdir() if path.is_file())
    return [(path.name, path.stat().st_size, path.stat().st_mtime_ns) for path in files]


def _load(target: str, named: Path, device: str, dtype: torch.dtype) -> HfModel:
    """Check the files first, then let transformers read them."""
    where: dict[str, Any] = {"local_files_only": True, "trust_remote_code": False}
    if named.is_dir():
        files = check_folder(named)
        folder, has_tokenizer, n_values = named, files.has_tokenizer, files.n_values
    else:
        header = _check_single_file(named)
        folder, n_values = named.parent, header.n_values
        has_tokenizer = "tokenizer.ggml.model" in header.values
        where["gguf_file"] = named.name
    check_memory(str(named), n_values * dtype.itemsize, device)
    transformers = _transformers(needs_gguf=named.is_file())
    try:
        config = transformers.AutoConfig.from_pretrained(str(folder.resolve()), **where)
        if named.is_dir():
            _check_config(str(named), transformers, config, dtype, device)
        model, info = transformers.AutoModelForCausalLM.from_pretrained(
            str(folder.resolve()), dtype=dtype, use_safetensors=True, output_loading_info=True,
            ignore_mismatched_sizes=True, **({"config": config} if named.is_dir() else {}), **where,
        )  # fmt: skip
        tokenizer = None
        if has_tokenizer:
            tokenizer = transformers.AutoTokenizer.from_pretrained(str(folder.resolve()), **where)
    except KVScopeError:
        raise
    except MemoryError:
        raise
    except Exception as error:
        raise _refused(named, f"{type(error).__name__}: {error}") from error
    _check_complete(named, info)
    model = model.eval().requires_grad_(False).to(device)
    if reads_both_ways(model, device):
        raise UnreadableError(
            QT_TRANSLATE_NOOP(
                "core",
                "{path}: {kind} reads its text in both directions; as a decoder it needs is_decoder in config.json",
            ),
            path=str(named),
            kind=type(model).__name__,
        )
    shape = model_shape(model)
    is_stateful = keeps_state(model, device)
    notes = _notes(model, tokenizer, shape.vocab_size)
    return HfModel(
        target, model, tokenizer, shape, device, is_stateful, notes if is_stateful else (_SHARED, *notes)
    )


def _check_single_file(path: Path) -> GgufHeader:
    if path.suffix in PICKLES:
        raise pickle_refused(path)
    check_is_download(path)
    if path.suffix == ".safetensors":
        raise _refused(path, "name the folder that has config.json beside it")
    check_no_code(path.parent)
    return read_gguf_header(path)


def _transformers(needs_gguf: bool) -> Any:
    """Import transformers, told beforehand to stay off the network."""
    os.environ.update(_QUIET)
    try:
        transformers = importlib.import_module("transformers")
        for name in ("gguf", "accelerate") if needs_gguf else ():
            importlib.import_module(name)
    except ImportError as error:
        raise _not_installed(error) from error
    version = tuple(int(part) for part in re.findall(r"\d+", transformers.__version__)[:2])
    if version < OLDEST:
        raise EnvironmentFault(
            QT_TRANSLATE_NOOP(
                "core", "hf: targets need transformers {oldest} or newer, found {found}: {install}"
            ),
            oldest=".".join(map(str, OLDEST)),
            found=transformers.__version__,
            install=INSTALL,
        )
    transformers.utils.logging.set_verbosity_error()  # what it warns about is checked here
    transformers.utils.logging.disable_progress_bar()
    return transformers


def _not_installed(error: ImportError) -> EnvironmentFault:
    template = QT_TRANSLATE_NOOP(
        "core", "hf: targets need transformers, which is not installed ({reason}): {install}"
    )
    return EnvironmentFault(template, reason=str(error), install=INSTALL)


def _download(named: Path) -> Path:
    """Fetch a repository's safe files; they are then checked like any folder."""
    name = named.as_posix()
    if not _REPOSITORY.fullmatch(name):
        raise _refused(named, "it is neither a folder nor the name of a repository such as owner/name")
    try:
        hub = importlib.import_module("huggingface_hub")
        hub.constants.HF_HUB_OFFLINE = False  # it may have been imported for an offline run before
        patterns = ["*.json", "*.safetensors", "*.txt", "tokenizer.model"]
        return Path(hub.snapshot_download(name, allow_patterns=patterns))
    except ImportError as error:
        raise _not_installed(error) from error
    except Exception as error:
        raise _refused(named, f"it cannot be downloaded: {type(error).__name__}: {error}") from error


def _check_config(name: str, transformers: Any, config: Any, dtype: torch.dtype, device: str) -> None:
    """Build the model without memory: what the config asks for must fit, whatever the files hold."""
    if getattr(config, "is_encoder_decoder", False):
        raise _refused(
            Path(name), f"{config.model_type} is an encoder with a decoder; only decoders are supported"
        )
    with torch.device("meta"):
        empty = transformers.AutoModelForCausalLM.from_config(config, trust_remote_code=False)
    check_memory(name, sum(weight.numel() for weight in empty.parameters()) * dtype.itemsize, device)


def _check_complete(named: Path, info: dict[str, Any]) -> None:
    """Weights that are not in the files would be random."""
    for what in ("missing_keys", "unexpected_keys", "mismatched_keys", "error_msgs"):
        names = sorted(str(one[0] if isinstance(one, tuple) else one) for one in info.get(what) or ())
        if names:
            more = f" and {len(names) - 5} more" if len(names) > 5 else ""
            raise UnreadableError(
                QT_TRANSLATE_NOOP("core", "{path}: the weights do not fit the model, {what}: {names}{more}"),
                path=str(named),
                what=what.replace("_", " "),
                names=", ".join(names[:5]),
                more=more,
            )


def _notes(model: Any, tokenizer: Any, vocab_size: int) -> tuple[Text, ...]:
    notes: list[Text] = []
    if tokenizer is not None and len(tokenizer) > vocab_size:
        notes.append(
            Text(
                QT_TRANSLATE_NOOP("core", "the tokenizer has {n_tokens} tokens, the model {vocab_size}"),
                {"n_tokens": len(tokenizer), "vocab_size": vocab_size},
            )
        )
    for name, weight in model.named_parameters():
        n_bad = weight.numel() - int(torch.isfinite(weight).sum())
        if n_bad:
            notes.append(
                Text(
                    QT_TRANSLATE_NOOP("core", "{name} holds {count} values that are not finite"),
                    {"name": name, "count": n_bad},
                )
            )
    return tuple(notes)


def _static_capacity(spec: RunSpec, loaded: HfModel) -> int:
    """A static cache is allocated once: prompt, steps, and what turns and drafts add."""
    n_prompt = len(spec.prompt_ids or ())
    if spec.prompt_ids is None and loaded.tokenizer is not None:
        n_prompt = len(loaded.tokenizer.encode(spec.prompt or catalog.DEFAULT_PROMPT))
    capacity = n_prompt + max(spec.steps, catalog.LONG_STEPS) + _ROOM
    return min(capacity, loaded.shape.max_length or capacity)


def _refused(path: Path, why: str) -> UnreadableError:
    return UnreadableError(QT_TRANSLATE_NOOP("core", "{path}: {why}"), path=str(path), why=why)
