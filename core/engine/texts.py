"""The token ids of a scenario's texts: from --prompt-ids, from text, or the fixed ids of a target without text."""

from core import catalog
from core.engine.messages import RunSpec
from core.errors import UsageError
from core.record.scenarios import Texts
from core.targets.base import Target
from core.text import QT_TRANSLATE_NOOP, Text

FIXED = (catalog.OTHER_IDS, catalog.ROW_IDS, catalog.TURN_IDS)
TEXTS = (catalog.OTHER_PROMPT, catalog.ROW_PROMPT, catalog.TURN_TEXT)


def texts_of(spec: RunSpec, target: Target) -> Texts:
    """Return the texts, with what is to be said about them.

    Raises:
        UsageError: the prompt that was asked for is empty, no text, or outside the vocabulary.
    """
    texts, max_length = _encoded(spec, target), target.shape.max_length
    is_default = spec.prompt is None and spec.prompt_ids is None
    if not is_default or max_length is None or not len(texts.prompt) >= max_length > 1:
        return texts
    kept = min(max(max_length - spec.steps, max_length // 2), max_length - 1)
    template = QT_TRANSLATE_NOOP(
        "core", "the default prompt was cut to {kept} tokens: the model's context has room for {max_length}"
    )
    note = Text(template, {"kept": kept, "max_length": max_length})
    return Texts(texts.prompt[:kept], texts.other[:kept], texts.row[:kept], texts.turn, (*texts.notes, note))


def _encoded(spec: RunSpec, target: Target) -> Texts:
    vocab_size = target.shape.vocab_size
    fixed = [tuple(token_id % vocab_size for token_id in ids) for ids in FIXED]
    if spec.prompt_ids is not None or (spec.prompt is None and not target.has_text):
        ids = spec.prompt_ids
        if ids is None:
            ids = tuple(token_id % vocab_size for token_id in catalog.DEFAULT_IDS)
        _check_ids(ids, vocab_size)
        other, row, turn = fixed
        return Texts(ids, other, row, turn)
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
    other, row, turn = others
    return Texts(prompt, other, row, turn, tuple(notes))


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
