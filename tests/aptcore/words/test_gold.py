"""Records of a file become sentences with graphs aligned to our tokens."""

from __future__ import annotations

import unicodedata

from aptcore.alignment.aligner import align
from aptcore.graph.corpus import read_corpus
from aptcore.oracle.oracle import oracle_actions
from aptcore.transition.actions import format_action
from aptcore.words.gold import gold_items, positions_in

ISI = """# ::id one
# ::tok a T @-@ cell grows
# ::alignments 1-1.1.1.1 3-1.1 4-1
(g / grow-01
   :ARG1 (c / cell
      :name (n / name
         :op1 "T")))
"""


def test_given_alignments_are_carried_over_to_our_tokens() -> None:
    items, problems = gold_items(read_corpus("file", text=ISI))
    assert not problems
    (item,) = items
    assert item.sentence.tokens == ("a", "T", "-", "cell", "grows")
    words = {
        key: [item.sentence.tokens[p] for p in alignment.tokens]
        for key, alignment in item.graph.alignments.items()
    }
    assert words["g"] == ["grows"]
    assert words["c"] == ["cell"]


def test_one_given_token_can_be_several_of_ours() -> None:
    text = "# ::snt a US-based firm\n# ::alignments 1-1.1\n(f / firm :ARG1-of (b / base-01))"
    (item,), _ = gold_items(read_corpus("file", text=text))
    assert item.sentence.tokens == ("a", "US", "-", "based", "firm")
    assert item.graph.alignments["b"].tokens == (1, 2, 3)


def test_alignments_count_tokens_that_spell_an_apostrophe_another_way() -> None:
    text = (
        "# ::snt Zoe\u0308 can´t sleep.\n# ::tok Zoë ca n't sleep .\n"
        "(p / possible-01~1 :polarity -~2 :ARG1 (s / sleep-01~3))"
    )
    (item,), _ = gold_items(read_corpus("file", text=text))
    assert item.sentence.tokens == ("Zoë", "ca", "n't", "sleep", ".")
    assert {key: found.tokens for key, found in item.graph.alignments.items()} == {
        "p": (1,),
        "p:polarity": (2,),
        "s": (3,),
    }


def test_accents_of_their_own_give_the_same_alignments_and_actions() -> None:
    composed = (
        '# ::snt Zoë saw São Paulo\n(s / see-01 :ARG0 (p / person :name (n / name :op1 "Zoë"))\n'
        ' :ARG1 (c / city :name (n2 / name :op1 "São" :op2 "Paulo")))'
    )
    found = []
    for text in (composed, unicodedata.normalize("NFD", composed)):
        (item,), _ = gold_items(read_corpus("file", text=text))
        graph = align(item.sentence, item.graph)
        actions = oracle_actions(item.sentence, graph).actions
        found.append((graph.alignments, [format_action(action) for action in actions]))
    assert found[0] == found[1]
    assert not any('"' in action for action in found[1][1])


def test_records_that_cannot_be_used_are_reported_with_their_line() -> None:
    text = (
        "# ::id a\n# ::snt Go\n(g / go-02)\n\n# ::id b\n# ::snt No\n(n / no\n\n# ::id c\n(x / y)\n"
    )
    items, problems = gold_items(read_corpus("file", text=text))
    assert [item.sentence.id for item in items] == ["a"]
    assert [(problem.line, problem.id) for problem in problems] == [(5, "b"), (9, "c")]


def test_a_record_without_an_id_is_named_by_its_number() -> None:
    text = "# ::snt Go\n(g / go-02)\n\n# ::snt Come\n(c / come-01)\n"
    items, _ = gold_items(read_corpus("file", text=text))
    assert [item.sentence.id for item in items] == ["1", "2"]


def test_an_empty_range_of_characters_holds_no_token() -> None:
    assert positions_in([(0, 3), (4, 6)], (3, 3)) == ()
    assert positions_in([(0, 3), (4, 6)], (2, 5)) == (0, 1)


def test_made_up_roles_are_kept_out_of_training(cases) -> None:
    """Case c33: a machine's ``:`` and ``:null_edge`` are named and left aside."""
    blocks = [f"# ::snt x y z\n{graph}\n" for graph in cases["c33"]["input"]["penman"][1:]]
    items, problems = gold_items(read_corpus("c33.txt", text="\n".join(blocks)))
    assert not items
    assert ["':'" in problems[0].message, "':null_edge'" in problems[1].message] == [True, True]
