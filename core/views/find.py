"""Finding tokens of the text by what they say."""

from dataclasses import dataclass

from core.trace.reader import Trace
from core.views.tokens import token_text


@dataclass(frozen=True)
class FoundToken:
    """A token and the step that fed it."""

    token_index: int
    fed_by: int


def find_tokens(trace: Trace, row: int, wanted: str) -> list[FoundToken]:
    """Return the fed tokens of a batch row where `wanted` begins in the text, in their order; letters in any case.

    `#12` finds the token with the id 12.
    """
    texts: list[str] = []
    fed_by: list[int] = []
    ids: list[int] = []
    for step in range(len(trace)):
        facts = trace.facts(step)
        start = facts.text_len - facts.q_len
        tokens = facts.tokens[row]
        texts[start:] = [token_text(facts, token).lower() for token in tokens]
        ids[start:] = tokens
        fed_by[start:] = [step] * len(tokens)
    if wanted[:1] == "#" and wanted[1:].isdecimal():
        places = [index for index, token in enumerate(ids) if token == int(wanted[1:])]
    else:
        places = _places(texts, wanted.lower())
    return [FoundToken(place, fed_by[place]) for place in places]


def _places(texts: list[str], wanted: str) -> list[int]:
    """The tokens in which an occurrence of `wanted` begins, also one that goes on into the next tokens."""
    whole = "".join(texts)
    starts: list[int] = []
    found: list[int] = []
    for index, text in enumerate(texts):
        starts += [index] * len(text)
    at = whole.find(wanted)
    while at >= 0 and wanted:
        if not found or found[-1] != starts[at]:
            found.append(starts[at])
        at = whole.find(wanted, at + 1)
    return found
