"""Tokens, lemmas and the way between two tokenisations."""

from __future__ import annotations

import re
import unicodedata
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aptcore.errors import InputError
from aptcore.graph.amr import Sentence
from aptcore.graph.characters import plain_text
from aptcore.words.sentences import remarks_on
from aptcore.words.tokens import (
    has_words,
    sentence_from_tokens,
    split_text,
    token_offsets,
    tokenize,
    tokenize_all,
)
from tests.aptcore.positions import map_positions, plain_token
from tests.seconds import growth


def lemma_of(sentence: Sentence, token: str) -> str:
    return sentence.lemmas[sentence.tokens.index(token)]


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("The U.S.-based firm", "The U.S. - based firm"),
        ("its US-based rival", "its US - based rival"),
        ("IL-2-induced PI3K/AKT.", "IL - 2 - induced PI3K / AKT ."),
        ("and/or (A)-(B)", "and / or ( A ) - ( B )"),
        ("on 2011-05-09, at 18:45, 24/7", "on 2011-05-09 , at 18:45 , 24/7"),
        ("see http://a.b/c-d, please", "see http://a.b/c-d , please"),
        ("x<sup>2</sup> <i>KRAS </i>", "x <sup> 2 </sup> <i> KRAS </i>"),
        ('<xref ref-type="bibr" rid="b4">4</xref>', '<xref ref-type="bibr" rid="b4"> 4 </xref>'),
        ("p < 0.05 and c > d", "p < 0.05 and c > d"),
        ("wait--what :-)", "wait -- what :-)"),
    ],
)
def test_text_is_split_at_every_joint(text: str, tokens: str) -> None:
    assert " ".join(split_text(text)) == tokens


def test_each_hidden_negation_has_a_token_of_its_own() -> None:
    sentence = tokenize(
        "The U.S.-based firm and its US-based rival cannot agree; they won't, and didn't."
    )
    assert sentence.lemmas.count("not") == 3
    assert [lemma_of(sentence, token) for token in ("can", "wo", "did")] == ["can", "will", "do"]


def test_blanks_of_any_kind_are_no_tokens() -> None:
    text = "Two  spaces ,\na newline and a\u00a0no-break\u200b space .\t\ufeff"
    sentence = tokenize(text)
    assert " ".join(sentence.tokens) == "Two spaces , a newline and a no - break space ."
    assert sentence.text == text
    assert [text[start:end] for start, end in token_offsets(sentence)] == list(sentence.tokens)


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet=st.characters(exclude_categories=("Cs",)), max_size=40))
def test_tokens_cover_all_but_blanks_once_and_in_order(text: str) -> None:
    tokens = split_text(text)
    assert all(token and not re.search(r"\s", token) for token in tokens)
    assert len(token_offsets(tokenize(text))) == len(tokens)
    joiners = "\u200c\u200d\ufe00-\ufe0f"
    plain = re.sub(f"[{joiners}]", "", plain_text(text).text)
    hidden = "\u00ad\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff"
    blank = f"[\\s\x00-\x1f\x7f-\x9f{hidden}]"
    assert re.sub(f"[{joiners}]", "", "".join(tokens)) == re.sub(blank, "", plain)


def test_every_text_has_its_result_in_order() -> None:
    texts = ["", "   ", "...", "!?", "—", "\u200b", "It rains ."]
    sentences = tokenize_all(texts)
    assert [sentence.text for sentence in sentences] == texts
    assert [has_words(sentence) for sentence in sentences] == [False] * 6 + [True]


def test_splitting_one_by_one_gives_the_same_as_in_a_batch() -> None:
    texts = ["The boys were running .", "I saw two mice .", "She left it ."]
    assert tokenize_all(texts) == [tokenize(text) for text in texts]


def test_a_missing_id_is_an_error() -> None:
    with pytest.raises(InputError, match="2 texts but 1 ids"):
        tokenize_all(["a", "b"], ["only"])


def test_given_tokens_are_kept() -> None:
    sentence = sentence_from_tokens(["The", "U.S.-based", "firm"], id="a.1")
    assert sentence.tokens == ("The", "U.S.-based", "firm")
    assert sentence.text == "The U.S.-based firm"
    assert sentence_from_tokens([]).tokens == ()


@pytest.mark.parametrize("token", ["", " ", "New York", "a\u00a0b", "\u200b"])
def test_a_given_token_with_white_space_is_an_error(token: str) -> None:
    with pytest.raises(InputError, match="token 1 of sentence 'a.1'"):
        sentence_from_tokens(["In", token], id="a.1")


def test_a_given_token_that_is_not_in_the_text_is_an_error() -> None:
    with pytest.raises(InputError, match="token 1 \\('cat'\\)"):
        sentence_from_tokens(["A", "cat"], text="A dog")


def test_numbers_and_pronouns_are_lemmas_as_amr_writes_them() -> None:
    sentence = tokenize("She gave them two of her 1,000 boats , and he ran .")
    assert [
        lemma_of(sentence, token) for token in ("gave", "them", "two", "her", "1,000", "boats")
    ] == ["give", "they", "2", "she", "1000", "boat"]


def test_positions_are_carried_over_by_character() -> None:
    old = ["T", "@-@", "cell", "won", "'", "t", "</i>@"]
    sentence = tokenize("T-cell won't</i>")
    assert sentence.tokens == ("T", "-", "cell", "wo", "n't", "</i>")
    assert map_positions([0, 1], old, sentence) == (0, 1)
    assert map_positions([3], old, sentence) == (3, 4)
    assert map_positions([6], old, sentence) == (5,)


def test_positions_are_not_carried_over_to_another_text() -> None:
    with pytest.raises(InputError, match="do not hold the text of sentence 's1'"):
        map_positions([0], ["cat"], tokenize("dog", id="s1"))
    with pytest.raises(InputError, match="no token 3"):
        map_positions([3], ["dog"], tokenize("dog"))


def test_a_mark_of_a_missing_space_is_no_part_of_the_token() -> None:
    assert [plain_token(token) for token in ("@-@", "@", "@<i>", "x")] == ["-", "@", "<i>", "x"]


@pytest.mark.parametrize(
    ("text", "token", "lemma"),
    [
        ("the activation of it", "activation", "activate"),
        ("its production grew", "production", "produce"),
        ("It rapidly grew .", "rapidly", "rapid"),
        ("It is only one .", "only", "only"),
        ("one of many", "one", "one"),
        ("a large population", "population", "population"),
        ("these people", "these", "this"),
        ("5 h later", "h", "hour"),
        ("five nM", "nM", "nanomolar"),
        ("a naïve man", "naïve", "naive"),
        ("DNA", "DNA", "DNA"),
        ("東京", "東京", "東京"),
    ],
)
def test_lemmas_are_what_amr_names_concepts_by(text: str, token: str, lemma: str) -> None:
    assert lemma_of(tokenize(text), token) == lemma


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("2002-12-31.", "2002-12-31 ."),
        ("2019-12-05T10:00.", "2019-12-05 T 10:00 ."),
        ("1997/03/09", "1997/03/09"),
        ("12/05/2019,", "12/05/2019 ,"),
        ("31.12.2002", "31.12.2002"),
        ("6:30 pm.", "6:30 pm ."),
        ("6:30pm.", "6:30 pm ."),
        ("11:05P.M.", "11:05 P.M."),
        ("10pM", "10pM"),
        ("$42,000", "$ 42,000"),
        ("€1,250.50", "€ 1,250.50"),
        ("US$3.5 million", "US$ 3.5 million"),
        ("50%", "50 %"),
        ("12.5 %", "12.5 %"),
        ("-5 °C", "-5 ° C"),
        ("20ºC", "20 º C"),
        ("20 ºC", "20 º C"),
        ("98.6°F.", "98.6 ° F ."),
        ("68℉", "68 ℉"),
        ("5-1", "5 - 1"),
        ("21–14", "21 – 14"),
    ],
)
def test_dates_times_and_amounts_split_as_in_graph_banks(text: str, tokens: str) -> None:
    assert split_text(text) == tuple(tokens.split())


@pytest.mark.parametrize(
    ("text", "token", "lemma"),
    [
        ("It costs $5 .", "$", "dollar"),
        ("It costs €5 .", "€", "euro"),
        ("It costs £5 .", "£", "pound"),
        ("It costs US$5 .", "US$", "dollar"),
        ("It is 5 °C .", "°", "degree"),
        ("It is 5 ºC .", "º", "degree"),
    ],
)
def test_signs_of_units_have_the_unit_as_their_lemma(text: str, token: str, lemma: str) -> None:
    """COPY made ``(x / $)`` of them."""
    assert lemma_of(tokenize(text), token) == lemma


def test_contractions_are_split_whatever_sign_their_apostrophe_is(cases: dict[str, Any]) -> None:
    case = cases["c68"]
    tokens = tuple(case["expected"]["tokens_with_plain_apostrophe"])
    for text in case["input"]["sentences"]:
        sentence = tokenize(text)
        missing = "dont" in text
        assert sentence.tokens == (("They", "do", "nt", "sleep", ".") if missing else tokens)
        assert sentence.lemmas[2] == "not"
        assert sentence.text == text
        shown = "".join(text[slice(*offset)] for offset in token_offsets(sentence)[1:3])
        assert shown == text[5:].split(" ")[0]


@pytest.mark.parametrize(
    "sign", "´ ʼ ′ ‘ ’ ` ＇ \x91 \x92 &apos; &#39; &#x27; &rsquo; \\'".split(" ")
)
@pytest.mark.parametrize(
    "text",
    [
        "She's sure WE'LL come.",
        "It isn't Ann O'Neil's, y'all.",
        "I 'm sure they 've let 'em go.",
        "'Twas in the '90s",
    ],
)
def test_every_apostrophe_splits_as_the_plain_one(text: str, sign: str) -> None:
    if sign == "\\'":
        text = re.sub(r"(?<!\w)'", "", text)
    written = text.replace("'", sign)
    sentence, plain = tokenize(written), tokenize(text)
    assert (sentence.tokens, sentence.lemmas) == (plain.tokens, plain.lemmas)
    assert sentence.text == written


@pytest.mark.parametrize(
    ("text", "tokens", "lemmas"),
    [
        ("THEY DON'T SLEEP.", "THEY DO N'T SLEEP .", "they do not sleep ."),
        ("THEY DONT SLEEP.", "THEY DO NT SLEEP .", "they do not sleep ."),
        ("WE’LL SAY IT ISN´T.", "WE 'LL SAY IT IS N'T .", "we will say it be not ."),
        ("Youre sure theyll go, im not.", "You re sure they ll go , i m not .",
         "you be sure they will go , i be not ."),
        ("THE WANT OF ANTS, CANTON", "THE WANT OF ANTS , CANTON", "the want of ant , canton"),
        ("a 21 nt probe, 5 m re: it", "a 21 nt probe , 5 m re : it",
         "a 21 nucleotide probe , 5 m re : it"),
    ],
)  # fmt: skip
def test_contractions_are_split_in_capitals_and_without_their_apostrophe(
    text: str, tokens: str, lemmas: str
) -> None:
    """The negation of "DON'T" was lost in one token."""
    sentence = tokenize(text)
    assert " ".join(sentence.tokens) == tokens
    assert " ".join(sentence.lemmas) == lemmas


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("He left -LRB- early -RRB- .", "He left ( early ) ."),
        ("-LSB- sic -RSB-, -LCB-x-RCB-", "[ sic ] , { x }"),
        ("-lrb-early-rrb-", "( early )"),
        ("He said `` no '' .", 'He said " no " .'),
        ("the LRB-gene", "the LRB - gene"),
    ],
)
def test_signs_of_the_penn_treebank_are_read_as_they_stand_for(text: str, tokens: str) -> None:
    """Case c60: a bracket became the concept ``lrb``."""
    sentence = tokenize(text)
    assert " ".join(sentence.tokens) == tokens
    shown = [text[slice(*offset)] for offset in token_offsets(sentence)]
    assert "".join(shown) == text.replace(" ", "")
    given = ["-LRB-", "``", "no", "''", "-RRB-"]
    assert sentence_from_tokens(given).tokens == ("(", '"', "no", '"', ")")


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("He said `no´ .", "He said ` no ' ."),
        ("He said ‘no’ .", "He said ‘ no ’ ."),
        ("the letter ´d´, ′s′", "the letter ´ d ' , ′s′"),
        ("``quoted'' text", '" quoted " text'),
        ("5'' of the 3'' end, it''s", "5 '' of the 3 '' end , it ' 's"),
        ("5′ of the 3′-end", "5′ of the 3′-end"),
        ("the dogsʼ bowl, the dogs´ bowl", "the dogs ' bowl , the dogs ' bowl"),
    ],
)
def test_quotation_marks_and_feet_are_no_apostrophes(text: str, tokens: str) -> None:
    assert " ".join(split_text(text)) == tokens


def test_entities_are_decoded_for_splitting() -> None:
    sentence = tokenize("Tom&nbsp;&amp; x&lt;sup&gt;2&lt;/sup&gt; &bogus; caf&eacute;")
    assert " ".join(sentence.tokens) == "Tom & x <sup> 2 </sup> & bogus ; café"
    shown = [sentence.text[start:end] for start, end in token_offsets(sentence)]
    assert shown[:2] == ["Tom", "&amp;"]
    assert shown[-1] == "caf&eacute;"


def test_accents_of_their_own_are_composed(cases: dict[str, Any]) -> None:
    case = cases["c69"]
    for pair, tokens in zip(
        case["input"]["pairs"], case["expected"]["tokens_of_pairs"], strict=True
    ):
        one, other = tokenize(pair["composed"]), tokenize(pair["decomposed"])
        assert one.tokens == other.tokens == tuple(tokens)
        assert one.lemmas == other.lemmas
        assert other.text == pair["decomposed"]
        shown = [other.text[start:end] for start, end in token_offsets(other)]
        assert " ".join(shown) == other.text


@pytest.mark.parametrize("text", ["한국", "x\u0302y", "Việt Nam", "\u0301a", "ঢোকা"])
def test_every_script_is_composed_as_unicode_says(text: str) -> None:
    decomposed = unicodedata.normalize("NFD", text)
    assert plain_text(decomposed).text == unicodedata.normalize("NFC", text)
    assert tokenize(decomposed).tokens == tokenize(text).tokens


def test_id_is_one_word_in_any_case(cases: dict[str, Any]) -> None:
    case = cases["c69"]
    for text, tokens in zip(case["input"]["sentences"], case["expected"]["tokens"], strict=True):
        assert tokenize(text).tokens == tuple(tokens)
        assert tokenize(text).lemmas[3] == "id"
    assert split_text("his id, (Id) my-id, on Wed. I'd") == (
        *"his id , ( Id ) my - id , on Wed . I 'd".split(),
    )
    assert split_text("They wed in May; we'd wed.") == tuple(
        "They wed in May ; we 'd wed .".split()
    )


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("20%–30%", "20 % – 30 %"),
        ("20%-30%", "20 % - 30 %"),
        ("$5–$10", "$ 5 – $ 10"),
        ("5%/year", "5 % / year"),
    ],
)
def test_amounts_with_their_signs_are_split_at_a_dash(text: str, tokens: str) -> None:
    """Neighbours of c71."""
    assert split_text(text) == tuple(tokens.split())


def test_an_emoji_with_its_signs_is_one_token(cases: dict[str, Any]) -> None:
    case = cases["c70"]
    for text, tokens in zip(case["input"]["sentences"], case["expected"]["tokens"], strict=True):
        assert split_text(text) == tuple(tokens)


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("yes🇫🇷🇩🇪no", "yes 🇫🇷 🇩🇪 no"),
        ("1️⃣, #️⃣.", "1️⃣ , #️⃣ ."),
        ("👍👍🏿ok", "👍 👍🏿 ok"),
        ("(👨‍👩‍👧‍👦)", "( 👨‍👩‍👧‍👦 )"),
        ("🏴\U000e0067\U000e0062\U000e007f!", "🏴\U000e0067\U000e0062\U000e007f !"),
        ("no \ufe0f sign \u200d", "no sign"),
        ("→ a→b ★", "→ a→b ★"),
    ],
)
def test_emoji_end_where_the_next_begins(text: str, tokens: str) -> None:
    assert " ".join(split_text(text)) == tokens


def test_given_tokens_get_their_plain_form() -> None:
    sentence = sentence_from_tokens(["They", "do", "n´t", "like", "Zoe\u0308"])
    assert sentence.tokens == ("They", "do", "n't", "like", "Zoë")
    assert sentence.lemmas[2] == "not"
    odd = sentence_from_tokens(["a", "&nbsp;", "n´t"])
    assert odd.tokens == ("a", "&nbsp;", "n´t")


@pytest.mark.parametrize(("sign", "times"), [("x", 5), ("(", 1), (".", 1), ("\u0301", 1)])
def test_a_long_text_without_a_blank_takes_no_time_that_grows_with_its_square(
    sign: str, times: int
) -> None:
    tokenize("She left.")  # loads what has to be
    remarks_on("She left.")

    def read(size: int) -> None:
        text = "e" + sign * (times * size)
        assert "".join(tokenize(text).tokens) == plain_text(text).text
        remarks_on(text)

    assert growth(read, 5_000, 20_000) < 10  # with the square it would be 16
