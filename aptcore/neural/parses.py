"""The result for a sentence: its graph, the walk that built it, and its block in an AMR file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from aptcore.errors import check_choice
from aptcore.graph.alignment_formats import format_alignments
from aptcore.graph.amr import AmrGraph, Sentence
from aptcore.graph.penman import format_penman
from aptcore.graph.wiki import WikiLinker, with_wiki
from aptcore.neural.next_actions import DecodingOptions, Hypothesis
from aptcore.transition.actions import Action
from aptcore.transition.building import Repair, repaired_graph
from aptcore.transition.machine import replay
from aptcore.transition.moves import Reduce
from aptcore.words.tokens import has_words

ROWS_IN_BATCH = 256
"""Hypotheses decoded together, over all sentences of a batch."""


@dataclass(frozen=True, slots=True)
class Parse:
    """The result for one sentence.

    Attributes:
        sentence: As the parser read it.
        graph: Sound; ``(a / amr-empty)`` where parsing failed.
        actions: The walk that built it.
        log_prob: Sum of log-probabilities of the actions, in nats.
        repairs: Every change that made the graph sound.
        error: Why there is no parse; None where there is one.
    """

    sentence: Sentence
    graph: AmrGraph
    actions: tuple[Action, ...]
    log_prob: float
    repairs: tuple[Repair, ...]
    error: str | None = None

    @property
    def score(self) -> float:
        """Log-probability of an action on average, in nats; a search ranks by it."""
        return self.log_prob / max(1, len(self.actions))


@dataclass(frozen=True, slots=True)
class Search:
    """What is asked of a search.

    Attributes:
        options: How to search.
        keeps_detached: Whether a piece that nothing connects is joined to the root, not dropped.
        num_parses: Graphs for each sentence, at most.
    """

    options: DecodingOptions
    keeps_detached: bool
    num_parses: int = 1

    def batches(self, sentences: Sequence[tuple[int, Sentence]]) -> Iterator[list[int]]:
        """Group sentences of like length, longer ones first; gives their numbers."""
        by_length = sorted(sentences, key=lambda pair: -len(pair[1].tokens))
        size = max(1, ROWS_IN_BATCH // self.options.beam)
        for first in range(0, len(by_length), size):
            yield [number for number, _ in by_length[first : first + size]]

    def parses_of(self, ranked: Sequence[Hypothesis]) -> list[Parse]:
        """Give the results that finished walks mean, in order, each graph once."""
        found: dict[str, Parse] = {}
        for hypothesis in ranked:
            parse = parse_of(hypothesis, self.keeps_detached)
            if self.num_parses == 1:
                return [parse]
            found.setdefault(format_penman(parse.graph, metadata=False), parse)
            if len(found) == self.num_parses:
                break
        return list(found.values())


def keeps(detached: str) -> bool:
    """Tell whether pieces that nothing connects are kept.

    Raises:
        ConfigurationError: If neither ``join`` nor ``drop`` is asked for.
    """
    check_choice("detached", detached, ("join", "drop"))
    return detached == "join"


def named(parse: Parse, id: str) -> Parse:
    """Give the parse of a sentence that has a name."""
    return replace(parse, sentence=replace(parse.sentence, id=id))


def wikified(parse: Parse, linker: WikiLinker | None) -> Parse:
    """Add ``:wiki`` to the named things of a parse; without a linker nothing changes."""
    if linker is None or parse.error is not None:
        return parse
    return replace(parse, graph=with_wiki(parse.graph, linker))


def failed_parse(sentence: Sentence, reason: str) -> Parse:
    """Give the result of a sentence that cannot be parsed."""
    num = 0 if has_words(sentence) else len(sentence.tokens) + 1
    state = replay(sentence, (Reduce(),) * num)
    graph, repairs = repaired_graph(state)
    return Parse(sentence, graph, state.actions, 0.0, repairs, reason)


def parse_of(hypothesis: Hypothesis, keep_detached: bool) -> Parse:
    """Give the result that a finished walk means, detached pieces kept or not."""
    state = hypothesis.state
    graph, repairs = finished(hypothesis, keep_detached)
    error = "no concept could be made of the words" if state.is_failed else None
    return Parse(state.sentence, graph, state.actions, hypothesis.score, repairs, error)


def finished(hypothesis: Hypothesis, keep_detached: bool) -> tuple[AmrGraph, tuple[Repair, ...]]:
    """Give the graph of a finished walk, made sound, and what that took."""
    graph, repairs = repaired_graph(hypothesis.state, keep_detached=keep_detached)
    if hypothesis.hit_caps:
        repairs = (*repairs, Repair("capped", "a cap on items or actions was reached"))
    return graph, repairs


def described(parse: Parse) -> AmrGraph:
    """Give the graph of a parse with all that is known of it as metadata.

    ``::alignments`` are ISI's, ``token-address``: positions in ``::tok`` from 0, address
    ``1`` is the root, ``1.2`` its second branch.
    """
    sentence = parse.sentence
    metadata = {"id": sentence.id, "snt": sentence.text, "tok": " ".join(sentence.tokens)}
    if parse.error is not None:
        metadata["error"] = parse.error
    else:
        metadata["alignments"] = format_alignments(parse.graph)
    if parse.repairs:
        metadata["repairs"] = "; ".join(repair.text for repair in parse.repairs)
    return replace(parse.graph, metadata=metadata)


def format_block(parse: Parse) -> str:
    """Write a parse as a block of an AMR file, with the blank line after it."""
    return format_penman(described(parse)) + "\n\n"
