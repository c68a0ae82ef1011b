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
    from aptcore.advice.proposals import Proposal as Proposal
    from aptcore.advice.proposals import take as take
    from aptcore.advice.suggestion import Suggestion as Suggestion
    from aptcore.advice.suggestion import suggest as suggest
    from aptcore.alignment.aligner import align as align
    from aptcore.editing.applying import apply_edit as apply_edit
    from aptcore.editing.edits import AddAttribute as AddAttribute
    from aptcore.editing.edits import AddCoref as AddCoref
    from aptcore.editing.edits import AddEdge as AddEdge
    from aptcore.editing.edits import AddNode as AddNode
    from aptcore.editing.edits import ChangeAttribute as ChangeAttribute
    from aptcore.editing.edits import ChangeEdge as ChangeEdge
    from aptcore.editing.edits import DeleteAttribute as DeleteAttribute
    from aptcore.editing.edits import DeleteCoref as DeleteCoref
    from aptcore.editing.edits import DeleteEdge as DeleteEdge
    from aptcore.editing.edits import DeleteNode as DeleteNode
    from aptcore.editing.edits import RenameNode as RenameNode
    from aptcore.editing.edits import ReplaceGraph as ReplaceGraph
    from aptcore.editing.edits import SetAlignment as SetAlignment
    from aptcore.editing.edits import SetRoot as SetRoot
    from aptcore.editing.edits import Several as Several
    from aptcore.errors import ActionFormatError as ActionFormatError
    from aptcore.errors import AlignmentError as AlignmentError
    from aptcore.errors import AptamrError as AptamrError
    from aptcore.errors import CheckpointError as CheckpointError
    from aptcore.errors import ConfigurationError as ConfigurationError
    from aptcore.errors import EditError as EditError
    from aptcore.errors import FormatError as FormatError
    from aptcore.errors import GraphError as GraphError
    from aptcore.errors import IllegalActionError as IllegalActionError
    from aptcore.errors import InputError as InputError
    from aptcore.errors import PatternError as PatternError
    from aptcore.errors import PenmanError as PenmanError
    from aptcore.errors import StoreError as StoreError
    from aptcore.errors import TrainingError as TrainingError
    from aptcore.errors import UnavailableError as UnavailableError
    from aptcore.graph.amr import Alignment as Alignment
    from aptcore.graph.amr import AmrGraph as AmrGraph
    from aptcore.graph.amr import Attribute as Attribute
    from aptcore.graph.amr import Edge as Edge
    from aptcore.graph.amr import Node as Node
    from aptcore.graph.amr import Sentence as Sentence
    from aptcore.graph.corpus import Corpus as Corpus
    from aptcore.graph.corpus import Record as Record
    from aptcore.graph.corpus import read_corpus as read_corpus
    from aptcore.graph.corpus import save_graphs as save_graphs
    from aptcore.graph.penman import format_penman as format_penman
    from aptcore.graph.penman import parse_penman as parse_penman
    from aptcore.graph.validation import problems_of as problems_of
    from aptcore.neural.next_actions import DecodingOptions as DecodingOptions
    from aptcore.neural.parser import AptParser as AptParser
    from aptcore.neural.parses import Parse as Parse
    from aptcore.oracle.oracle import OracleResult as OracleResult
    from aptcore.oracle.oracle import oracle_actions as oracle_actions
    from aptcore.scoring.evaluation import Report as Report
    from aptcore.scoring.evaluation import score_corpus as score_corpus
    from aptcore.trace.trace import Step as Step
    from aptcore.trace.trace import Trace as Trace
    from aptcore.transition.actions import format_action as format_action
    from aptcore.transition.building import graph_of as graph_of
    from aptcore.transition.machine import advance as advance
    from aptcore.transition.machine import replay as replay
    from aptcore.transition.machine import start as start
    from aptcore.transition.machine import why_illegal as why_illegal
    from aptcore.transition.sets import parse_action as parse_action
    from aptcore.transition.state import Item as Item
    from aptcore.transition.state import ParserState as ParserState
    from aptcore.words.tokens import tokenize as tokenize
else:  # a checker would take every name for one of these

    def __getattr__(name: str) -> object:
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)


__version__ = "0.1.0"

_HOMES = {
    "ActionFormatError": "errors",
    "AddAttribute": "editing.edits",
    "AddCoref": "editing.edits",
    "AddEdge": "editing.edits",
    "AddNode": "editing.edits",
    "Alignment": "graph.amr",
    "AlignmentError": "errors",
    "AmrGraph": "graph.amr",
    "AptParser": "neural.parser",
    "AptamrError": "errors",
    "Attribute": "graph.amr",
    "ChangeAttribute": "editing.edits",
    "ChangeEdge": "editing.edits",
    "CheckpointError": "errors",
    "ConfigurationError": "errors",
    "Corpus": "graph.corpus",
    "DecodingOptions": "neural.next_actions",
    "DeleteAttribute": "editing.edits",
    "DeleteCoref": "editing.edits",
    "DeleteEdge": "editing.edits",
    "DeleteNode": "editing.edits",
    "Edge": "graph.amr",
    "EditError": "errors",
    "FormatError": "errors",
    "GraphError": "errors",
    "IllegalActionError": "errors",
    "InputError": "errors",
    "Item": "transition.state",
    "Node": "graph.amr",
    "OracleResult": "oracle.oracle",
    "Parse": "neural.parses",
    "ParserState": "transition.state",
    "PatternError": "errors",
    "PenmanError": "errors",
    "Proposal": "advice.proposals",
    "Record": "graph.corpus",
    "RenameNode": "editing.edits",
    "ReplaceGraph": "editing.edits",
    "Report": "scoring.evaluation",
    "Sentence": "graph.amr",
    "SetAlignment": "editing.edits",
    "SetRoot": "editing.edits",
    "Several": "editing.edits",
    "Step": "trace.trace",
    "StoreError": "errors",
    "Suggestion": "advice.suggestion",
    "Trace": "trace.trace",
    "TrainingError": "errors",
    "UnavailableError": "errors",
    "advance": "transition.machine",
    "align": "alignment.aligner",
    "apply_edit": "editing.applying",
    "format_action": "transition.actions",
    "format_penman": "graph.penman",
    "graph_of": "transition.building",
    "oracle_actions": "oracle.oracle",
    "parse_action": "transition.sets",
    "parse_penman": "graph.penman",
    "problems_of": "graph.validation",
    "read_corpus": "graph.corpus",
    "replay": "transition.machine",
    "save_graphs": "graph.corpus",
    "score_corpus": "scoring.evaluation",
    "start": "transition.machine",
    "suggest": "advice.suggestion",
    "take": "advice.proposals",
    "tokenize": "words.tokens",
    "why_illegal": "transition.machine",
}

__all__ = ["__version__", *_HOMES]


def __dir__() -> list[str]:
    return sorted(__all__)
