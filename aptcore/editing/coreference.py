"""Which nodes of a sentence are the same as nodes of other sentences of its document.

The links stand in the metadata of the sentence that was linked, so that they travel with
its graph and nothing else of it changes:

    # ::coref h=fox.2:f i=fox.1:b

says that ``h`` of this sentence is ``f`` of the sentence whose ``::id`` is ``fox.2``, and
``i`` is ``b`` of ``fox.1``. A chain is what such links join, whichever way they point: the
identity chain of multi-sentence AMR, whose mentions are a sentence and a variable as well.

Source: O'Gorman and others 2018, AMR beyond the sentence: the multi-sentence AMR corpus.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from aptcore.errors import EditError
from aptcore.graph.amr import AmrGraph

KEY = "coref"
_LINK = re.compile(r"([^\s=:]+)=(\S+):([^\s=:]+)")


@dataclass(frozen=True, slots=True)
class CorefLink:
    """One node is the same as a node of another sentence.

    Attributes:
        node: Of the sentence that holds the link.
        sentence: ``::id`` of the other one.
        target: The node there.
    """

    node: str
    sentence: str
    target: str


def coref_links(metadata: Mapping[str, str]) -> tuple[CorefLink, ...]:
    """Read the links of a sentence from its metadata; what is none is passed over.

    >>> coref_links({"coref": "h=fox.2:f i=fox.1:b x"})[1]
    CorefLink(node='i', sentence='fox.1', target='b')
    """
    found = (_LINK.fullmatch(part) for part in metadata.get(KEY, "").split())
    return tuple(CorefLink(match[1], match[2], match[3]) for match in found if match)


def not_links(metadata: Mapping[str, str]) -> tuple[str, ...]:
    """Give what stands among the links of a sentence and is none.

    >>> not_links({"coref": "h=fox.2:f i=fox.1:b x"})
    ('x',)
    """
    return tuple(part for part in metadata.get(KEY, "").split() if not _LINK.fullmatch(part))


def is_linkable(sentence: str, own: str) -> bool:
    """Tell whether a link can name a sentence: it has an ``::id`` of its own, without white space.

    >>> is_linkable("fox.1", "fox.2"), is_linkable("fox 1", "fox.2"), is_linkable("", "fox.2")
    (True, False, False)
    """
    return sentence != own and _LINK.fullmatch(f"i={sentence}:i") is not None


def add_link(graph: AmrGraph, link: CorefLink) -> AmrGraph:
    """Add a link.

    Raises:
        EditError: If its node is not there, the link is there already, or the other sentence
            has no ``::id`` that can be written.
    """
    links = coref_links(graph.metadata)
    if link.node not in {node.id for node in graph.nodes}:
        raise EditError(f"there is no node {link.node}")
    if link in links:
        raise EditError(f"{link.node} is {link.target} of {link.sentence} already")
    if not _LINK.fullmatch(_written(link)):
        raise EditError("the other sentence needs an ::id without white space")
    if link.sentence == graph.metadata.get("id"):
        raise EditError("within one sentence an edge says it: give both edges the same node")
    return with_links(graph, (*links, link))


def delete_link(graph: AmrGraph, link: CorefLink) -> AmrGraph:
    """Take a link away.

    Raises:
        EditError: If it is not there.
    """
    links = coref_links(graph.metadata)
    if link not in links:
        raise EditError(f"{link.node} is not linked to {link.target} of {link.sentence}")
    return with_links(graph, [other for other in links if other != link])


def with_links(graph: AmrGraph, links: Iterable[CorefLink]) -> AmrGraph:
    """Give a graph these links and no others; what is no link in the line stays there."""
    parts = graph.metadata.get(KEY, "").split()
    line = " ".join([*(part for part in parts if not _LINK.fullmatch(part)), *map(_written, links)])
    return replace(graph, metadata={**graph.metadata, KEY: line})


def without_lost_links(graph: AmrGraph) -> AmrGraph:
    """Drop the links of nodes that are no longer there."""
    links, names = coref_links(graph.metadata), {node.id for node in graph.nodes}
    kept = [link for link in links if link.node in names]
    return graph if len(kept) == len(links) else with_links(graph, kept)


def chains(links: Mapping[str, Iterable[CorefLink]]) -> tuple[tuple[tuple[str, str], ...], ...]:
    """Join links to chains.

    Args:
        links: Those of each sentence, by its ``::id``, in the order of the document.

    Returns:
        Chains of mentions, each a sentence and a node, in the order in which they come up.

    >>> chains({"1": (), "2": [CorefLink("h", "1", "b")], "3": [CorefLink("i", "2", "h")]})
    ((('2', 'h'), ('1', 'b'), ('3', 'i')),)
    """
    chain_of: dict[tuple[str, str], dict[tuple[str, str], None]] = {}
    for sentence, own in links.items():
        for link in own:
            ends = (sentence, link.node), (link.sentence, link.target)
            joined = {
                mention: None for end in ends for mention in chain_of.get(end, dict.fromkeys([end]))
            }
            chain_of |= dict.fromkeys(joined, joined)
    return tuple(tuple(chain) for chain in {id(one): one for one in chain_of.values()}.values())


def _written(link: CorefLink) -> str:
    return f"{link.node}={link.sentence}:{link.target}"
