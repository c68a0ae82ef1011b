"""What the editor draws of a stored sentence."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from app.canvas.payload import Payload, box_payload, flags, line_payload
from app.pages.correct.editor.folding import is_large
from app.pages.correct.editor.layout import Sketch
from app.pages.correct.editor.routing import MOST_CLEARED, Ends
from app.store.log.deciding import is_placeholder
from app.store.records.rows import StoredSentence
from aptcore.editing.coreference import coref_links
from aptcore.graph.amr import AlignmentKey, AmrGraph, Edge, Mention
from aptcore.graph.layout import INSTANCE, Triple
from aptcore.graph.penman import branch_keys, format_penman, layout_of

INDENTED = "\n" + 120 * " "
DEEPER = re.compile(INDENTED + " +")
"""The text of a graph 1,200 deep would be almost all indentation: 9 MB."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """How sure the parser is of a part, and what it would rather or also have there.

    Attributes:
        probability: Of the part as it stands, 0 to 1.
        options: Text, probability and edits (as JSON) of each other choice, best first.
    """

    probability: float
    options: tuple[tuple[str, float, tuple[Mapping[str, Any], ...]], ...] = ()


@dataclass(frozen=True, slots=True)
class Marks:
    """What is marked in the drawing.

    Attributes:
        doubts: By node or constant id, or by the ends of an edge.
        faulty: Ids and ends with an open problem.
        instead: Concepts for each node, roles for each edge, the likeliest first.
        guessed: Tokens that only rules give, for parts that the graph aligns to none.
        covered: Tokens that something stands for by the same rules.
    """

    doubts: Mapping[str | Ends, Doubt]
    faulty: frozenset[str | Ends]
    instead: Mapping[str | Ends, tuple[str, ...]] = field(default_factory=dict)
    guessed: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    covered: frozenset[int] = frozenset()


NO_MARKS = Marks({}, frozenset())


def payload_of(
    stored: StoredSentence, sketch: Sketch, marks: Marks = NO_MARKS, *, is_written: bool = False
) -> Payload:
    """Give the drawing of a sentence: nodes, edges, lines, tokens, and a ``key`` of all that.

    Probabilities are thousandths; places are points. ``lines`` are the branches of the graph
    as it is written, those that are shown: ``edge`` the place of the edge above, ``node`` of
    the node or constant that is introduced there, ``to`` of the one that is named; -1 where
    there is none; ``more`` how many branches below are folded. ``covered`` are the words that
    something stands for, shown or not.

    Args:
        stored: The sentence.
        sketch: Where what is shown of its graph stands.
        marks: What is marked in it.
        is_written: Whether the text of a large graph is asked for; that of others is always
            there.
    """
    graph = stored.state.graph
    lines = lines_of(graph, sketch)
    drawing: Payload = {
        "nodes": _nodes(stored, sketch, marks, lines),
        "edges": _edges(stored, sketch, marks),
        "lines": lines,
        "tokens": list(stored.tokens),
        "covered": sorted({*_covered(graph), *marks.covered}),
        "fold": None if sketch.is_whole else _fold(graph, sketch),
        **({"cleared": MOST_CLEARED} if sketch.is_crowded else {}),
        "width": sketch.layout.width,
        "height": sketch.layout.height,
    }
    drawn = json.dumps([stored.id, stored.revision, drawing], sort_keys=True)
    key = hashlib.sha1(drawn.encode("utf-8", "surrogatepass"), usedforsecurity=False).hexdigest()
    text = text_of(stored) if is_written or not is_large(graph) else None
    return drawing | {"key": key, "penman": text}


def text_of(stored: StoredSentence) -> str:
    """Give the text that is edited: the graph, or what was imported where that is none."""
    if stored.apart and is_placeholder(stored.state.graph):
        lines = stored.raw.splitlines()
        return "\n".join(line for line in lines if not line.lstrip().startswith("#"))
    return DEEPER.sub(INDENTED, format_penman(stored.state.graph, metadata=False))


def sentence_of(stored: StoredSentence, place: str) -> Payload:
    """Give what is shown of a sentence beside its graph.

    Args:
        stored: The sentence.
        place: Which one of how many, in words.
    """
    return {
        "id": stored.id,
        "name": stored.name,
        "number": stored.number,
        "place": place,
        "revision": stored.revision,
        "status": stored.state.status,
        "statusBy": stored.state.status_by,
        "flagged": stored.state.flagged,
        "comments": [[comment.person, comment.text] for comment in stored.state.comments],
        "canUndo": stored.can_undo,
        "canRedo": stored.can_redo,
    }


def _nodes(
    stored: StoredSentence, sketch: Sketch, marks: Marks, lines: list[Payload]
) -> list[Payload]:
    graph = stored.state.graph
    labels = {node.id: node.concept for node in graph.nodes}
    values = {item.id: item for item in graph.attributes}
    more = {line["node"]: line["more"] for line in lines if "more" in line}
    same: dict[str, list[str]] = {}
    for link in coref_links(graph.metadata):
        same.setdefault(link.node, []).append(f"{link.target} of {link.sentence}")
    shown = []
    for number, (name, placed) in enumerate(zip(sketch.names, sketch.layout.nodes, strict=True)):
        constant = values.get(name)
        triple = (name, INSTANCE, labels[name]) if constant is None else constant.triple
        shown.append(
            {
                "name": name,
                "label": labels[name] if constant is None else constant.value,
                **box_payload(placed),
                "tokens": _tokens(graph, name) or list(marks.guessed.get(name, ())),
                **flags(constant=constant is not None, root=name == graph.root),
                **flags(guessed=name in marks.guessed),
                **({"more": more[number]} if number in more else {}),
                **({"same": same[name]} if name in same else {}),
                **_marked(stored, marks, name, triple),
            }
        )
    return shown


def _edges(stored: StoredSentence, sketch: Sketch, marks: Marks) -> list[Payload]:
    graph = stored.state.graph
    places = {name: number for number, name in enumerate(sketch.names)}
    values = {item.id: item.value for item in graph.attributes}
    shown = []
    for ends, placed in zip(sketch.ends, sketch.layout.edges, strict=True):
        source, role, target = ends
        triple = (source, role, values.get(target, target))
        shown.append(
            {
                "source": places[source],
                "role": role,
                "target": places[target],
                "ends": list(ends),
                **line_payload(placed),
                "tokens": _tokens(graph, Edge(*ends)),
                **_marked(stored, marks, ends, triple),
            }
        )
    return shown


def _tokens(graph: AmrGraph, key: AlignmentKey) -> list[int]:
    alignment = graph.alignments.get(key)
    return list(alignment.tokens) if alignment is not None else []


def _marked(
    stored: StoredSentence, marks: Marks, part: str | Ends, triple: Triple
) -> dict[str, Any]:
    """Give only the marks that are set."""
    found: dict[str, Any] = {}
    if triple in stored.state.confirmed:
        found["confirmed"] = True
    source = stored.state.source_of(triple)
    found["origin"] = str(source)
    if source.kind == "changed":
        found["changed"] = True
    if part in marks.faulty:
        found["problem"] = True
    if part in marks.instead:
        found["instead"] = list(marks.instead[part])
    doubt = marks.doubts.get(part)
    if doubt is not None:
        found["doubt"] = round(doubt.probability * 1000)
        found["options"] = [
            {"text": text, "p": round(probability * 1000), "edits": list(edits)}
            for text, probability, edits in doubt.options
        ]
    return found


def _covered(graph: AmrGraph) -> list[int]:
    """Give the words that nodes and constants stand for."""
    found = (places.tokens for key, places in graph.alignments.items() if isinstance(key, str))
    return sorted({token for tokens in found for token in tokens})


def _fold(graph: AmrGraph, sketch: Sketch) -> Payload:
    """Say how much of a graph is shown, and whether its root is."""
    shown = {"shown": len(sketch.names), "all": len(sketch.parts)}
    return shown | flags(root=graph.root in sketch.names)


def lines_of(graph: AmrGraph, sketch: Sketch) -> list[Payload]:
    """Give the branches that are shown; one below a folded branch begins at the left."""
    places = {name: number for number, name in enumerate(sketch.names)}
    edges = {ends: number for number, ends in enumerate(sketch.ends)}
    layout = layout_of(graph)
    lines: list[Payload] = []
    above: list[int] = []  # the line at or above each open branch; -1 where none is shown
    for branch, (target, edge) in zip(layout, branch_keys(graph, layout), strict=True):
        del above[branch.depth :]
        over = above[-1] if above else -1
        number = -1 if edge is None else edges.get(edge.triple, -1)
        is_mention = isinstance(target, Mention)
        name = branch.target if is_mention else str(target)
        if number < 0 if is_mention else name not in places:
            above.append(over)
            if over >= 0:
                lines[over]["more"] = lines[over].get("more", 0) + 1
            continue
        above.append(len(lines))
        is_node = branch.concept is not None
        lines.append(
            {
                "depth": lines[over]["depth"] + 1 if number >= 0 else 0,
                "role": branch.role if number >= 0 else "",
                "text": f"{branch.target} / {branch.concept}" if is_node else branch.target,
                "edge": number,
                "node": -1 if is_mention else places[name],
                "to": places[name],
            }
        )
    return lines


def part_triples(stored: StoredSentence, part: object) -> Sequence[Triple]:
    """Give the triples of what a person chose: a node with its concept, or an edge.

    Args:
        stored: The sentence.
        part: ``{"kind": "node", "id": ...}`` or ``{"kind": "edge", "ends": [...]}``.
    """
    if not isinstance(part, Mapping):
        return ()
    graph = stored.state.graph
    values = {item.id: item.triple for item in graph.attributes}
    if part.get("kind") == "edge":
        ends = part.get("ends")
        if not isinstance(ends, list) or len(ends) != 3:
            return ()
        return (values.get(ends[2], (ends[0], ends[1], ends[2])),)
    name = part.get("id")
    if name in values:
        return (values[name],)
    return tuple((node.id, INSTANCE, node.concept) for node in graph.nodes if node.id == name)
