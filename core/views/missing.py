"""Why a panel has nothing to show: what is missing in the trace, and how it can be given."""

from dataclasses import dataclass

from core.text import QT_TRANSLATE_NOOP, Text
from core.trace.reader import Trace
from core.views.attention import MAX_TOKENS
from core.views.selection import Selection

ATTENTION_HINT = Text(
    QT_TRANSLATE_NOOP(
        "core",
        "Seen is what torch computes in the engine's process: F.scaled_dot_product_attention, or attention written as product, softmax, product. Tokens, logits and the verdict need none of it.",
    )
)


@dataclass(frozen=True)
class Missing:
    """A sentence, and what can be done about it."""

    what: Text
    hint: Text


def no_attention(trace: Trace, selection: Selection) -> Missing:
    """For the attention maps and the grid of heads."""
    n_tokens = trace.facts(selection.step).text_len
    if n_tokens > MAX_TOKENS:
        return Missing(
            Text(
                QT_TRANSLATE_NOOP("core", "{n_tokens} tokens are too many for a map of all of them."),
                {"n_tokens": n_tokens},
            ),
            Text(
                QT_TRANSLATE_NOOP("core", "Up to {most} are drawn: look at an earlier step."),
                {"most": MAX_TOKENS},
            ),
        )
    if not _has(trace, "attn_weights"):
        what = Text(QT_TRANSLATE_NOOP("core", "No attention was recognised in this run."))
        return Missing(what, ATTENTION_HINT)
    what = Text(
        QT_TRANSLATE_NOOP("core", "No attention was seen in step {step}, layer {layer}."),
        {"step": selection.step, "layer": selection.layer},
    )
    hint = Text(QT_TRANSLATE_NOOP("core", "Other steps or layers of the run have it."))
    return Missing(what, hint)


def no_cache(trace: Trace) -> Missing:
    """For the KV table."""
    return Missing(
        Text(QT_TRANSLATE_NOOP("core", "No keys and values were seen in this step.")),
        Text(
            QT_TRANSLATE_NOOP(
                "core",
                "They are read from the cache where its kind is known, and else from what attention is given. Where attention is not recognised, shapes, growth and bytes are unknown.",
            )
        ),
    )


def no_slots(trace: Trace) -> Missing:
    """For the map of cache slots."""
    return Missing(
        Text(QT_TRANSLATE_NOOP("core", "No differences per cache slot in this step.")),
        Text(QT_TRANSLATE_NOOP("core", "They need the keys and values of both lanes, layer by layer.")),
    )


def no_logits(trace: Trace) -> Missing:
    """For the table of logits."""
    if len(trace.lanes) == 1:
        return Missing(
            Text(QT_TRANSLATE_NOOP("core", "The trace has the {lane} lane only."), {"lane": trace.lanes[0]}),
            Text(
                QT_TRANSLATE_NOOP(
                    "core", "Open two traces of the same tokens together, and they are compared."
                )
            ),
        )
    return Missing(
        Text(QT_TRANSLATE_NOOP("core", "This trace has no logits for this step.")),
        Text(
            QT_TRANSLATE_NOOP(
                "core", "They are named oracle/logits and cached/logits, or top_ids and top_logits."
            )
        ),
    )


def _has(trace: Trace, name: str) -> bool:
    """Whether any step holds such a tensor; the first and the last tell."""
    steps = {0, len(trace) - 1} if len(trace) else set()
    lanes = ("oracle", "cached")
    return any(
        trace.tensor(step, f"{lane}/layer.{layer}/{name}") is not None
        for step in steps
        for lane in lanes
        for layer in range(max(1, trace.info.model.n_layers or 1))
    ) or any(trace.tensor(step, f"diff/{name}") is not None for step in steps)
