"""The words of the field, each explained once: tooltips and the list of words come from this table."""

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from core.text import QT_TRANSLATE_NOOP

CONTEXT = "glossary"


@dataclass(frozen=True)
class Word:
    """A term, and one or two sentences about it; English, translated where they are shown."""

    name: str
    meaning: str


WORDS: dict[str, Word] = {
    "kv_cache": Word(
        QT_TRANSLATE_NOOP("glossary", "KV cache"),
        QT_TRANSLATE_NOOP("glossary", "Keys and values of all tokens so far, kept so that a step computes those of its new token only. It must not change what the model says."),
    ),
    "oracle": Word(
        QT_TRANSLATE_NOOP("glossary", "Oracle lane"),
        QT_TRANSLATE_NOOP("glossary", "The same model without a cache: it computes the whole prefix at every step. What it says is taken as right."),
    ),
    "cached": Word(
        QT_TRANSLATE_NOOP("glossary", "Cached lane"),
        QT_TRANSLATE_NOOP("glossary", "The model as it runs in practice: it is fed the new tokens only and reads the rest from its cache."),
    ),
    "prefill": Word(
        QT_TRANSLATE_NOOP("glossary", "Prefill"),
        QT_TRANSLATE_NOOP("glossary", "The first step: the whole prompt is fed at once and fills the cache."),
    ),
    "decode": Word(
        QT_TRANSLATE_NOOP("glossary", "Decode step"),
        QT_TRANSLATE_NOOP("glossary", "A step that feeds one new token and appends one row to the cache of every layer."),
    ),
    "logits": Word(
        QT_TRANSLATE_NOOP("glossary", "Logits"),
        QT_TRANSLATE_NOOP("glossary", "One number for each word of the vocabulary, before softmax: the larger, the likelier it comes next."),
    ),
    "tolerance": Word(
        QT_TRANSLATE_NOOP("glossary", "Tolerance"),
        QT_TRANSLATE_NOOP("glossary", "The largest difference of a logit that counts as equal. Rounding alone stays far below it."),
    ),
    "margin": Word(
        QT_TRANSLATE_NOOP("glossary", "Margin"),
        QT_TRANSLATE_NOOP("glossary", "How far the oracle's best logit is above its second best. A difference larger than this can change the token."),
    ),
    "kl": Word(
        QT_TRANSLATE_NOOP("glossary", "KL divergence"),
        QT_TRANSLATE_NOOP("glossary", "How much the cached lane's probabilities differ from the oracle's, as one number. 0 means that they are the same."),
    ),
    "argmax": Word(
        QT_TRANSLATE_NOOP("glossary", "Argmax"),
        QT_TRANSLATE_NOOP("glossary", "The token with the largest logit, which greedy decoding chooses."),
    ),
    "position_id": Word(
        QT_TRANSLATE_NOOP("glossary", "Position id"),
        QT_TRANSLATE_NOOP("glossary", "The place in the text that the model is told for a token. It goes on from what the cache holds; counting from 0 again is a common mistake."),
    ),
    "cache_slot": Word(
        QT_TRANSLATE_NOOP("glossary", "Cache slot"),
        QT_TRANSLATE_NOOP("glossary", "A row of the cache that holds the key and the value of one token."),
    ),
    "append_dim": Word(
        QT_TRANSLATE_NOOP("glossary", "Append dim"),
        QT_TRANSLATE_NOOP("glossary", "The axis of K and V that grows with the text: kv_len, dim 2 of [batch, kv_heads, kv_len, head_dim]."),
    ),
    "layer": Word(
        QT_TRANSLATE_NOOP("glossary", "Layer"),
        QT_TRANSLATE_NOOP("glossary", "One block of the model with its own attention and its own part of the cache."),
    ),
    "head": Word(
        QT_TRANSLATE_NOOP("glossary", "Head"),
        QT_TRANSLATE_NOOP("glossary", "One of several attentions that a layer computes side by side."),
    ),
    "gqa": Word(
        QT_TRANSLATE_NOOP("glossary", "GQA"),
        QT_TRANSLATE_NOOP("glossary", "Grouped-query attention: several query heads share one key and value head, which makes the cache smaller."),
    ),
    "attention": Word(
        QT_TRANSLATE_NOOP("glossary", "Attention weights"),
        QT_TRANSLATE_NOOP("glossary", "How much each token (row, query) looks at each token before it (column, key). A row adds up to 1."),
    ),
    "causal_mask": Word(
        QT_TRANSLATE_NOOP("glossary", "Causal mask"),
        QT_TRANSLATE_NOOP("glossary", "What keeps a token from looking at later ones: the part of the map above the diagonal stays empty."),
    ),
    "scenario": Word(
        QT_TRANSLATE_NOOP("glossary", "Scenario"),
        QT_TRANSLATE_NOOP("glossary", "A way to use the cache: token by token, in chunks, in a batch, rolled back. Each breaks for reasons of its own."),
    ),
    "layout": Word(
        QT_TRANSLATE_NOOP("glossary", "Cache layout"),
        QT_TRANSLATE_NOOP("glossary", "How keys and values lie in memory: joined anew at each step, written into a fixed block, into pages, or into a ring."),
    ),
    "fault": Word(
        QT_TRANSLATE_NOOP("glossary", "Planted fault"),
        QT_TRANSLATE_NOOP("glossary", "A known mistake that is put into the cached lane on purpose, to see how it shows."),
    ),
    "storage": Word(
        QT_TRANSLATE_NOOP("glossary", "Storage"),
        QT_TRANSLATE_NOOP("glossary", "The block of memory that a tensor lives in. Two layers with the same one overwrite each other."),
    ),
    "healed": Word(
        QT_TRANSLATE_NOOP("glossary", "Healed"),
        QT_TRANSLATE_NOOP("glossary", "The share of the difference that goes when only the suspect is replaced by the oracle's. An equally large repair elsewhere should heal nothing."),
    ),
}  # fmt: skip


def name_of(word_id: str) -> str:
    """The term in the language of the window."""
    return QCoreApplication.translate(CONTEXT, WORDS[word_id].name)


def meaning_of(word_id: str) -> str:
    """Its explanation in the language of the window."""
    return QCoreApplication.translate(CONTEXT, WORDS[word_id].meaning)


def tip(*word_ids: str) -> str:
    """A tooltip of rich text, so that it is wrapped: each term and what it means."""
    return "<br>".join(f"<b>{name_of(word)}</b>: {meaning_of(word)}" for word in word_ids)
