"""The seven steps in words: what each is about, where to look, what to do, what to ask."""

from dataclasses import dataclass

from core.engine.messages import RunSpec
from core.lab.code import APPEND, DECODE_STEP, READ_PAST, UNCACHED, CodeRef
from core.text import QT_TRANSLATE_NOOP, Text

HEALTHY = RunSpec()
FAULTY = RunSpec(faults=("position-reset",))
SINGLE = RunSpec(scenario="single-token-prompt")
RUNS = {"healthy": HEALTHY, "faulty": FAULTY, "single": SINGLE}


@dataclass(frozen=True)
class Question:
    """What to ask oneself, and the answer to unfold."""

    question: Text
    answer: Text


@dataclass(frozen=True)
class LabStep:
    """One step. `actions` are ids with the words of their buttons, `panels` the names of what to look at."""

    id: str
    title: Text
    look: Text
    actions: tuple[tuple[str, Text], ...]
    panels: tuple[str, ...]
    questions: tuple[Question, ...]
    code: tuple[CodeRef, ...] = ()


STEPS: tuple[LabStep, ...] = (
    LabStep(
        "oracle",
        Text(QT_TRANSLATE_NOOP("core", "Decode without a cache")),
        Text(QT_TRANSLATE_NOOP("core", "Greedy decoding that feeds the whole text again at every step is slow and easy to get right: it is the oracle. Read the lines below. Then record a run: blue is the oracle, orange the lane with a cache.")),
        (("record", Text(QT_TRANSLATE_NOOP("core", "Record 12 steps"))),),
        ("tokens", "timeline"),
        (
            Question(
                Text(QT_TRANSLATE_NOOP("core", "Which tensors are computed again in every step, though nothing about them has changed?")),
                Text(QT_TRANSLATE_NOOP("core", "Of every old token, in every layer: its hidden state, its Q, K and V, its row of scores and weights. The next token needs of all that only the old K and V, and the newest token's own row.")),
            ),
            Question(
                Text(QT_TRANSLATE_NOOP("core", "Why greedy first, and not sampling?")),
                Text(QT_TRANSLATE_NOOP("core", "Greedy takes the largest logit: the same logits always give the same text. Two right lanes that draw their tokens may write different texts, and a difference would say nothing. Here both lanes are fed the oracle's tokens besides, so that one wrong choice does not blur the steps after it.")),
            ),
        ),
        (UNCACHED,),
    ),
    LabStep(
        "past",
        Text(QT_TRANSLATE_NOOP("core", "Give attention a past_kv")),
        Text(QT_TRANSLATE_NOOP("core", "The same attention takes an optional past_kv: without one only the new tokens exist, with one the new K and V are appended and the queries read all rows. Go to the first decode step: the oracle has computed every row of K and V again, the cached lane one.")),
        (("first_decode", Text(QT_TRANSLATE_NOOP("core", "Go to the first decode step"))),),
        ("kv", "attention"),
        (
            Question(
                Text(QT_TRANSLATE_NOOP("core", "Why do the old positions need no recomputing?")),
                Text(QT_TRANSLATE_NOOP("core", "The mask is causal: what a layer makes of a token depends on that token and on those before it, never on a later one. So K and V of an old token are the same in every later step, as long as it keeps its position and nothing looks ahead.")),
            ),
            Question(
                Text(QT_TRANSLATE_NOOP("core", "Why are K and V kept, and Q is not?")),
                Text(QT_TRANSLATE_NOOP("core", "The query of an old token has asked its question when the token was new. Later tokens read what it offers, its K and V; nobody asks with its query again.")),
            ),
        ),
        (READ_PAST, APPEND),
    ),
    LabStep(
        "prefill",
        Text(QT_TRANSLATE_NOOP("core", "Check the lengths after the prefill")),
        Text(QT_TRANSLATE_NOOP("core", "Before anything is decoded: in every layer the cache is as long as the prompt. The KV cache panel has one row a layer; the marked dim is the one that grows.")),
        (("prefill", Text(QT_TRANSLATE_NOOP("core", "Go to the prefill"))),),
        ("kv",),
        (
            Question(
                Text(QT_TRANSLATE_NOOP("core", "Why look at every layer, and not at the first alone?")),
                Text(QT_TRANSLATE_NOOP("core", "Each layer has a cache of its own. One that is left out, or appended to twice, or by another layer too, has a wrong length here already, before a single token has been decoded.")),
            ),
            Question(
                Text(QT_TRANSLATE_NOOP("core", "Is a right length enough?")),
                Text(QT_TRANSLATE_NOOP("core", "No. Rows of zeros, stale rows and rows at a wrong position have the right length. The values are compared in step 5.")),
            ),
        ),
    ),
    LabStep(
        "offset",
        Text(QT_TRANSLATE_NOOP("core", "Feed the newest token, at the right offset")),
        Text(QT_TRANSLATE_NOOP("core", "A decode call feeds one token, and says where it stands: behind all that is cached. Plant the classic fault, positions that start at 0 again in every call, and look at the positions and at the first bad step. Then take it out again.")),
        (
            ("plant", Text(QT_TRANSLATE_NOOP("core", "Plant the position fault"))),
            ("repair", Text(QT_TRANSLATE_NOOP("core", "Take it out again"))),
        ),
        ("slots", "timeline"),
        (
            Question(
                Text(QT_TRANSLATE_NOOP("core", "Why does a wrong offset raise no shape error?")),
                Text(QT_TRANSLATE_NOOP("core", "A position is not a size. It turns q and k by another angle, or reads another row of a table: every tensor keeps its shape, softmax still sums to 1, and the model says something fluent that is wrong.")),
            ),
            Question(
                Text(QT_TRANSLATE_NOOP("core", "Which position is the right one for the new token?")),
                Text(QT_TRANSLATE_NOOP("core", "The number of tokens that stand before it in its text. That is the length of the cache as long as every token is kept: it is neither the place within the call, nor the rows that a window has left, nor the width of a padded batch.")),
            ),
        ),
        (DECODE_STEP,),
    ),
    LabStep(
        "compare",
        Text(QT_TRANSLATE_NOOP("core", "Compare logits and argmax, step by step")),
        Text(QT_TRANSLATE_NOOP("core", "Presume nothing: compare all logits of every step, then the tokens that they choose. The timeline has one point a step; the logits panel shows the top of both lanes and the oracle's margin.")),
        (("compare", Text(QT_TRANSLATE_NOOP("core", "Go to the largest difference"))),),
        ("timeline", "logits"),
        (
            Question(
                Text(QT_TRANSLATE_NOOP("core", "The argmax agrees in every step. Is the cache right?")),
                Text(QT_TRANSLATE_NOOP("core", "That does not follow. While the difference is smaller than the margin between the two best tokens, a wrong cache chooses the same one. So logits are compared, and in every step: the digit of an amount may be the first to change.")),
            ),
            Question(
                Text(QT_TRANSLATE_NOOP("core", "Why a tolerance, and not equality?")),
                Text(QT_TRANSLATE_NOOP("core", "Both lanes multiply matrices of different shapes, and sums of floating point numbers depend on their order. That is rounding; it shrinks when the same is computed in a wider dtype, and a fault does not.")),
            ),
        ),
    ),
    LabStep(
        "costs",
        Text(QT_TRANSLATE_NOOP("core", "Only now: time and memory")),
        Text(QT_TRANSLATE_NOOP("core", "The check has passed, so what is measured means something. Both lanes are timed side by side at four lengths with each layout of the cache; this takes about half a minute, Esc ends it.")),
        (("measure", Text(QT_TRANSLATE_NOOP("core", "Measure time and memory"))),),
        ("profile",),
        (
            Question(
                Text(QT_TRANSLATE_NOOP("core", "Why time only after correctness?")),
                Text(QT_TRANSLATE_NOOP("core", "A lane that computes something else may be fast for that very reason: it reads too few rows or leaves a layer out. Nobody needs a wrong number sooner.")),
            ),
            Question(
                Text(QT_TRANSLATE_NOOP("core", "What grows with the length, and what does not?")),
                Text(QT_TRANSLATE_NOOP("core", "The oracle feeds every token again, so its step grows with the length and the whole text with the square. A cached step computes one token; only reading the cache, and copying it where append copies, grows. In return the memory grows: in each layer two rows, K and V, for every token.")),
            ),
        ),
    ),
    LabStep(
        "edge",
        Text(QT_TRANSLATE_NOOP("core", "Add an edge case")),
        Text(QT_TRANSLATE_NOOP("core", "A prompt of one token, and more than one step after it. Then save the lab notes: five headings, filled with what you have measured.")),
        (("single", Text(QT_TRANSLATE_NOOP("core", "Record a prompt of one token"))),),
        ("timeline", "kv"),
        (
            Question(
                Text(QT_TRANSLATE_NOOP("core", "Why a prompt of one token, and why more than one step?")),
                Text(QT_TRANSLATE_NOOP("core", "Such a prefill looks like a decode step: code that tells them apart by q_len == 1 takes the wrong branch, and a mask that is left out for a single query is not missed. An offset that starts at 0 again is right in the first call by chance; only the steps after it show it.")),
            ),
            Question(
                Text(QT_TRANSLATE_NOOP("core", "Which other edges are worth a scenario?")),
                Text(QT_TRANSLATE_NOOP("core", "Those where the cache and the text are no longer the same: a prompt in chunks, a second run, a batch with pads, a rollback, beams that change places, the edge of a window. All scenarios (F6) runs them.")),
            ),
        ),
    ),
)  # fmt: skip
