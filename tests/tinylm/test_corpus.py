"""The training text: readable notes in two languages that state ids early and repeat them."""

import random
import re
from itertools import islice

import pytest

from tinylm import phrases_en, phrases_zh
from tinylm.corpus import (
    CHINESE,
    ENGLISH,
    IDS,
    MAX_CHARS,
    MIN_CHARS,
    Phrases,
    draw_facts,
    fields_of,
    notes,
)
from tinylm.figures import ADDRESS, EVIDENCE_ID, second_mentions
from tinylm.tokenizer import EXTRA_CHARS, N_BYTES, VOCAB_SIZE, encode

SENTENCES = [
    sentence
    for module in (phrases_en, phrases_zh)
    for group in (module.ROLES, module.OPENINGS, module.MIDDLES, module.RECALLS)
    for sentence in group
]


def test_that_a_seed_gives_the_same_notes_and_another_seed_gives_others() -> None:
    first = list(islice(notes(3), 20))
    assert first == list(islice(notes(3), 20))
    assert not set(first) & set(islice(notes(4), 20))


def test_that_no_character_of_the_corpus_needs_the_byte_fallback() -> None:
    used = {char for sentence in SENTENCES for char in sentence if not char.isascii()}
    assert used <= set(EXTRA_CHARS)
    assert all(len(encode(note)) == len(note) for note in islice(notes(0), 200))


def test_that_the_extra_characters_are_distinct_sorted_and_fit_the_vocabulary() -> None:
    assert list(EXTRA_CHARS) == sorted(set(EXTRA_CHARS))
    assert N_BYTES + len(EXTRA_CHARS) <= VOCAB_SIZE


def test_that_notes_are_one_line_of_bounded_length_half_of_them_english() -> None:
    sample = list(islice(notes(1), 400))
    assert all("\n" not in note and MIN_CHARS <= len(note) <= MAX_CHARS for note in sample)
    assert 160 < sum(note.isascii() for note in sample) < 240


@pytest.mark.parametrize("phrases", [ENGLISH, CHINESE], ids=["english", "chinese"])
def test_that_every_field_of_every_sentence_can_be_filled(phrases: Phrases) -> None:
    facts = draw_facts(random.Random(0), phrases)
    for sentence in (*phrases.openings, *phrases.middles, *phrases.recalls):
        assert "{" not in sentence.format(**facts)


def test_that_both_languages_have_as_many_sentences_of_each_kind_with_the_same_ids() -> None:
    for english, chinese in zip(
        (ENGLISH.openings, ENGLISH.middles, ENGLISH.recalls),
        (CHINESE.openings, CHINESE.middles, CHINESE.recalls),
        strict=True,
    ):
        assert len(english) == len(chinese) >= 20
    assert all(fields_of(opening) & IDS for opening in ENGLISH.openings + CHINESE.openings)


@pytest.mark.parametrize("pattern", [EVIDENCE_ID, ADDRESS], ids=["evidence id", "address"])
def test_that_every_evidence_id_and_address_is_repeated_later_in_its_note(pattern: re.Pattern[str]) -> None:
    """A counterparty is the one id that a note may leave at a single mention."""
    for note in islice(notes(2), 300):
        to_repeat = set(pattern.findall(re.sub(r"(ounterparty|对手方) 0x\w+", "", note)))
        assert to_repeat <= {note[start:end] for start, end in second_mentions(note, pattern)}


def test_that_a_note_only_recalls_what_it_has_stated() -> None:
    """A date or an amount in a note's last sentence stands earlier in the note, too."""
    for note in (note for note in islice(notes(6), 300) if note.isascii()):
        earlier, _, last = note[:-1].rpartition(". ")
        for value in re.findall(r"\d{4}-\d\d-\d\d|[\d,]+\.\d\d", last):
            assert value in earlier


@pytest.mark.parametrize(
    "opening",
    [
        "Evidence {ev}: {addr} paid {amount}",
        "Invoice {inv} was paid to account {addr} on {date}.",
        "证据 {ev}：地址 {addr} 于 {date} 支付人民币 {amount} 元",
    ],
)
def test_that_the_prompts_of_the_demo_open_notes(opening: str) -> None:
    assert any(sentence.startswith(opening) for sentence in SENTENCES)
