"""Training text that the project makes itself: short audit and settlement notes, each in English or in Chinese.

A note states its ids and addresses early and repeats them later, so a model can only do well by looking them up in its
own context: a fault in the KV cache then changes an address into another that looks just as good. All people, accounts
and payments are made up.
"""

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass

from tinylm import phrases_en, phrases_zh

MIN_CHARS, MAX_CHARS = 100, 350
HEX_DIGITS = "0123456789abcdef"
MIXED_CASE_DIGITS = "0123456789abcdefABCDEF"
# What only an opening or a middle may bring in: a recall that names one of these needs it stated before.
IDS = frozenset({"ev", "inv", "acct", "addr", "peer", "amount", "fee", "date", "due"})
NEW_IN_MIDDLE = frozenset({"acct", "peer", "fee", "due"})


@dataclass(frozen=True)
class Phrases:
    """The sentences of one language, and what stands between two of them."""

    roles: tuple[str, ...]
    openings: tuple[str, ...]
    middles: tuple[str, ...]
    recalls: tuple[str, ...]
    joint: str


ENGLISH = Phrases(phrases_en.ROLES, phrases_en.OPENINGS, phrases_en.MIDDLES, phrases_en.RECALLS, joint=" ")
CHINESE = Phrases(phrases_zh.ROLES, phrases_zh.OPENINGS, phrases_zh.MIDDLES, phrases_zh.RECALLS, joint="")


def notes(seed: int) -> Iterator[str]:
    """Yield notes without end; the same seed gives the same notes."""
    rng = random.Random(seed)
    while True:
        yield make_note(rng, rng.choice((ENGLISH, CHINESE)))


def make_note(rng: random.Random, phrases: Phrases) -> str:
    """Return one note of MIN_CHARS to MAX_CHARS characters, without a newline."""
    while True:
        facts = draw_facts(rng, phrases)
        note = phrases.joint.join(sentence.format(**facts) for sentence in _plan(rng, phrases))
        if MIN_CHARS <= len(note) <= MAX_CHARS:
            return note


def draw_facts(rng: random.Random, phrases: Phrases) -> dict[str, str]:
    """Return a value for every field that a sentence can name."""
    branch = str(rng.randint(2, 48))
    who, other = (role.format(branch=branch) for role in rng.sample(phrases.roles, 2))
    return {
        "ev": f"EV-{rng.randint(1000, 9999)}",
        "inv": str(rng.randint(1000, 9999)),
        "acct": str(rng.randint(10_000_000, 99_999_999)),
        "addr": _address(rng),
        "peer": _address(rng),
        "amount": _amount(rng, max_digits=6),
        "fee": _amount(rng, max_digits=2),
        "cur": rng.choice(("USD", "USD", "EUR")),
        "date": _date(rng),
        "due": _date(rng),
        "branch": branch,
        "n": str(rng.randint(2, 9)),
        "who": who,
        "Who": who[0].upper() + who[1:],
        "other": other,
        "Other": other[0].upper() + other[1:],
    }


def fields_of(sentence: str) -> frozenset[str]:
    """Return the ids, amounts and dates that a sentence names."""
    return IDS.intersection(re.findall(r"{(\w+)}", sentence))


def _plan(rng: random.Random, phrases: Phrases) -> list[str]:
    """Choose an opening, up to three middles, and recalls until the evidence id and the address are repeated."""
    plan = [rng.choice(phrases.openings)]
    stated = fields_of(plan[0])
    for middle in rng.sample(phrases.middles, rng.choice((0, 1, 1, 2, 3))):
        if fields_of(middle) <= stated | NEW_IN_MIDDLE:
            plan.append(middle)
            stated |= fields_of(middle)
    to_repeat = stated & {"ev", "addr", "peer"}
    for recall in rng.sample(phrases.recalls, len(phrases.recalls)):
        if fields_of(recall) <= stated and fields_of(recall) & to_repeat:
            plan.append(recall)
            to_repeat -= fields_of(recall)
    return plan


def _address(rng: random.Random) -> str:
    digits = rng.choice((HEX_DIGITS, HEX_DIGITS, MIXED_CASE_DIGITS))
    return "0x" + "".join(rng.choices(digits, k=rng.choice((4, 4, 4, 6, 6, 8))))


def _amount(rng: random.Random, max_digits: int) -> str:
    """Return an amount such as 1,250.00 with 2 to `max_digits` digits before the point, each length as likely."""
    digits = rng.randint(2, max_digits)
    whole = rng.randrange(10 ** (digits - 1), 10**digits)
    return f"{whole:,}.{rng.choice((0, 0, 50, rng.randrange(100))):02d}"


def _date(rng: random.Random) -> str:
    return f"{rng.randint(2022, 2025)}-{rng.randint(1, 12):02d}-{rng.randint(1, 28):02d}"
