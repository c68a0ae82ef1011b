"""PropBank's examples: read, put on tokens and graphs, and held by guided parses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from aptcore.errors import TrainingError
from aptcore.graph.amr import Alignment, AmrGraph
from aptcore.graph.checks import triples
from aptcore.graph.penman import parse_penman
from aptcore.neural.parser import AptParser
from aptcore.words.tokens import tokenize
from benchmarks.propbank import counts_of, scores_of
from trainer.annotating.chunks import ModelAnnotator, Request
from trainer.annotating.guided import guided_parses, head_of, is_held, said_of
from trainer.annotating.lines import Line
from trainer.annotating.propbank import (
    Example,
    example_lines,
    example_of,
    is_held_out,
    marks_of,
)
from trainer.annotating.sources import examples_of

TEXT = "The old dog chased the cat yesterday ."


def line(text: str = TEXT, roleset: str = "chase.01", rel: str = "chased", **args: str) -> str:
    """An example whose spans are found by their words."""
    spans = [
        {"role": role, "start": text.index(words), "end": text.index(words) + len(words)}
        for role, words in args.items()
    ]
    rels = [[text.index(word), text.index(word) + len(word)] for word in rel.split()]
    return json.dumps({"id": "x.1", "text": text, "roleset": roleset, "rel": rels, "args": spans})


CHASE = line(ARG0="The old dog", ARG1="the cat", **{"ARGM-TMP": "yesterday"})


def marks(text: str = CHASE):
    example = example_of(text)
    return marks_of(example, tokenize(example.text))


def graph(text: str, **tokens: int) -> AmrGraph:
    """A graph whose nodes are aligned to one token each, by variable."""
    found = parse_penman(text)
    aligned = {name: Alignment((token,), "test") for name, token in tokens.items()}
    return AmrGraph(found.nodes, found.attributes, found.edges, found.root, aligned)


WRONG = graph(
    "(c / chase-02 :ARG1 (d / dog :mod (o / old)) :ARG0 (y / yesterday) :ARG2 (c2 / cat))",
    c=3, d=2, o=1, y=6, c2=5,
)  # fmt: skip


def test_an_example_has_its_frame_and_numbered_roles_on_our_tokens() -> None:
    found = example_of(CHASE)
    assert found.frame == "chase-01"
    assert [role for role, _ in found.arguments] == [":ARG0", ":ARG1"]
    said = marks()
    assert said.predicate == {3}
    assert dict(said.arguments) == {":ARG0": {0, 1, 2}, ":ARG1": {4, 5}}
    assert example_of(line(roleset="add_up.04")).frame == "add-up-04"


def test_the_graph_is_changed_to_what_people_said_and_hangs_together() -> None:
    said = said_of(WRONG, marks())
    assert said is not None
    changed, kept = said
    assert kept == {("c", ":instance", "chase-01"), ("c", ":ARG0", "d"), ("c", ":ARG1", "c2")}
    assert set(triples(changed)) == {
        *kept, ("d", ":instance", "dog"), ("d", ":mod", "o"), ("o", ":instance", "old"),
        ("c", ":mod", "y"), ("y", ":instance", "yesterday"), ("c2", ":instance", "cat"),
    }  # fmt: skip
    assert is_held(changed, marks())
    assert not is_held(WRONG, marks())


def test_the_head_comes_first_on_the_way_from_the_root() -> None:
    dog = marks().arguments[0][1]
    assert head_of(WRONG, dog, "c") == "d"
    below = graph("(c / chase-02 :ARG1 (o / old :domain (d / dog)))", c=3, d=2, o=1)
    assert head_of(below, dog, "c") == "o"


@pytest.mark.parametrize(
    "text",
    ["(d / dog :mod (o / old))", "(c / chase-01 :ARG0 (d / dog))"],
    ids=["no predicate", "no second argument"],
)
def test_without_a_node_for_what_was_said_nothing_is_made(text: str) -> None:
    assert (
        said_of(graph(text, **{"c": 3, "d": 2} if "chase" in text else {"d": 2}), marks()) is None
    )


def test_a_pronoun_without_a_node_may_be_any_other() -> None:
    text = "The dog bit himself ."
    said = marks(line(text, "bite.01", "bit", ARG0="The dog", ARG1="himself"))
    assert said.pronouns == {":ARG1"}
    bitten = graph("(b / bite-01 :ARG0 (d / dog) :ARG1 d)", b=2, d=1)
    assert is_held(bitten, said)
    assert not is_held(graph("(b / bite-01 :ARG0 (d / dog))", b=2, d=1), said)
    found = said_of(bitten, said)
    assert found is not None
    assert found[1] == {("b", ":instance", "bite-01"), ("b", ":ARG0", "d")}


def test_frames_that_no_list_or_amr_has_and_held_out_sentences_are_left_out(
    tmp_path: Path,
) -> None:
    path = tmp_path / "examples.jsonl"
    names = [f"n{number}" for number in range(200)]
    lines = [
        json.dumps(
            {"id": name, "text": f"He left {name}", "roleset": "leave.11", "rel": [], "args": []}
        )
        for name in names
    ]
    held = [name for name in names if is_held_out(name)]
    assert 8 <= len(held) <= 35
    again = json.dumps({**json.loads(lines[names.index(held[0])]), "id": names[0]})
    odd = [line(roleset=roleset) for roleset in ("chase.77", "chase.01")]
    path.write_text("\n".join([*lines, again, *odd]) + "\n")
    taken = example_lines(path)
    assert taken == [text for text, name in zip(lines, names, strict=True) if name not in held] + [
        odd[1]
    ]
    assert [json.loads(text)["id"] for text in example_lines(path, held_out=True)] == held
    (tmp_path / "rolesets.tsv").write_text("amr_concept\tin_amr_2019\nleave-11\t+\nchase-01\t-\n")
    assert example_lines(path) == taken[:-1]
    ids, texts = examples_of([path], print)
    assert (len(ids), texts) == (len(texts), taken[:-1])
    path.write_text('{"id": 1}\n')
    with pytest.raises(TrainingError, match=r"cannot read .*examples\.jsonl"):
        example_lines(path)


def test_without_a_guide_that_can_be_followed_no_graph_is_used(untrained_model: Path) -> None:
    annotator = ModelAnnotator.load(Request((untrained_model,), 1, guided=True), "cpu")
    impossible = line("The dog barked .", "bark.01", "barked", ARG0="The dog", ARG1="The dog")
    texts = [impossible, line("--", "bark.01", "--")]
    chunk = annotator.annotate([Line(str(n), text) for n, text in enumerate(texts, 1)])
    assert chunk.blocks == ""
    assert chunk.counts["unfollowed"] == 2


def test_guided_parses_of_the_shipped_model_hold_what_people_said() -> None:
    said: dict[str, Example] = {}
    for sense in ("chase-01", "chase-02"):  # the second is none that the model would choose
        example = example_of(CHASE)
        said[sense] = Example(sense, TEXT, sense, example.predicate, example.arguments)
    swapped = [
        (":ARG1", said["chase-01"].arguments[0][1]),
        (":ARG0", said["chase-01"].arguments[1][1]),
    ]
    said["swapped"] = Example(
        "swapped", TEXT, "chase-01", said["chase-01"].predicate, tuple(swapped)
    )
    parses = guided_parses(AptParser.from_pretrained(device="cpu"), list(said.values()), 1)
    for (parse, held), example in zip(parses, said.values(), strict=True):
        assert held, example.id
        assert not parse.repairs
        found = marks_of(example, parse.sentence)
        assert scores_of(counts_of(parse.graph, found))["F1"] == 1.0
        assert counts_of(parse.graph, found)["senses"] == 1


def test_senses_and_arguments_are_counted() -> None:
    counts = counts_of(WRONG, marks())
    assert counts == {"sentences": 1, "marked": 2, "found": 3, "senses": 0, "right": 0}
    right = graph("(c / chase-01 :ARG0 (d / dog) :ARG2 (c2 / cat))", c=3, d=2, c2=5)
    assert scores_of(counts_of(right, marks())) == {
        "sentences": 1, "sense accuracy": 1.0, "precision": 0.5, "recall": 0.5, "F1": 0.5,
    }  # fmt: skip
    assert counts_of(graph("(d / dog)", d=2), marks()) == {"sentences": 1, "marked": 2}
