"""Score a parser on GrAPES: ``python -m benchmarks.grapes GRAPES [--parsed FILE]``.

GRAPES holds gold graphs of the challenge set with ``::id``; the category follows from the
id. Its sentences are parsed by the shipped model, or ``--parsed`` gives a graph for each, in
the same order. A line for each measure of each category, then the mean of each set over what
was measured. Two categories (Winograd, unseen edges) have their targets in tables that are
no part of the file, and are left out.

Source: Groschwitz and others 2023, GrAPES; the metrics are those of the paper.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from aptcore.graph.amr import AmrGraph
from aptcore.graph.corpus import Record, read_corpus, sentence_text
from aptcore.graph.wiki import linker_of, with_wiki
from aptcore.neural.checkpoint import shipped_model
from aptcore.neural.parser import AptParser

SETS = {
    3: "Structural generalisation",
    4: "Rare and unseen words",
    7: "Lexical disambiguations",
    8: "Edge attachments",
}
CATEGORIES = (
    (3, "Nested control and coordination", "exact", "nested_control"),
    (3, "Multiple adjectives", "exact", "adjectives"),
    (3, "Centre embedding", "exact", "centre_embedding"),
    (3, "CP recursion", "exact", "deep_recursion_basic"),
    (3, "CP recursion + coreference", "exact", "deep_recursion_pronouns deep_recursion_3s"),
    (3, "CP recursion + relative clause (RC)", "exact", "deep_recursion_rc"),
    (3, "CP recursion + RC + coreference", "exact", "deep_recursion_rc_contrastive_coref"),
    (3, "Long lists", "list", "long_lists"),
    (4, "Unseen predicate senses (excl. -01)", "sense", "unseen_senses_new_sentences"),
    (7, "Word ambiguities (handcrafted)", "word", "word_disambiguation"),
    (7, "Word ambiguities (Karidi et al.)", "relation", "berts_mouth"),
    (8, "PP attachment", "attachment", "see_with read_by bought_for keep_from give_up_in"),
)
"""Set, name, how it is scored, and the beginnings of its ids."""

CHECK = "_sanity_check"

REIFIED = {
    ":accompanier": (("accompany-01",), ":ARG0", ":ARG1"),
    ":age": (("age-01",), ":ARG1", ":ARG2"),
    ":beneficiary": (("benefit-01",), ":ARG0", ":ARG1"),
    ":cause": (("cause-01",), ":ARG0", ":ARG1"),
    ":concession": (("have-concession-91",), ":ARG1", ":ARG2"),
    ":destination": (("be-destined-for-91",), ":ARG1", ":ARG2"),
    ":example": (("exemplify-01",), ":ARG0", ":ARG1"),
    ":extent": (("have-extent-91",), ":ARG1", ":ARG2"),
    ":instrument": (("have-instrument-91",), ":ARG1", ":ARG2"),
    ":location": (("be-located-at-91",), ":ARG1", ":ARG2"),
    ":manner": (("have-manner-91",), ":ARG1", ":ARG2"),
    ":poss": (("own-01", "have-03"), ":ARG1", ":ARG0"),
    ":purpose": (("have-purpose-91",), ":ARG1", ":ARG2"),
    ":source": (("be-from-91",), ":ARG1", ":ARG2"),
    ":time": (("be-temporally-at-91",), ":ARG1", ":ARG2"),
}
"""Roles and the predicates that say the same, with the arguments where the role starts and ends."""

PREPOSITIONS = {
    "see_with": ((":poss", ":instrument"), {}),
    "read_by": ((":time", ":manner"), {"author-01": (":ARG0", ":ARG1")}),
    "bought_for": ((":purpose", ":ARG3"), {}),
    "keep_from": ((":source", ":ARG2"), {}),
    "give_up_in": ((":time", ":topic"), {"cause-01": (":ARG0", ":ARG1")}),
}
"""What the preposition of a template may mean: roles, and predicates with two arguments."""

RELATIONS = {
    ":purpose": "have-purpose-91",
    ":beneficiary": "benefit-01",
    ":duration": "last-01",
    ":topic": "concern-02",
    ":accompanier": "accompany-01",
    ":manner": "have-manner-91",
    ":instrument": "have-instrument-91",
    ":location": "be-located-at-91",
    ":time": "be-temporally-at-91",
}
"""Of the sentences of Karidi and others; the first that the gold graph has counts."""

WORD_RELATIONS = {
    ":time": "be-temporally-at-91",
    ":location": "be-located-at-91",
    ":quant": "have-quant-91",
    ":degree": "have-degree-91",
}
FIRST_NEW_MEMBER = 20
"""The training part of AMR 3.0 goes up to ``:op19``."""


def lemma(label: str) -> str:
    """Give a label without its sense; as GrAPES has it, ``-07`` need not stand at the end."""
    return label[:-3] if re.match(r".*-[0-9][0-9]", label) else label


class View:
    """A graph as maps by variable: labels, constants with their roles, edges out and in."""

    def __init__(
        self,
        labels: Mapping[str, str],
        constants: Mapping[str, Sequence[tuple[str, str]]],
        edges: Sequence[tuple[str, str, str]],
        top: str,
    ) -> None:
        self.labels, self.constants, self.edges, self.top = labels, constants, edges, top
        self.out: dict[str, list[tuple[str, str]]] = defaultdict(list)
        self.into: dict[str, list[tuple[str, str]]] = defaultdict(list)
        self.between: Counter[tuple[str, str]] = Counter()
        for source, role, target in edges:
            self.out[source].append((role, target))
            self.into[target].append((role, source))
            self.between[source, target] += 1
            self.between[target, source] += 1

    @classmethod
    def of(cls, graph: AmrGraph) -> View:
        """Read a graph."""
        constants: dict[str, list[tuple[str, str]]] = defaultdict(list)
        for attribute in graph.attributes:
            constants[attribute.source].append((attribute.role, attribute.value.replace('"', "")))
        labels = {node.id: node.concept for node in graph.nodes}
        return cls(labels, constants, [edge.triple for edge in graph.edges], graph.root)

    def tree_without(self, edge: tuple[str, str, str]) -> View:
        """Give what hangs at an edge's target, without the edge, as a tree found depth first.

        Edges out come before edges in; a second way to a node already met does not count.
        """
        edges = list(self.edges)
        edges.remove(edge)
        rest = View(self.labels, self.constants, edges, self.top)
        met, kept = {edge[2]}, []

        def walk(node: str) -> None:
            for role, target in rest.out[node]:
                if target not in met:
                    met.add(target)
                    kept.append((node, role, target))
                    walk(target)
            for role, source in rest.into[node]:
                if source not in met:
                    met.add(source)
                    kept.append((source, role, node))
                    walk(source)

        walk(edge[2])
        return View({node: self.labels[node] for node in met}, self.constants, kept, edge[2])

    def holds(self, part: View) -> bool:
        """Tell whether another graph's nodes can be mapped into this one, edges kept.

        Senses, roles and directions do not count, and two nodes may go to one.
        """
        order = [part.top]  # breadth first, so that each node hangs on an earlier one
        for node in order:
            for _, other in part.out[node] + part.into[node]:
                if other not in order:
                    order.append(other)

        def fits(node: str, here: str) -> bool:
            values = {value for _, value in self.constants.get(here, ())}
            wanted = {value for _, value in part.constants.get(node, ())}
            return lemma(part.labels[node]) == lemma(self.labels[here]) and wanted <= values

        def extend(place: int, mapping: Mapping[str, str]) -> bool:
            if place == len(order):
                return all(
                    number <= self.between[mapping[a], mapping[b]]
                    for (a, b), number in part.between.items()
                )
            node = order[place]
            near = {other for _, other in part.out[node] + part.into[node]} & set(mapping)
            return any(
                extend(place + 1, {**mapping, node: here})
                for here in self.labels
                if fits(node, here) and all(self.between[here, mapping[o]] for o in near)
            )

        return extend(0, {})

    def equals(self, other: View) -> bool:
        """Tell whether two graphs are the same but for senses, roles, directions and the root."""
        return self.holds(other) and other.holds(self)

    def shows(self, role: str, predicate: str) -> bool:
        """Tell whether a relation is there, as a role or as a predicate."""
        return any(r == role for _, r, _ in self.edges) or predicate in self.labels.values()

    def members(self) -> list[tuple[str, str, str]]:
        """Give the edges to members of lists."""
        return [edge for edge in self.edges if re.match(r":op[0-9]+", edge[1])]


@dataclass(frozen=True)
class Item:
    """A gold graph with the parsed one, and what its metadata say."""

    id: str
    gold: View
    parsed: View
    metadata: Mapping[str, str]


@dataclass
class Score:
    """Right and all of one measure."""

    right: int = 0
    all: int = 0

    @property
    def share(self) -> float:
        """Percent that is right."""
        return 100 * self.right / self.all if self.all else 0.0


@dataclass
class Row:
    """A measure of a category; ``counts`` says whether it is in the mean of its set."""

    number: int
    title: str
    sentences: int
    measure: str
    counts: bool
    score: Score = field(default_factory=Score)


Found = Iterator[tuple[str, int, int]]
"""Measure, how many are right and of how many."""


def _exact(item: Item) -> Found:
    yield "Exact match", item.gold.equals(item.parsed), 1


def _list(item: Item) -> Found:
    gold, parsed = item.gold, item.parsed
    wanted, found = gold.members(), parsed.members()
    parts = [parsed.tree_without(edge) for edge in found]
    hits = sum(any(gold.tree_without(edge).equals(part) for part in parts) for edge in wanted)
    yield "Conjunct recall", hits, len(wanted)
    yield "Conjunct precision", hits, len(found)
    new = [
        Counter(role for _, role, _ in edges if int(role[3:]) >= FIRST_NEW_MEMBER)
        for edges in (wanted, found)
    ]
    yield "Unseen :opi recall", (new[0] & new[1]).total(), new[0].total()


def _sense(item: Item) -> Found:
    labels, sense = list(item.parsed.labels.values()), item.metadata["sense"]
    yield "Label recall", sense in labels, 1
    yield "Prerequisites", lemma(sense) in map(lemma, labels), 1


def _word(item: Item) -> Found:
    parsed = item.parsed
    role, _, wanted = item.metadata["label"].partition(" ")
    if not role.startswith(":"):
        yield "Recall", role in parsed.labels.values(), 1
    elif not wanted:
        yield "Recall", parsed.shows(role, WORD_RELATIONS[role]), 1
    else:
        ends = [target for _, r, target in parsed.edges if r == role]
        yield "Recall", wanted in {parsed.labels[end] for end in ends}, 1


def _relation(item: Item) -> Found:
    gold, parsed = item.gold, item.parsed
    wanted = next((pair for pair in RELATIONS.items() if gold.shows(*pair)), None)
    if wanted:
        yield "Recall", parsed.shows(*wanted), 1
    else:
        yield "Recall", gold.labels[gold.top] in parsed.labels.values(), 1


def _attachment(item: Item) -> Found:
    gold = item.gold
    roles, predicates = PREPOSITIONS[item.id.rsplit("_", 1)[0]]
    edges = [edge for edge in gold.edges if edge[1] in roles]
    nodes = [node for node, label in gold.labels.items() if label in predicates]
    is_cause_in_time = (
        len(nodes) == 1
        and gold.labels[nodes[0]] == "cause-01"
        and [role for _, role, _ in edges] == [":time"]
    )
    if len(nodes) == 1 and (not edges or is_cause_in_time):
        predicate = gold.labels[nodes[0]]
        first, last = predicates[predicate]
        source, target = (
            next(end for role, end in gold.out[nodes[0]] if role == one) for one in (first, last)
        )
        edge = next((role for role, (names, _, _) in REIFIED.items() if predicate in names), "")
        ways = _Ways(edge, ((predicate,), first, last), is_node_first=True)
    elif len(edges) == 1 and not nodes:
        source, role, target = edges[0]
        ways = _Ways(role, REIFIED.get(role), is_node_first=False)
    else:
        return
    ends = lemma(gold.labels[source]), lemma(gold.labels[target])
    ready, loose, right = ways.in_graph(item.parsed, *ends)
    yield "Edge recall", right, 1
    yield "Unlabelled edge recall", loose, 1
    yield "Prerequisites", ready, 1


@dataclass(frozen=True)
class _Ways:
    """The two ways to say one attachment: an edge, or a node between the two."""

    edge: str
    node: tuple[tuple[str, ...], str, str] | None
    is_node_first: bool

    def in_graph(self, graph: View, source: str, target: str) -> tuple[bool, bool, bool]:
        """Tell whether both ends are there, whether they are joined, and whether rightly."""
        lemmas = {variable: lemma(label) for variable, label in graph.labels.items()}
        if not {source, target} <= set(lemmas.values()):
            return False, False, False

        def reaches(variable: str, test: Callable[[str], object], label: str) -> bool:
            return any(test(role) and lemmas[end] == label for role, end in graph.out[variable])

        def is_argument(role: str) -> bool:
            return re.match(r":ARG[0-9]", role) is not None

        by_edge = any({source, target} == {lemmas[a], lemmas[b]} for a, _, b in graph.edges)
        by_node = any(
            reaches(one, is_argument, source) and reaches(one, is_argument, target)
            for one in lemmas
        )
        is_edge_right = any(
            (lemmas[a], role, lemmas[b]) == (source, self.edge, target)
            for a, role, b in graph.edges
        )
        is_node_right = self.node is not None and any(
            graph.labels[one] in self.node[0]
            and reaches(one, self.node[1].__eq__, source)
            and reaches(one, self.node[2].__eq__, target)
            for one in lemmas
        )
        order = [(by_edge, is_edge_right), (by_node, is_node_right)]
        if self.is_node_first:
            order.reverse()
        return True, by_edge or by_node, next((right for there, right in order if there), False)


SCORERS = {
    "exact": _exact, "list": _list, "sense": _sense,
    "word": _word, "relation": _relation, "attachment": _attachment,
}  # fmt: skip
ASIDE = ("Prerequisites", "Unlabelled edge recall")
"""Measures that are no part of a set's mean."""


def rows_of(items: Iterable[Item]) -> list[Row]:
    """Score all categories that have sentences."""
    groups: dict[str, list[Item]] = defaultdict(list)
    for item in items:
        groups[item.id.rsplit("_", 1)[0]].append(item)
    rows: list[Row] = []
    for number, title, kind, starts in CATEGORIES:
        for check in ("", CHECK) if number == 3 else ("",):
            found = [item for start in starts.split() for item in groups.get(start + check, ())]
            by_measure: dict[str, Row] = {}
            shown = title + (" / sanity check" if check else "")
            for item in found:
                for measure, right, count in SCORERS["exact" if check else kind](item):
                    counts = not check and measure not in ASIDE
                    new = Row(number, shown, len(found), measure, counts)
                    row = by_measure.setdefault(measure, new)
                    row.score.right += right
                    row.score.all += count
            rows += by_measure.values()
    return rows


def parsed_by(model: Path, records: Sequence[Record], beam: int) -> list[AmrGraph | None]:
    """Parse the sentences of records, with links of names."""
    texts = [sentence_text(record) for record in records]
    linker = linker_of([model])
    parses = AptParser.from_pretrained(model).parse(texts, beam)
    return [with_wiki(parse.graph, linker) for parse in parses]


def main() -> None:
    """Parse, score, print."""
    parser = argparse.ArgumentParser(description="Score a parser on GrAPES.")
    parser.add_argument("gold", type=Path)
    parser.add_argument("--parsed", type=Path, help="graphs in the same order; else they are made")
    parser.add_argument("--model", type=Path, help="a model folder; the shipped one if left out")
    parser.add_argument("--beam", type=int, default=5)
    arguments = parser.parse_args()
    records = [record for record in read_corpus(arguments.gold).records if record.graph]
    if arguments.parsed:
        graphs = [record.graph for record in read_corpus(arguments.parsed).records]
    else:
        graphs = parsed_by(arguments.model or shipped_model(), records, arguments.beam)
    items = [
        Item(record.metadata["id"], View.of(record.graph), View.of(graph), record.metadata)
        for record, graph in zip(records, graphs, strict=True)
        if record.graph and graph
    ]
    rows = rows_of(items)
    for row in rows:
        print(
            f"{row.number} {row.title:50} {row.sentences:4} {row.measure:24} "
            f"{row.score.share:5.1f} {row.score.right:5}/{row.score.all}"
        )
    for number, title in SETS.items():
        shares = [row.score.share for row in rows if row.number == number and row.counts]
        print(f"set {number} {title:30} {sum(shares) / max(1, len(shares)):5.1f}")


if __name__ == "__main__":
    main()
