"""What the editor marks and offers: doubtful parts, problems, completions."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from app.canvas.payload import Payload
from app.pages.correct.editor.aligning import guessed_tokens, without_guesses_by_place
from app.pages.correct.editor.drawing import Doubt, Marks
from app.pages.correct.editor.routing import Ends
from app.store.records.rows import StoredSentence
from aptcore.advice.doubt import DOUBTFUL_STEP, Option, PieceDoubt
from aptcore.advice.problems.problem import Problem
from aptcore.editing.edits import ChangeEdge, edit_to_json
from aptcore.graph.amr import AmrGraph
from aptcore.graph.checks import triples
from aptcore.graph.layout import INSTANCE, TOP, Triple
from aptcore.words.frames import Lexicon

MAX_FIXES = 3
"""Fixes offered for one problem."""
MAX_LISTED = 50
"""Problems listed at once; others come as these are mended or dismissed."""

Part = str | Ends


def part_of(graph: AmrGraph, triple: Triple) -> Part:
    """Give the part of the drawing that a triple stands for; a constant is its own box."""
    source, role, target = triple
    if role.startswith((INSTANCE, TOP)):
        return source
    for item in graph.attributes:
        if item.triple == triple:
            return item.id
    return source, role, target


def doubts_of(
    graph: AmrGraph, pieces: Iterable[PieceDoubt], decided: Collection[Triple]
) -> dict[Part, Doubt]:
    """Choose what is marked as doubtful.

    Args:
        graph: As it is now; pieces that it no longer holds are left out.
        pieces: What the parser said of each piece of it, or of it before the last edits.
        decided: Triples that a person confirmed or changed: they are not doubted again.
    """
    there = set(triples(graph))
    found: dict[Part, Doubt] = {}
    for piece in pieces:
        is_open = piece.triple in there and piece.triple not in decided
        if not is_open or piece.probability >= DOUBTFUL_STEP:
            continue
        options = tuple(
            (option_text(graph, piece.triple, option), option.probability, _json_of(option))
            for option in piece.options
            if option.edit is not None
        )
        part = part_of(graph, piece.triple)
        before = found.get(part)
        if before is None or piece.probability < before.probability:
            found[part] = Doubt(piece.probability, options)
    return found


def option_text(graph: AmrGraph, triple: Triple, option: Option) -> str:
    """Say what stands there instead: of an edge its role, where that alone is another."""
    match option.edit:
        case ChangeEdge(_, _, _, source, role, target):
            is_role_alone = (source, target) == (triple[0], triple[2])
            ends = called(graph, source), called(graph, target)
            return role if is_role_alone else f"{ends[0]} {role} {ends[1]}"
    return option.text


def called(graph: AmrGraph, name: str) -> str:
    """Give the concept of a node, with its variable where others have the same; else the name."""
    concepts = {node.id: node.concept for node in graph.nodes}
    concept = concepts.get(name, name)
    is_one = list(concepts.values()).count(concept) < 2
    return concept if is_one else f"{name} / {concept}"


def _json_of(option: Option) -> tuple[Payload, ...]:
    return () if option.edit is None else (edit_to_json(option.edit),)


def marks_of(
    stored: StoredSentence,
    doubts: Mapping[Part, Doubt],
    problems: Iterable[Problem],
    instead: Mapping[Part, tuple[str, ...]],
    aligned: AmrGraph | None = None,
) -> Marks:
    """Put together what is marked in the drawing of a sentence, and offered at its parts.

    Args:
        stored: The sentence.
        doubts: The doubtful parts.
        problems: All of them.
        instead: What may stand in the place of each part.
        aligned: The graph with all its parts aligned by rules.
    """
    faulty: set[Part] = set()
    for problem in problems:
        if problem.key not in stored.state.dismissed:
            edge = problem.edge
            faulty |= {_edge_part(stored.state.graph, edge)} if edge else {*problem.nodes}
    graph = stored.state.graph
    guessed = {} if aligned is None else guessed_tokens(graph, aligned)
    sure = graph if aligned is None else without_guesses_by_place(graph, aligned)
    covered = {token for name in guessed if name in sure.alignments for token in guessed[name]}
    return Marks(doubts, frozenset(faulty), instead, guessed, frozenset(covered))


def _edge_part(graph: AmrGraph, edge: Ends) -> Part:
    return edge[2] if any(item.id == edge[2] for item in graph.attributes) else edge


def part_payload(part: Part) -> Payload:
    """Name a part as the editor does."""
    if isinstance(part, str):
        return {"kind": "node", "id": part}
    return {"kind": "edge", "ends": list(part)}


def problem_items(stored: StoredSentence, problems: Sequence[Problem]) -> list[Payload]:
    """Give what the editor lists of the problems; dismissed ones come last, with their note."""
    listed = sorted(problems, key=lambda problem: problem.key in stored.state.dismissed)
    return [_problem(stored, problem) for problem in listed[:MAX_LISTED]]


def problems_text(problems: Sequence[Problem]) -> str:
    """Give the heading of the problems."""
    errors = sum(problem.severity == "error" for problem in problems)
    text = f"Problems: {errors} to mend before it can be accepted" if errors else "Problems"
    more = len(problems) - MAX_LISTED
    return text if more <= 0 else f"{text} (and {more:,} more than are listed)"


def _problem(stored: StoredSentence, problem: Problem) -> Payload:
    dismissal = stored.state.dismissed.get(problem.key)
    part: Payload | None = None
    if problem.edge is not None:
        part = part_payload(_edge_part(stored.state.graph, problem.edge))
    elif problem.nodes:
        part = part_payload(problem.nodes[0])
    return {
        "id": problem.key,
        "severity": problem.severity,
        "message": problem.reason,
        "part": part,
        "word": problem.tokens[0] if problem.tokens else None,
        "fixes": [
            {"text": fix.text, "edits": [edit_to_json(fix.edit)]}
            for fix in problem.fixes[:MAX_FIXES]
        ],
        "note": None if dismissal is None else dismissal.note,
    }


def blocking(problems: Iterable[Problem]) -> str:
    """Say which errors keep a sentence from being accepted; empty if none does."""
    errors = [problem.reason for problem in problems if problem.severity == "error"]
    if not errors:
        return ""
    return f"It cannot be accepted yet: {'; '.join(errors[:3])}."


def reading_of(graph: AmrGraph, lexicon: Lexicon) -> Payload:
    """Give the graph in plain English: its lines, and the line that names each node."""
    from aptcore.advice.english.paraphrase import paraphrase  # here: few ask for it

    reading = paraphrase(graph, lexicon)
    return {"lines": list(reading.lines), "named": dict(reading.named_in)}
