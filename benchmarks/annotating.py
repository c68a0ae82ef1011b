"""What a simulated annotator works on, and what they do next."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from app.store.records.rows import StoredSentence
from aptcore.assets import asset_path
from aptcore.editing.applying import apply_edit, fresh_attribute, fresh_variable
from aptcore.editing.edits import (
    AddAttribute,
    AddEdge,
    AddNode,
    ChangeEdge,
    DeleteNode,
    Edit,
    RenameNode,
    SetAlignment,
    SetRoot,
    Several,
    edit_to_json,
)
from aptcore.errors import EditError
from aptcore.graph.amr import AmrGraph
from aptcore.graph.corpus import read_corpus

CONCEPTS = ("thing", "go-02", "person", "see-01", "and", "old", "say-01")
ROLES = (":ARG0", ":ARG1", ":ARG2", ":mod", ":location", ":time", ":manner")
TRIES = 30
MAX_NODES = 60
"""A larger graph is not grown further."""


def document_text(number: int) -> str:
    """Give an AMR file of this many sentences: the program's own example, repeated."""
    records = read_corpus(Path(asset_path("oracle/example.txt"))).records
    blocks = []
    for place in range(number):
        lines = records[place % len(records)].raw.split("\n")
        kept = [line for line in lines if not line.startswith("# ::id")]
        blocks.append("\n".join([f"# ::id s.{place + 1}", *kept]))
    return "\n\n".join(blocks) + "\n"


def next_what(sentence: StoredSentence, draw: random.Random) -> dict[str, Any]:
    """Draw what the annotator does next on a sentence that they look at."""
    edit = {"do": "edit", "edit": edit_to_json(possible_edit(sentence.state.graph, draw))}
    node = draw.choice(sentence.state.graph.nodes)
    triple = [node.id, ":instance", node.concept]
    others: list[dict[str, Any]] = [
        {"do": "comment", "text": f"is {node.id} right?"},
        {"do": "confirm", "triples": [triple]},
        {"do": "flag", "on": not sentence.state.flagged, "reason": "look again"},
        {"do": "draft", "text": f"({node.id} / "},
        {"do": "dismiss", "problem": f"word:{node.id}", "note": "no word of its own"},
    ]
    kinds: list[tuple[int, dict[str, Any]]] = [(14, edit), (3, draw.choice(others))]
    if sentence.can_undo:
        kinds.append((2, {"do": "undo"}))
    if sentence.can_redo:
        kinds.append((2, {"do": "redo"}))
    return draw.choices([what for _, what in kinds], weights=[weight for weight, _ in kinds])[0]


def message_of(
    number: int, name: str, person: str, sentence: int, base: int, what: Mapping[str, Any]
) -> dict[str, Any]:
    """Put an operation into a message of the Correct page's outbox.

    Args:
        number: Of the message.
        name: Its id.
        person: Who does it, in a tab of the same name.
        sentence: On which sentence.
        base: The revision that is seen.
        what: What :func:`next_what` gave.
    """
    if what["do"] == "edit":
        sent = {"do": "gesture", "gesture": {"kind": "edits", "edits": [what["edit"]]}}
    elif what["do"] == "confirm":
        sent = {"do": "confirm", "part": {"kind": "node", "id": what["triples"][0][0]}}
    else:
        sent = dict(what)
    return {
        "number": number,
        "id": name,
        "tab": person,
        "person": person,
        "sentence": sentence,
        "base": base,
        "what": sent,
    }


def possible_edit(graph: AmrGraph, draw: random.Random) -> Edit:
    """Draw an edit that the graph allows."""
    for _ in range(TRIES):
        edit = draw.choice(some_edits(graph, draw))
        try:
            if apply_edit(graph, edit) != graph:
                return edit
        except EditError:
            continue
    return RenameNode(graph.root, "thing" if graph.nodes[0].concept != "thing" else "person")


def some_edits(graph: AmrGraph, draw: random.Random) -> Sequence[Edit]:
    """Draw one edit of each kind; the graph need not allow it."""
    node, other = (draw.choice(graph.nodes).id for _ in range(2))
    role, concept = draw.choice(ROLES), draw.choice(CONCEPTS)
    num_tokens = len(graph.metadata.get("tok", "").split())
    token = draw.randrange(num_tokens) if num_tokens else 0
    edits: list[Edit] = [
        RenameNode(node, concept),
        SetRoot(node),
        SetAlignment(node, (token,)),
        AddEdge(node, role, other),
        DeleteNode(node),
    ]
    if len(graph.nodes) < MAX_NODES:
        new = fresh_variable(graph, concept)
        edits += [
            Several((AddNode(new, concept, (token,)), AddEdge(node, role, new))),
            AddAttribute(fresh_attribute(graph, node, ":polarity"), node, ":polarity", "-"),
        ]
    if graph.edges:
        edge = draw.choice(graph.edges)
        ends = (edge.source, edge.role, edge.target)
        edits += [
            ChangeEdge(*ends, edge.source, role, edge.target),
            ChangeEdge(*ends, node, edge.role, edge.target),
        ]
    return edits
