"""The parser core: graphs, transition system, oracle, model and decoding.

The names below are the public surface. Each is loaded from its module when it is first
used, so ``import aptcore`` is quick and loads no PyTorch until a model is asked for::

    import aptcore

    parser = aptcore.AptParser.from_pretrained()
    (parse,) = parser.parse(["The boy wants to go."])
    print(aptcore.format_penman(parse.graph))
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from aptcore.alignment.aligner import align as align
    from aptcore.errors import AptamrError as AptamrError
    from aptcore.graph.amr import AmrGraph as AmrGraph
    from aptcore.graph.amr import Sentence as Sentence
    from aptcore.graph.corpus import read_corpus as read_corpus
    from aptcore.graph.corpus import save_graphs as save_graphs
    from aptcore.graph.penman import format_penman as format_penman
    from aptcore.graph.penman import parse_penman as parse_penman
    from aptcore.graph.validation import problems_of as problems_of
    from aptcore.neural.parser import AptParser as AptParser
    from aptcore.neural.parser import Parse as Parse
    from aptcore.oracle.oracle import oracle_actions as oracle_actions
    from aptcore.scoring.evaluation import score_corpus as score_corpus
    from aptcore.trace.trace import Trace as Trace
    from aptcore.transition.actions import format_action as format_action
    from aptcore.transition.machine import replay as replay
    from aptcore.transition.machine import why_illegal as why_illegal
    from aptcore.transition.sets import parse_action as parse_action
    from aptcore.words.tokens import tokenize as tokenize

__version__ = "0.1.0"

_HOMES = {
    "AmrGraph": "graph.amr",
    "AptParser": "neural.parser",
    "AptamrError": "errors",
    "Parse": "neural.parser",
    "Sentence": "graph.amr",
    "Trace": "trace.trace",
    "align": "alignment.aligner",
    "format_action": "transition.actions",
    "format_penman": "graph.penman",
    "oracle_actions": "oracle.oracle",
    "parse_action": "transition.sets",
    "parse_penman": "graph.penman",
    "problems_of": "graph.validation",
    "read_corpus": "graph.corpus",
    "replay": "transition.machine",
    "save_graphs": "graph.corpus",
    "score_corpus": "scoring.evaluation",
    "tokenize": "words.tokens",
    "why_illegal": "transition.machine",
}

__all__ = ["__version__", *_HOMES]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
