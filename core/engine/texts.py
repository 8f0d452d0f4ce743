"""The token ids of a scenario's texts: from --prompt-ids, from text, or the fixed ids of a target without text."""

from core import catalog
from core.engine.messages import RunSpec
from core.errors import UsageError
from core.record.scenarios import Texts
from core.targets.base import Target
from core.text import QT_TRANSLATE_NOOP, Text

FIXED = (catalog.OTHER_IDS, catalog.ROW_IDS, catalog.TURN_IDS)
TEXTS = (catalog.OTHER_PROMPT, catalog.ROW_PROMPT, catalog.TURN_TEXT)


def scenario_texts(spec: RunSpec, target: Target) -> tuple[Texts, list[Text]]:
    """Return the texts and what is to be said about them.

    Raises:
        UsageError: the prompt that was asked for is empty, no text, or outside the vocabulary.
    """
    texts, notes = _encoded(spec, target)
    max_length = target.shape.max_length
    is_default = spec.prompt is None and spec.prompt_ids is None
    if is_default and max_length is not None and len(texts.prompt) >= max_length > 1:
        kept = min(max(max_length - spec.steps, max_length // 2), max_length - 1)
        texts = Texts(texts.prompt[:kept], texts.other[:kept], texts.row[:kept], texts.turn)
        notes.append(
            Text(
                QT_TRANSLATE_NOOP(
                    "core",
                    "the default prompt was cut to {kept} tokens: the model's context has room for {max_length}",
                ),
                {"kept": kept, "max_length": max_length},
            )
        )
    return texts, notes


def _encoded(spec: RunSpec, target: Target) -> tuple[Texts, list[Text]]:
    vocab_size = target.shape.vocab_size
    fixed = [tuple(token_id % vocab_size for token_id in ids) for ids in FIXED]
    if spec.prompt_ids is not None or (spec.prompt is None and not target.has_text):
        ids = spec.prompt_ids
        if ids is None:
            ids = tuple(token_id % vocab_size for token_id in catalog.DEFAULT_IDS)
        _check_ids(ids, vocab_size)
        return Texts(ids, *fixed), []
    prompt = _encode(target, catalog.DEFAULT_PROMPT if spec.prompt is None else spec.prompt)
    _check_ids(prompt, vocab_size)
    others, notes = [], []
    for text, instead in zip(TEXTS, fixed, strict=True):
        ids = _encode(target, text)
        if not ids or not all(0 <= token_id < vocab_size for token_id in ids):
            template = QT_TRANSLATE_NOOP(
                "core",
                "encode() gives no ids inside the vocabulary for {text!r}; the ids {ids} are fed instead",
            )
            notes.append(Text(template, {"text": text, "ids": ",".join(map(str, instead))}))
            ids = instead
        others.append(ids)
    return Texts(prompt, *others), notes


def _encode(target: Target, text: str) -> tuple[int, ...]:
    try:
        return tuple(target.encode(text))
    except UnicodeEncodeError as error:
        raise UsageError(
            QT_TRANSLATE_NOOP(
                "core",
                "the prompt is not valid text at character {at} (a lone surrogate); give its ids with --prompt-ids",
            ),
            at=error.start,
        ) from error


def _check_ids(ids: tuple[int, ...], vocab_size: int) -> None:
    if not ids:
        template = QT_TRANSLATE_NOOP(
            "core", "the prompt has no tokens; add text with --prompt or ids with --prompt-ids"
        )
        raise UsageError(template)
    for place, token_id in enumerate(ids):
        if not 0 <= token_id < vocab_size:
            raise UsageError(
                QT_TRANSLATE_NOOP(
                    "core", "prompt id {token_id} at place {place} is outside the vocabulary 0..{last}"
                ),
                token_id=token_id,
                place=place,
                last=vocab_size - 1,
            )
