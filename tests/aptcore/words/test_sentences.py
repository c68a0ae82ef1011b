"""Texts of several sentences, and texts in other languages."""

from __future__ import annotations

from typing import Any

import pytest

from aptcore.words.sentences import other_language, remarks_on, split_sentences, with_split


def test_sentences_are_split_and_told_as_the_case_says(cases: dict[str, Any]) -> None:
    case = cases["c74"]
    texts, expected = case["input"]["sentences"], case["expected"]
    assert [list(split_sentences(text)) for text in texts] == expected["split"]
    two = [any("sentences" in said for said in remarks_on(text)) for text in texts]
    assert two == expected["looks_like_two"]
    assert [other_language(text) is not None for text in texts] == expected["looks_foreign"]


@pytest.mark.parametrize(
    "text",
    [
        "Mr. Orr left at 5 p.m. | Dr. Lum, of the U.S. team, stayed.",
        "It rains. | She left.",
        "It rains . | She left .",
        'He said "Go." | Then he left.',
        "Is it late? | Yes! | We go.",
        "“Who are you?” asked the prince.",
        "J. R. R. Orr wrote it.",
        "The U.S. Army came.",
        "He lives in the U.S. | She does not.",
        "See Fig. 2, Vol. 3 and pp. 5 for details.",
        "No. 5 is alive. | No. | He is not.",
        "She works at Orr Inc. | He works at Lum Corp. in May.",
        "He came on Jan. 5. | It snowed.",
        "Wait ... what?",
        "1. Wash the rice.",
        "The price is $3.50 vs. $4.50 in St. Ives.",
        "It rains.",
        "",
        "...",
    ],
)
def test_abbreviations_end_no_sentence(text: str) -> None:
    parts = text.split(" | ")
    assert list(split_sentences(text.replace("| ", ""))) == parts


def test_what_is_not_split_keeps_every_character_and_its_name() -> None:
    texts = ["  One .\u00a0", "It rains.  She left.\t We stay. "]
    assert with_split(zip(["7", "a.1"], texts, strict=True)) == [
        ("7", "  One .\u00a0"),
        ("a.1.1", "It rains."),
        ("a.1.2", "She left."),
        ("a.1.3", "We stay."),
    ]


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Ein Mann geht nach Hause.", "German"),
        ("Le chat dort sur le lit.", "French"),
        ("El perro no come nada hoy.", "Spanish"),
        ("Il gatto dorme sul letto.", "Italian"),
        ("O gato não dorme na cama.", "Portuguese"),
        ("De hond slaapt in de tuin.", "another language"),
        ("Собака спит.", "Cyrillic script"),
        ("狗在花园里睡觉。", "Chinese"),
        ("犬は庭で寝ています。", "Japanese"),
        ("개가 정원에서 잔다.", "Korean"),
        ("She died in the war in Die .", None),
        ("The U.S. and the E.U. met.", None),
        ("Zoë saw El Niño in Los Angeles .", None),
        ("Rain.", None),
        ("5 - 1", None),
    ],
)
def test_another_language_is_named(text: str, language: str | None) -> None:
    assert other_language(text) == language


def test_decoded_entities_are_told() -> None:
    assert remarks_on("Tom &amp; Ann don&#39;t &bogus; sleep.") == ("&amp; &#39; is read as & '",)
    assert remarks_on("Tom & Ann don´t sleep.") == ()


def test_hardly_an_english_sentence_is_taken_for_another_language(data_folder: Any) -> None:
    text = (data_folder / "unlabelled" / "wordnet-examples.txt").read_text("utf-8")
    lines = text.split("\n")[::20]
    foreign = sum(other_language(line) is not None for line in lines)
    assert foreign <= len(lines) / 500


def test_text_without_any_known_word_is_told():
    unknown = "has no word that is known here, so its graph is a guess"
    assert remarks_on("Zxqv blarfing grumwottle .") == (unknown,)
    for text in ("Kittens purr.", "Marisol Kowalczyk slept.", "Hmph.", "TNFα upregulates IκBα."):
        assert unknown not in remarks_on(text), text
    assert unknown not in remarks_on("Der Hund schläft heute im Garten .")
