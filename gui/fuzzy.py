"""Finding a command by a few of its letters."""

from dataclasses import dataclass

WORD_START, IN_A_ROW, ANYWHERE, GAP = 12.0, 11.0, 2.0, 0.3


@dataclass(frozen=True)
class Match:
    """How well a query fits, and which characters of the text it meets."""

    score: float
    places: tuple[int, ...] = ()


def match(query: str, text: str) -> Match | None:
    """Every word of the query must be in the text, its letters in order; None where one is not."""
    found = [_match_word(word, text.lower()) for word in query.lower().split()]
    if not all(found):
        return None
    places = sorted({place for one in found if one is not None for place in one.places})
    return Match(sum(one.score for one in found if one is not None) - 0.01 * len(text), tuple(places))


def _match_word(word: str, text: str) -> Match | None:
    """The best of all beginnings; from each, every letter is taken where it comes next."""
    starts = [place for place, letter in enumerate(text) if letter == word[0]]
    found = [one for start in starts if (one := _match_from(word, text, start)) is not None]
    return max(found, key=lambda one: one.score, default=None)


def _match_from(word: str, text: str, start: int) -> Match | None:
    places = [start]
    for letter in word[1:]:
        after = places[-1] + 1
        place = after if text[after : after + 1] == letter else _next_place(text, letter, after)
        if place < 0:
            return None
        places.append(place)
    score = sum(_worth(text, place, before) for place, before in zip(places, [-2, *places], strict=False))
    return Match(score - GAP * (places[-1] - start), tuple(places))


def _next_place(text: str, letter: str, after: int) -> int:
    """The beginning of a word rather than any other place."""
    for place in range(after, len(text)):
        if text[place] == letter and _starts_word(text, place):
            return place
    return text.find(letter, after)


def _worth(text: str, place: int, before: int) -> float:
    if place == before + 1:
        return IN_A_ROW
    return WORD_START if _starts_word(text, place) else ANYWHERE


def _starts_word(text: str, place: int) -> bool:
    return place == 0 or not text[place - 1].isalnum()
