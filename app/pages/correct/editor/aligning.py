"""Alignments that nobody gave: made by rules where a graph lacks them, and kept nowhere.

They show what a part likely stands for; the store and every export have only what the file
gave and what people said.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from app.pages.correct.editor.folding import is_large
from app.pages.correct.editor.gestures import Gesture, edit_of
from aptcore.alignment.aligner import align
from aptcore.alignment.tables import shipped_tables
from aptcore.editing.applying import apply_edit
from aptcore.errors import AlignmentError, EditError
from aptcore.graph.amr import AmrGraph, Sentence


def aligned_by_rules(graph: AmrGraph, sentence: Sentence) -> AmrGraph:
    """Give a graph with alignments for all its parts; those that it has stay.

    A graph without words, or a large one, is given back as it is.
    """
    if is_large(graph) or not sentence.tokens or not graph.nodes:
        return graph
    try:
        return align(sentence, graph, shipped_tables())
    except AlignmentError:
        return graph


def guessed_tokens(graph: AmrGraph, aligned: AmrGraph) -> Mapping[str, tuple[int, ...]]:
    """Give the tokens of the nodes and constants to which only the rules gave some."""
    return {
        key: found.tokens
        for key, found in aligned.alignments.items()
        if isinstance(key, str) and key not in graph.alignments and found.tokens
    }


def without_guesses_by_place(graph: AmrGraph, aligned: AmrGraph) -> AmrGraph:
    """Leave out what stands for a word only as nothing nearer does: it covers no word."""
    kept = {
        key: found
        for key, found in aligned.alignments.items()
        if key in graph.alignments or found.source != "proximity"
    }
    return replace(aligned, alignments=kept)


def with_its_word(graph: AmrGraph, sentence: Sentence, gesture: Gesture) -> Gesture:
    """Give a gesture that adds something the tokens that it stands for, where none are marked.

    A word that something else stands for already is not taken; without one the gesture stays.
    """
    if gesture.get("kind") != "add" or gesture.get("tokens"):
        return gesture
    try:
        grown = apply_edit(graph, edit_of(graph, gesture))
    except EditError:
        return gesture  # the store's answer will say why
    aligned = without_guesses_by_place(grown, aligned_by_rules(grown, sentence))
    old = {node.id for node in graph.nodes} | {item.id for item in graph.attributes}
    before = without_guesses_by_place(graph, aligned_by_rules(graph, sentence))
    taken = {token for found in before.alignments.values() for token in found.tokens}
    new = [name for name in guessed_tokens(grown, aligned) if name not in old]
    tokens = sorted({token for name in new for token in aligned.alignments[name].tokens} - taken)
    return {**gesture, "tokens": tokens} if tokens else gesture
