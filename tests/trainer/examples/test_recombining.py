"""Parts of gold sentences in each other's places."""

from aptcore.alignment.aligner import align
from aptcore.graph.checks import rooted_triples
from aptcore.graph.penman import format_penman, parse_penman
from aptcore.oracle.oracle import oracle_actions
from aptcore.oracle.report import checked_replay
from aptcore.words.tokens import tokenize
from trainer.examples.recombining import exchanged, kind_of, parts_of, recombined

PAIRS = [
    ("Yesterday Ada met the old baker.", "(m / meet-02 :ARG0 (p / person :name (n / name :op1 "
     "\"Ada\")) :ARG1 (b / baker :mod (o / old)) :time (y / yesterday))"),
    ("Today the mayor met a tall clever judge from Lima.", "(m / meet-02 :ARG0 (m2 / mayor) :ARG1 "
     "(j / judge :mod (t / tall) :mod (c / clever) :source (c2 / city :name (n / name :op1 "
     "\"Lima\"))) :time (t2 / today))"),
    ("The boy wants to sleep.", "(w / want-01 :ARG0 (b / boy) :ARG1 (s / sleep-01 :ARG0 b))"),
]  # fmt: skip


def pairs():
    made = []
    for number, (text, penman) in enumerate(PAIRS):
        sentence = tokenize(text, str(number))
        made.append((sentence, align(sentence, parse_penman(penman))))
    return made


def words_of(part):
    return " ".join(part.pair[0].tokens[part.start : part.stop])


def test_parts_are_words_side_by_side_that_hang_on_one_edge() -> None:
    first, second, third = pairs()
    assert {words_of(part) for part in parts_of(first)} == {"Ada", "the old baker", "old"}
    assert "a tall clever judge from Lima" in {words_of(part) for part in parts_of(second)}
    assert not list(parts_of(third))  # the boy is in both clauses, and at the sentence's head


def test_a_part_stands_in_the_place_of_another_with_its_graph() -> None:
    (sentence, graph), other, _ = pairs()
    old = next(p for p in parts_of((sentence, graph)) if words_of(p) == "the old baker")
    new = next(p for p in parts_of(other) if words_of(p).startswith("a tall"))
    made, built = exchanged(old, new, "r")
    assert made.text == "Yesterday Ada met a tall clever judge from Lima."
    assert made.tokens == tokenize(made.text).tokens
    assert made.lemmas == tokenize(made.text).lemmas
    expected = parse_penman(
        '(m / meet-02 :ARG0 (p / person :name (n / name :op1 "Ada")) :ARG1 (j / judge :mod '
        '(t / tall) :mod (c / clever) :source (c2 / city :name (n2 / name :op1 "Lima"))) '
        ":time (y / yesterday))"
    )
    assert len(rooted_triples(built)) == len(rooted_triples(expected))
    for node in built.nodes:
        lemmas = {made.lemmas[place] for place in built.alignments[node.id].tokens}
        assert node.concept.split("-")[0] in lemmas | {"person", "city", "name"}
    result = oracle_actions(made, built, "exact")
    checked_replay(made, built, result, "exact")
    assert parse_penman(format_penman(built)).root == "m"


def test_only_parts_of_one_kind_are_exchanged() -> None:
    kinds = {words_of(part): kind_of(part) for pair in pairs() for part in parts_of(pair)}
    assert kinds["Ada"] != kinds["Lima"]
    assert kinds["old"] != kinds["the old baker"]


def test_the_same_pairs_give_the_same_new_sentences() -> None:
    text = [("Now Ada saw the dog.", "the dog"), ("Now Ada saw the old cat.", "the old cat")]
    penman = (
        '(s / see-01 :ARG0 (p / person :name (n / name :op1 "Ada")) :ARG1 (d / {}) :time (o / now))'
    )
    made = []
    for sentence, noun in text:
        concept = noun.split()[-1] + (" :mod (o2 / old)" if "old" in noun else "")
        tokens = tokenize(sentence)
        made.append((tokens, align(tokens, parse_penman(penman.format(concept)))))
    made.append((tokenize("Once Bo saw the dog."), align(
        tokenize("Once Bo saw the dog."),
        parse_penman('(s / see-01 :ARG0 (p / person :name (n / name :op1 "Bo")) :ARG1 (d / dog) '
                     ":time (o / once))"))))  # fmt: skip
    found = [sentence.text for sentence, _ in recombined(made, 20)]
    assert found == [sentence.text for sentence, _ in recombined(made, 20)]
    assert "Once Bo saw the old cat." in found
    assert len(set(found)) == len(found)
    assert not {tokens.text for tokens, _ in made} & set(found)
    assert not list(recombined(made, 0))
