"""What was done to a sentence, in words for people: messages, conflicts, a screen reader."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from app.store.log.operations import Difference
from aptcore.graph.amr import AmrGraph
from aptcore.graph.layout import INSTANCE, TOP, Triple

Names = Mapping[str, str]

_STATUS = {
    "accept": "Accepted",
    "reject": "Rejected",
    "skip": "Skipped",
    "reopen": "Opened again",
    "undo": "Taken back",
    "redo": "Done again",
}


def names_of(*graphs: AmrGraph) -> dict[str, str]:
    """Give how nodes and constants are called in words; the last graph counts most."""
    found: dict[str, str] = {}
    for graph in graphs:
        found |= {node.id: f"{node.id} / {node.concept}" for node in graph.nodes}
        found |= {item.id: item.value for item in graph.attributes}
    return found


def describe_what(what: Mapping[str, Any], names: Names) -> str:
    """Say what an operation of the store does.

    Args:
        what: The operation's JSON object.
        names: From :func:`names_of`.
    """
    do = what["do"]
    if do == "edit":
        return describe_edit(what["edit"], names)
    if do == "flag":
        return "Flagged" if what["on"] else "Flag taken away"
    if do == "confirm":
        return "Confirmed" if what.get("on", True) else "No longer confirmed"
    if do == "dismiss":
        return "Warning dismissed" if what.get("on", True) else "Warning shown again"
    if do == "draft":
        return "Draft of the text kept" if what["text"] else "Draft of the text dropped"
    if do == "comment":
        return "Comment kept"
    return _STATUS.get(do, str(do))


def describe_edit(edit: Mapping[str, Any], names: Names) -> str:
    """Say what an edit does.

    Args:
        edit: As ``aptcore.editing.edits`` writes it.
        names: From :func:`names_of`, of the graphs before and after it.
    """
    words = _WORDS.get(edit["edit"])
    return words(edit, names) if words is not None else str(edit["edit"])


def _name(names: Names, item: str) -> str:
    return names.get(item, item)


def _several(edit: Mapping[str, Any], names: Names) -> str:
    parts = edit["edits"]
    added = [part for part in parts if part["edit"] == "add-node"]
    links = [part for part in parts if part["edit"] == "add-edge"]
    if len(parts) == 2 and len(added) == len(links) == 1:
        return f"Added {_triple(links[0], names)}"
    if [part["edit"] for part in parts] == ["delete-node", "add-attribute"]:
        return f"Made {_name(names, parts[0]['id'])} the constant {parts[1]['value']}"
    said = [describe_edit(part, names) for part in parts[:3]]
    more = f" and {len(parts) - 3} more" if len(parts) > 3 else ""
    return "; ".join(said) + more


def _triple(edit: Mapping[str, Any], names: Names) -> str:
    return f"{_name(names, edit['source'])} {edit['role']} {_name(names, edit['target'])}"


def _changed(edit: Mapping[str, Any], names: Names) -> str:
    new = {
        "source": edit["new_source"],
        "role": edit["new_role"],
        "target": edit["new_target"],
    }
    return f"Changed {_triple(edit, names)} to {_triple(new, names)}"


def _aligned(edit: Mapping[str, Any], names: Names) -> str:
    key = edit["key"]
    shown = _name(names, key) if isinstance(key, str) else "an edge"
    tokens = ", ".join(map(str, edit["tokens"]))  # from 0, as everywhere
    return f"{shown} stands for {f'token {tokens}' if tokens else 'no token'}"


_WORDS: dict[str, Callable[[Mapping[str, Any], Names], str]] = {
    "several": _several,
    "add-node": lambda edit, names: f"Added {edit['id']} / {edit['concept']}",
    "rename-node": lambda edit, names: f"Renamed {edit['id']} to {edit['concept']}",
    "delete-node": lambda edit, names: f"Deleted {_name(names, edit['id'])}",
    "add-attribute": lambda edit, names: (
        f"Added {_name(names, edit['source'])} {edit['role']} {edit['value']}"
    ),
    "change-attribute": lambda edit, names: (
        f"Changed a constant to {_name(names, edit['source'])} {edit['role']} {edit['value']}"
    ),
    "delete-attribute": lambda edit, names: f"Deleted {_name(names, edit['id'])}",
    "add-edge": lambda edit, names: f"Added {_triple(edit, names)}",
    "change-edge": _changed,
    "delete-edge": lambda edit, names: f"Deleted {_triple(edit, names)}",
    "set-root": lambda edit, names: f"{_name(names, edit['id'])} is the root",
    "set-alignment": _aligned,
    "add-coref": lambda edit, names: (
        f"{_name(names, edit['id'])} is {edit['target']} of {edit['sentence']}"
    ),
    "delete-coref": lambda edit, names: (
        f"{_name(names, edit['id'])} is no longer {edit['target']} of {edit['sentence']}"
    ),
    "replace-graph": lambda edit, names: "Took the graph from the text",
}


def difference_lines(difference: Difference, names: Names) -> list[list[str]]:
    """Give the lines of a difference as pairs of a sign and a text."""
    lines = [["+", _shown(triple, names)] for triple in difference.gained]
    lines += [["−", _shown(triple, names)] for triple in difference.lost]
    if not lines:
        lines = [["·", f"{person}: {what}"] for _, person, _, what in difference.steps]
    return lines


def _shown(triple: Triple, names: Names) -> str:
    source, role, target = triple
    if role == TOP:
        return f"root {_name(names, source)}"
    if role == INSTANCE:
        return f"{source} / {target}"
    return f"{_name(names, source)} {role} {_name(names, target)}"


def conflict_text(by: str, person: str) -> str:
    """Say who came first."""
    if by == person:
        return "Conflict: you changed this sentence in another tab in the meantime."
    return f"Conflict: {by} changed this sentence in the meantime."
