"""What corrections cost on the Correct page: ``python -m benchmarks.corrections [FILE]``.

The first utterances of a gold file (Emory's training set) are parsed by the shipped model, and
each parse is corrected to its gold graph by the page's own gestures, which are applied as the
page applies them until nothing differs. Keys are those of the real key table; what the page
completes, and what it offers in the place of a part, is asked of the very functions that it
asks. Nobody knows more than these lists show: each letter is a key, going down a list is a key
an entry, Enter takes what is marked, a digit takes what is offered at the chosen part. A part is
chosen by one click, if it is not the one that the gesture before left chosen; a drag, which
chooses its part itself, counts as two.

The plan: what both graphs have is found by exact Smatch; concepts are renamed, missing nodes and
constants are hung on their parents, edges are relabelled, turned or moved where that is
cheaper than one more and one less, and what is too much is deleted last. Proposals are not
asked for, and ``:wiki`` is left aside. A graph that these gestures do not bring there is
counted as unreached, and its cost is left out.
"""

from __future__ import annotations

import argparse
import os
import re
import statistics
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from app.pages.correct.editor.completing import MAX_INSTEAD, completions, instead_of
from app.pages.correct.editor.gestures import edit_of
from app.pages.correct.state_advice import shared_lexicon
from aptcore.advice.doubt import PieceDoubt, doubt_of_pieces
from aptcore.advice.likely import Setting
from aptcore.editing.applying import apply_edit
from aptcore.errors import AptamrError, EditError
from aptcore.graph.amr import AmrGraph, Attribute, Edge, Sentence
from aptcore.graph.corpus import read_corpus
from aptcore.graph.penman import without_wiki
from aptcore.neural.parser import AptParser
from aptcore.scoring.mapping import best_match
from aptcore.scoring.triple_graph import triple_graph
from aptcore.words.gold import gold_items

DEFAULT = "emory-dialogue/amr_dialogue_corpus.train.penman"
KEYMAP = Path(__file__).resolve().parents[1] / "app" / "canvas" / "editor" / "keymap.js"
CHOOSE = 1
"""Clicks that choose a part."""
DRAG = 2
"""What a drag is worth in clicks; it chooses what is dragged."""
BEFORE = {
    "rename": 272,
    "relabel": 143,
    "delete": 52,
    "add": 225,
    "link": 41,
    "move": 18,
    "root": 7,
    "reverse": 4,
}
"""Keys and clicks for the 100 sentences before there was one field to add, before Enter took
the completion that is shown, and digits what is offered at a part.
"""


@cache
def key_table() -> dict[str, str]:
    """Read which key each act has, as the page has it."""
    return dict(re.findall(r'^  \["(\w+)", "(.)", ', KEYMAP.read_text("utf-8"), re.MULTILINE))


@dataclass(frozen=True, slots=True)
class Cost:
    """Keys and clicks."""

    keys: int = 0
    clicks: int = 0

    def __add__(self, other: Cost) -> Cost:
        return Cost(self.keys + other.keys, self.clicks + other.clicks)

    @property
    def sum(self) -> int:
        """Keys and clicks together."""
        return self.keys + self.clicks


@dataclass
class Desk:
    """A graph on its way to gold, and what was spent.

    Attributes:
        graph: As it is now.
        gold: What it is to become.
        sentence: As the parser reads it, for what the page offers.
        partner: For each node of ``graph`` its node in ``gold``.
        parser: Says what it would rather have, as on the page.
        chosen: The part that the last gesture left chosen.
        spent: By kind of gesture: how often, and the cost of all.
        read: The graph that the parser read last, and what it said of it.
    """

    graph: AmrGraph
    gold: AmrGraph
    sentence: Sentence
    partner: dict[str, str]
    parser: AptParser
    chosen: str = ""
    spent: dict[str, tuple[int, Cost]] = field(default_factory=dict)
    read: tuple[AmrGraph, tuple[PieceDoubt, ...]] | None = None

    @property
    def setting(self) -> Setting:
        """What the page knows once the parser has read the graph."""
        if self.read is None or self.read[0] is not self.graph:
            try:
                pieces = doubt_of_pieces(self.parser, self.sentence, self.graph)
            except AptamrError:
                pieces = ()
            self.read = self.graph, pieces
        return Setting(self.graph, lexicon(), self.sentence, self.read[1])

    def do(self, gesture: dict[str, Any], chosen: str, cost: Cost, left: str) -> None:
        """Make a gesture on a part, and pay for it; ``left`` is chosen behind it.

        Raises:
            EditError: The page refuses it.
        """
        self.graph = apply_edit(self.graph, edit_of(self.graph, gesture))
        times, before = self.spent.get(gesture["kind"], (0, Cost()))
        whole = cost + Cost(clicks=CHOOSE if chosen != self.chosen else 0)
        self.spent[gesture["kind"]] = times + 1, before + whole
        self.chosen = left

    def own(self, gold: str) -> str | None:
        """Give the node that stands for one of gold's."""
        return next((mine for mine, theirs in self.partner.items() if theirs == gold), None)

    def field(self, kind: str, wanted: str, typed: Iterable[str] = (), **at: object) -> int:
        """Count the keys that fill a field and leave it by Enter.

        Args:
            kind: What is completed; empty for nothing.
            wanted: The text.
            typed: What may be typed for it, beside its beginnings.
            at: What the editor asks beside.
        """
        best = len(wanted)
        beginnings = [wanted[:length] for length in range(len(wanted))] if kind else []
        for begun in sorted({*beginnings, *typed}, key=len):
            if len(begun) >= best:
                break
            offered = completions(self.setting, {"kind": kind, "typed": begun, **at})
            texts = [text for text, _ in offered]
            if wanted in texts:
                best = min(best, len(begun) + texts.index(wanted))
        return best + ENTER

    def digit(self, part: str | tuple[str, str, str], wanted: str) -> bool:
        """Tell whether a digit puts something in the place of the chosen part."""
        return wanted in instead_of(self.setting, {part})[part][:MAX_INSTEAD]


@cache
def lexicon() -> Any:
    """Give what the page completes from."""
    return shared_lexicon()


def act(name: str) -> int:
    """Count the keys of an act."""
    return len(key_table()[name])


ENTER = DIGIT = 1


# --- gestures -----------------------------------------------------------------------------


def rename(desk: Desk, name: str, text: str) -> None:
    """Give a node or constant another text."""
    is_constant = any(part.id == name for part in desk.graph.attributes)
    if not is_constant and desk.digit(name, text):
        keys = DIGIT
    else:
        sense = [text[-2:]] if text[-2:].isdigit() else []
        kind = "" if is_constant else "concept"
        keys = act("rename") + desk.field(kind, text, [*sense, *initials(text)], at=name)
    desk.do({"kind": "rename", "id": name, "text": text}, name, Cost(keys), name)


def initials(concept: str) -> list[str]:
    """Give the first letters of the words of a concept: two of them, three and so on."""
    letters = "".join(word[:1] for word in concept.split("-"))
    return [letters[:length] for length in range(2, len(letters) + 1)]


def add(desk: Desk, parent: str, role: str, text: str) -> str:
    """Hang a node or constant on a node; gives its name."""
    before = {part.id for part in (*desk.graph.nodes, *desk.graph.attributes)}
    line = f"{role} {text}"
    texts = [*(text[:length] for length in range(len(text) + 1)), *initials(text)]
    typed = [*texts, *(f":{each} {one}" for each in short_roles(role) for one in texts)]
    keys = act("add") + desk.field("line", line, typed, at=parent)
    desk.do({"kind": "add", "parent": parent, "line": line}, parent, Cost(keys), parent)
    parts = (*desk.graph.nodes, *desk.graph.attributes)
    (name,) = (part.id for part in parts if part.id not in before)
    desk.chosen = name
    return name


def short_roles(role: str) -> list[str]:
    """Give what may be typed for a role: its beginnings, its number, that with the next letter."""
    number = "".join(filter(str.isdigit, role))
    begun = [role[1:length] for length in range(2, len(role) + 1)]
    return [*begun, *([number, f"{number}o"] if number else [])]


def link(desk: Desk, source: str, role: str, target: str) -> None:
    """Add an edge: a drag from the source to the target, and the role typed."""
    typed = desk.field("role", role, short_roles(role), at=source, to=target)
    gesture = {"kind": "link", "source": source, "role": role, "target": target}
    desk.do(gesture, desk.chosen, Cost(typed, clicks=DRAG), source)


def relabel(desk: Desk, ends: list[str], role: str) -> None:
    """Give an edge another role."""
    source, was, target = ends
    if desk.digit((source, was, target), role):
        keys = DIGIT
    else:
        typed = short_roles(role)
        keys = act("rename") + desk.field("role", role, typed, at=source, to=target, was=was)
    gesture = {"kind": "relabel", "edge": ends, "role": role}
    desk.do(gesture, " ".join(ends), Cost(keys), " ".join([source, role, target]))


def reverse(desk: Desk, ends: list[str]) -> None:
    """Turn an edge round."""
    turned = " ".join([ends[2], ends[1], ends[0]])
    desk.do({"kind": "reverse", "edge": ends}, " ".join(ends), Cost(act("reverse")), turned)


def move(desk: Desk, ends: list[str], end: str, to: str) -> None:
    """Give an edge another source or target, by a drag of that end."""
    gesture = {"kind": "move", "edge": ends, "end": end, "to": to}
    moved = [ends[0], ends[1], to] if end == "target" else [to, ends[1], ends[2]]
    desk.do(gesture, desk.chosen, Cost(clicks=DRAG), " ".join(moved))


def delete(desk: Desk, ends: list[str] | None = None, name: str = "") -> None:
    """Delete an edge, a node or a constant."""
    gesture = {"kind": "delete", "edge": ends} if ends else {"kind": "delete", "id": name}
    desk.do(gesture, " ".join(ends or [name]), Cost(act("delete")), "")


# --- the way to gold ----------------------------------------------------------------------


def correct(desk: Desk) -> None:
    """Bring the graph to gold.

    Raises:
        EditError: The page refuses a gesture of the plan.
    """
    concepts = {node.id: node.concept for node in desk.gold.nodes}
    for node in desk.graph.nodes:
        wanted = concepts.get(desk.partner.get(node.id, ""))
        if wanted is not None and wanted != node.concept:
            rename(desk, node.id, wanted)
    add_missing(desk, concepts)
    mend_constants(desk)
    mend_edges(desk)
    root = desk.own(desk.gold.root)
    if root is not None and desk.graph.root != root:
        desk.do({"kind": "root", "id": root}, root, Cost(act("root")), root)
    for node in desk.graph.nodes:
        if node.id not in desk.partner and any(node.id == each.id for each in desk.graph.nodes):
            delete(desk, name=node.id)


def add_missing(desk: Desk, concepts: dict[str, str]) -> None:
    """Hang the nodes that are missing on those that are there, from near to far."""
    is_going = True
    while is_going:
        is_going = False
        for edge in desk.gold.edges:
            source, target = desk.own(edge.source), desk.own(edge.target)
            if source is not None and target is None:
                desk.partner[add(desk, source, edge.role, concepts[edge.target])] = edge.target
                is_going = True
            elif source is None and target is not None:
                new = add(desk, target, f"{edge.role}-of", concepts[edge.source])
                desk.partner[new] = edge.source
                is_going = True


def mend_constants(desk: Desk) -> None:
    """Rename, relabel, add and delete constants."""
    for mine, theirs in list(desk.partner.items()):
        have = [part for part in desk.graph.attributes if part.source == mine]
        want = [part for part in desk.gold.attributes if part.source == theirs]
        for same in (_all, _role, _value):
            for part in list(want):
                found = next((own for own in have if same(own) == same(part)), None)
                if found is None:
                    continue
                have.remove(found)
                want.remove(part)
                if found.value != part.value:
                    rename(desk, found.id, part.value)
                if found.role != part.role:
                    relabel(desk, [mine, found.role, found.id], part.role)
        for part in want:
            add(desk, mine, part.role, part.value)
        for own in have:
            delete(desk, name=own.id)


def _all(part: Attribute) -> object:
    return part.role, part.value


def _role(part: Attribute) -> object:
    return part.role


def _value(part: Attribute) -> object:
    return part.value


def mend_edges(desk: Desk) -> None:
    """Relabel, turn and move edges, then add the rest; what is too much goes last."""
    back = {theirs: mine for mine, theirs in desk.partner.items()}
    want = [Edge(back[e.source], e.role, back[e.target]) for e in desk.gold.edges]
    for same in (_ends, _turned):
        for edge, own in list(_pairs(desk, want, same)):
            ends = [own.source, own.role, own.target]
            if own.source != edge.source:
                reverse(desk, ends)
                ends = [edge.source, own.role, edge.target]
            if own.role != edge.role:
                relabel(desk, ends, edge.role)
    for end in ("target", "source"):
        for edge, own in list(
            _pairs(desk, want, _target_apart if end == "target" else _source_apart)
        ):
            try:
                to = edge.target if end == "target" else edge.source
                move(desk, [own.source, own.role, own.target], end, to)
            except EditError:
                continue  # it holds a part of the graph: one more and one less does it below
    for edge in want:
        if edge not in desk.graph.edges:
            link(desk, edge.source, edge.role, edge.target)
    for own in desk.graph.edges:
        if own not in want and {own.source, own.target} <= set(desk.partner):
            delete(desk, [own.source, own.role, own.target])


def _pairs(
    desk: Desk, want: list[Edge], same: Callable[[Edge, Edge], bool]
) -> Iterator[tuple[Edge, Edge]]:
    """Pair the edges that are missing with those that are too much, where they are alike."""
    extra = [own for own in desk.graph.edges if own not in want]
    for edge in want:
        if edge in desk.graph.edges:
            continue
        found = next((own for own in extra if same(edge, own)), None)
        if found is not None:
            extra.remove(found)
            yield edge, found


def _ends(edge: Edge, own: Edge) -> bool:
    return (edge.source, edge.target) == (own.source, own.target)


def _turned(edge: Edge, own: Edge) -> bool:
    return (edge.source, edge.target) == (own.target, own.source)


def _target_apart(edge: Edge, own: Edge) -> bool:
    return (edge.source, edge.role) == (own.source, own.role)


def _source_apart(edge: Edge, own: Edge) -> bool:
    return (edge.role, edge.target) == (own.role, own.target)


def is_gold(desk: Desk) -> bool:
    """Tell whether nothing differs any more."""
    now, gold = triple_graph(desk.graph), triple_graph(desk.gold)
    return best_match(now, gold).matched == now.num_triples == gold.num_triples


def desk_of(parsed: AmrGraph, gold: AmrGraph, sentence: Sentence, parser: AptParser) -> Desk:
    """Begin with what both graphs have."""
    mapping = best_match(triple_graph(parsed), triple_graph(gold)).mapping
    pairs = zip(parsed.nodes, mapping, strict=True)
    partner = {node.id: gold.nodes[place].id for node, place in pairs if place >= 0}
    return Desk(parsed, gold, sentence, partner, parser)


def main() -> None:
    """Parse, correct, and print what it costs."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("file", nargs="?", type=Path)
    parser.add_argument("--sentences", type=int, default=100)
    parser.add_argument("--beam", type=int, default=10)
    arguments = parser.parse_args()
    path = arguments.file or Path(os.environ["APTAMR_DATA"], DEFAULT)
    items, _ = gold_items(read_corpus(path))
    items = items[: arguments.sentences]
    model = AptParser.from_pretrained(device="cpu")
    parses = model.parse([item.sentence for item in items], arguments.beam)
    spent: Counter[str] = Counter()
    costs: dict[str, Cost] = {}
    sums, right, unreached = [], 0, []
    for item, parse in zip(items, parses, strict=True):
        desk = desk_of(parse.graph, without_wiki(item.graph)[0], parse.sentence, model)
        try:
            correct(desk)
        except EditError as error:
            unreached.append(f"{item.sentence.id}: {error}")
            continue
        if not is_gold(desk):
            unreached.append(f"{item.sentence.id}: something still differs")
            continue
        right += not desk.spent
        sums.append(sum(cost.sum for _, cost in desk.spent.values()))
        for kind, (times, cost) in desk.spent.items():
            spent[kind] += times
            costs[kind] = costs.get(kind, Cost()) + cost
    print(f"{len(items)} sentences of {path.name}, {right} right as they were, by gestures:")
    is_known = arguments.file is None and len(items) == 100 and arguments.beam == 10
    before = BEFORE if is_known else {}
    print(f"{'gesture':10} {'times':>6} {'keys':>6} {'clicks':>6} {'a time':>7} {'before':>7}")
    for kind, times in spent.most_common():
        cost, old = costs[kind], f"{before[kind] / times:.1f}" if kind in before else ""
        a_time = f"{cost.sum / times:.1f}"
        print(f"{kind:10} {times:6} {cost.keys:6} {cost.clicks:6} {a_time:>7} {old:>7}")
    was = f" (before: {sum(before.values())})" if before else ""
    print(
        f"in all {sum(sums)} keys and clicks{was}, {sum(sums) / max(1, len(sums)):.1f} a sentence "
        f"(median {statistics.median(sums):.0f}); {len(unreached)} not reached"
    )
    for line in unreached:
        print(f"  not reached: {line}")


if __name__ == "__main__":
    main()
