""":wiki is learnt by counting, removed before training, and restored after the parse."""

from dataclasses import replace

import pytest

from aptcore.assets import asset_path
from aptcore.errors import CheckpointError
from aptcore.graph.amr import AmrGraph
from aptcore.graph.checks import triples
from aptcore.graph.penman import format_penman, parse_penman, without_wiki
from aptcore.graph.wiki import (
    NO_ARTICLE,
    UNLINKED,
    WIKI_FILE,
    DictionaryLinker,
    linker_of,
    named_nodes,
    shipped_linker,
    with_wiki,
)
from scripts.learn_wiki import learn_linker, save_linker


def named(concept: str, wiki: str | None, *words: str) -> AmrGraph:
    parts = " ".join(f':op{n} "{word}"' for n, word in enumerate(words, 1))
    link = "" if wiki is None else f":wiki {wiki}"
    return parse_penman(f"(x / {concept} {link} :name (n / name {parts}))")


@pytest.fixture(scope="module")
def linker() -> DictionaryLinker:
    return learn_linker(
        [
            *[named("country", '"Norway"', "Norway")] * 2,
            named("country", '"United_States"', "U.S."),
            named("country", '"Chile"', "Chile"),
            named("city", '"Paris,_Texas"', "Paris"),
            *[named("person", '"Paris_(mythology)"', "Paris")] * 2,
            named("person", "-", "Ada", "Brown"),
            named("person", "-", "Mia"),
            *[named("protein", None, name) for name in ("RAF", "MEK", "ERK")],
            named("protein", '"Insulin"', "Insulin"),
            named("book", "-", "Atlas"),
            named("book", '"Atlas_(novel)"', "Atlas"),
        ]
    )


@pytest.mark.parametrize(
    ("name", "concept", "answer"),
    [
        ("U.S.", "country", "United_States"),
        ("paris", "city", "Paris,_Texas"),
        ("Paris", "person", "Paris_(mythology)"),
        ("Paris", "ship", "Paris_(mythology)"),  # by the name alone
        ("Atlas", "book", "Atlas_(novel)"),  # of equals the title
        ("Ada Brown", "person", NO_ARTICLE),
        ("Somebody", "person", NO_ARTICLE),
        ("Unheard", "ship", NO_ARTICLE),
        ("New Land", "country", "New_Land"),  # countries have their name as the title
        ("STAT3", "protein", UNLINKED),  # proteins are mostly left without
        ("Insulin", "protein", "Insulin"),
    ],
)
def test_names_are_looked_up_with_their_concept_then_alone(linker, name, concept, answer):
    assert linker.link(name, concept) == answer


def test_names_that_their_concept_explains_are_not_kept(linker):
    assert set(linker.names) == {"u.s.", "paris", "insulin", "atlas"}


def test_a_dictionary_reads_back_and_is_the_same_every_time(linker, tmp_path):
    save_linker(linker, tmp_path / "a.json")
    again = DictionaryLinker.load(tmp_path / "a.json")
    assert again == linker
    save_linker(again, tmp_path / "b.json")
    assert (tmp_path / "a.json").read_bytes() == (tmp_path / "b.json").read_bytes()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        '{"names": {}}',
        '{"names": {"a": {"b": "c"}}, "unlinked": [], "titled": []}',
        '{"names": {"a": {"": 3}}, "unlinked": [], "titled": []}',
        '{"names": {}, "unlinked": [1], "titled": []}',
    ],
)
def test_a_damaged_dictionary_is_refused(tmp_path, text):
    (tmp_path / "a.json").write_text(text)
    with pytest.raises(CheckpointError, match=r"a\.json"):
        DictionaryLinker.load(tmp_path / "a.json")


def test_what_was_removed_is_restored(linker):
    graph = parse_penman(
        '(v / visit-01 :ARG0 (p / person :wiki - :name (n / name :op1 "Ada" :op2 "Brown"))'
        ' :ARG1 (c / country :wiki "United_States" :name (n2 / name :op1 "U.S."))'
        ' :time (d / day) :instrument (p2 / protein :name (n3 / name :op1 "MEK")))'
    )
    bare, number = without_wiki(graph)
    restored = with_wiki(bare, linker)
    assert number == 2
    links = {(a.source, a.value) for a in restored.attributes if a.role == ":wiki"}
    assert links == {("p", "-"), ("c", '"United_States"')}
    assert set(triples(parse_penman(format_penman(restored)))) == set(triples(graph))


def test_in_a_parse_the_link_is_written_before_the_name(linker):
    parsed = replace(named("country", None, "Norway"), layout=())  # a parse has no layout
    text = format_penman(with_wiki(parsed, linker))
    assert text.index(':wiki "Norway"') < text.index(":name")


def test_a_link_that_is_there_stays_and_nothing_else_changes(linker):
    graph = named("country", '"Somewhere"', "Norway")
    assert with_wiki(graph, linker) is graph
    plain = parse_penman("(b / boy :mod (o / old))")
    assert with_wiki(plain, linker) is plain


def test_ids_of_new_links_are_free(linker):
    graph = parse_penman('(c / country :name (n / name :op1 "Norway"))')
    taken = replace(graph, attributes=(replace(graph.attributes[0], id="c:wiki"),))
    restored = with_wiki(taken, linker)
    ids = [node.id for node in restored.nodes] + [item.id for item in restored.attributes]
    assert len(ids) == len(set(ids))


def test_parts_of_a_name_are_read_by_their_numbers():
    graph = parse_penman('(c / city :name (n / name :op2 "Bay" :op10 "B" :op1 3 :mod (o / old)))')
    assert named_nodes(graph) == [("c", "3 Bay B", "city")]


def test_a_model_folder_may_bring_a_dictionary_of_its_own(linker, tmp_path):
    assert linker_of([tmp_path]) == shipped_linker()
    save_linker(linker, tmp_path / WIKI_FILE)
    assert linker_of([tmp_path / "other", tmp_path]) == linker


def test_the_shipped_dictionary_is_small_and_knows_the_earth():
    assert asset_path(WIKI_FILE).stat().st_size < 100_000
    assert shipped_linker().link("Earth", "planet") == "Earth"
