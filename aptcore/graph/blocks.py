"""Where each block of an AMR file begins and ends, and its ``# ::key value`` lines.

Blank lines alone do not tell: some files have none between two graphs, others have
one inside a graph. A block begins with its ``# ::key`` lines or its first bracket
and ends with its graph; a new ``# ::key`` line ends a graph that was never closed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from aptcore.graph.branches import TOKEN
from aptcore.graph.characters import plain_text

METADATA_LINE = re.compile(r"#\s*::(\S*)(?:\s+(.*))?$")
_SPACES = re.compile(r"[ \t\r\n\v\f]+")
_NEXT_KEY = re.compile(r"(?:^|\s+)::(?=[A-Za-z])")
SHARED_LINE_KEYS = frozenset({"id", "date", "annotator", "save-date", "alignments"})
"""Keys whose line may hold more keys; every other value goes to the end of its line."""

REPEATED_KEYS = frozenset({"node", "edge"})
"""Keys of JAMR's and IBM's files that stand in a block once for each node and edge."""

_ALIKE = str.maketrans("’‘`´“”„‟«»–—", "''''" + '"' * 6 + "--")
_ONE_SIGN = {"''": '"', "--": "-", "...": "…"}

_LINE = re.compile(r"([^\r\n]*)(\r\n|\n|\r|$)")


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a file.

    Attributes:
        text: The line without its end.
        start: Its place in the text of the file, in characters.
        end: The place of its line end.
    """

    text: str
    start: int
    end: int

    @property
    def is_blank(self) -> bool:
        """Tell whether there is only white space."""
        return not self.text.strip()

    @property
    def is_comment(self) -> bool:
        """Tell whether the line is a comment of any kind."""
        return self.text.lstrip().startswith("#")

    @property
    def is_metadata(self) -> bool:
        """Tell whether the line is of the form ``# ::key value``."""
        return METADATA_LINE.match(self.text.strip()) is not None

    @property
    def opens_graph(self) -> bool:
        """Tell whether the line begins with a bracket."""
        return self.text.lstrip().startswith("(")


def split_lines(raw: str) -> list[Line]:
    """Split text at line ends of all three kinds, and at nothing else.

    ``str.splitlines`` would also split at characters that may stand in a sentence.
    """
    return [
        Line(match[1], match.start(1), match.end(1))
        for match in _LINE.finditer(raw)
        if match.group()
    ]


def _depth_after(line: str, depth: int) -> int:
    """Follow the brackets of a line; an open quotation mark hides the rest of it."""
    for match in TOKEN.finditer(line):
        if match.lastgroup == "open":
            depth += 1
        elif match.lastgroup == "close":
            depth = max(depth - 1, 0)
        elif match.group() == '"':
            break
    return depth


def find_blocks(lines: list[Line]) -> tuple[list[tuple[int, int]], list[int]]:
    """Find the blocks of a file.

    Returns:
        First line and line after the last (from 0) of each block, and the lines with
        text that belong to none.
    """
    blocks: list[tuple[int, int]] = []
    stray: list[int] = []
    first = last = -1  # of the open block; first is -1 when there is none
    depth = 0
    has_graph = has_metadata = after_blank = False
    for number, line in enumerate(lines):
        if line.is_blank:
            after_blank = True
            if first >= 0 and has_graph and depth == 0:
                blocks.append((first, last))
                first = -1
            continue
        is_unclosed = depth > 0 and (line.is_metadata or (after_blank and line.text[0] == "("))
        if (
            first >= 0
            and (depth == 0 or is_unclosed)
            and _begins_block(line, has_graph, has_metadata, after_blank)
        ):
            blocks.append((first, last))
            first = -1
        if first < 0:
            depth, has_graph, has_metadata = 0, False, False
            if not (line.is_metadata or line.opens_graph):
                if not line.is_comment:
                    stray.append(number)
                after_blank = False
                continue
            first = number
        last = number + 1
        has_metadata |= line.is_metadata
        if not line.is_comment:
            has_graph = True
            depth = _depth_after(line.text, depth)
        after_blank = False
    if first >= 0:
        blocks.append((first, last))
    return blocks, stray


def _begins_block(line: Line, has_graph: bool, has_metadata: bool, after_blank: bool) -> bool:
    """Tell whether a line that stands inside no graph begins a new block.

    A second graph right below the first, in a block with metadata, is a fault of
    that block and stays in it.
    """
    if line.is_comment:
        return has_graph or (after_blank and line.is_metadata)
    return has_graph and line.opens_graph and (after_blank or not has_metadata)


def metadata_of_line(line: str) -> tuple[tuple[str, str], ...]:
    """Read the keys and values of one ``# ::key value`` line; empty for other lines.

    ``::snt`` and the like are read to the end of the line, because a sentence may
    hold ``::`` itself.
    """
    match = METADATA_LINE.match(line.strip())
    if match is None:
        return ()
    key, value = match[1], (match[2] or "").strip()
    if key not in SHARED_LINE_KEYS:
        return ((key, value),)
    first, *others = _NEXT_KEY.split(value)
    pairs = [(key, first.strip())]
    for other in others:
        name, _, rest = other.strip().partition(" ")
        pairs.append((name, rest.strip()))
    return tuple(pairs)


def metadata_of(lines: Iterable[str]) -> tuple[dict[str, str], tuple[str, ...]]:
    """Collect the metadata of comment lines.

    Returns:
        The values by key in order, the first where a key comes twice, and the keys
        that came twice. Of the keys that may repeat all values, one a line.
    """
    metadata: dict[str, str] = {}
    repeated: list[str] = []
    for line in lines:
        for key, value in metadata_of_line(line):
            if key in metadata and key in REPEATED_KEYS:
                metadata[key] += f"\n{value}"
            elif key in metadata:
                repeated.append(key)
            else:
                metadata[key] = value
    return metadata, tuple(repeated)


def format_metadata(metadata: Mapping[str, str]) -> str:
    """Write one ``# ::key value`` line for each key; a line break becomes a space."""
    lines = []
    for key, value in metadata.items():
        for part in value.split("\n") if key in REPEATED_KEYS else [value]:
            one_line = re.sub(r"\r\n|\n|\r", " ", part)
            lines.append(f"# ::{key} {one_line}".rstrip(" ") + "\n")
    return "".join(lines)


def tokens_of(metadata: Mapping[str, str]) -> tuple[str, ...]:
    """Give the tokens that the alignments of a block count.

    ``::tokens`` is a JSON list; the values of ``::tok`` and ``::snt`` are split at ASCII
    white space only: a no-break space stands inside a token. IBM's ``<ROOT>`` at the end is
    no token.
    """
    listed = metadata.get("tokens", "")
    tokens = listed_tokens(listed) if listed.startswith("[") else None
    if tokens is None:
        is_read = listed and not listed.startswith("[")
        line = listed if is_read else metadata.get("tok") or metadata.get("snt", "")
        tokens = [token for token in _SPACES.split(line) if token]
    return tuple(tokens[:-1] if tokens[-1:] == ["<ROOT>"] else tokens)


def listed_tokens(line: str) -> list[str] | None:
    """Read the JSON list of ``::tokens``; None where it is none."""
    try:
        tokens = json.loads(line)
    except (ValueError, RecursionError):
        return None
    is_list = isinstance(tokens, list) and all(isinstance(token, str) for token in tokens)
    return tokens if is_list else None


def token_line(tokens: Sequence[str]) -> dict[str, str]:
    """Write tokens as a line that :func:`tokens_of` reads: ``::tok``, or a JSON list.

    >>> token_line(["It", "rains"]), token_line(["3 1/2", "cups"])
    ({'tok': 'It rains'}, {'tokens': '["3 1/2", "cups"]'})
    """
    if all(token and not _SPACES.search(token) for token in tokens):
        return {"tok": " ".join(tokens)}
    return {"tokens": json.dumps(list(tokens), ensure_ascii=False)}


def join_isi_tokens(tokens: Sequence[str]) -> tuple[str, tuple[tuple[int, int], ...]]:
    """Join tokens with spaces, and without one where ISI's ``@`` stands.

    ``T @-@ cell`` gives ``T-cell``; a sign that begins with ``@`` joins its left
    neighbour only, one that ends with ``@`` its right one. ``@user`` stays.

    Returns:
        The text, and start and end (half-open) of each token in it.
    """
    text = ""
    spans = []
    glue = True
    for token in tokens:
        joins_left = len(token) > 1 and token[0] == "@" and not token[1].isalnum()
        joins_right = len(token) > 1 and token[-1] == "@" and not token[-2].isalnum()
        core = token[joins_left : len(token) - joins_right]
        if not (glue or joins_left):
            text += " "
        spans.append((len(text), len(text) + len(core)))
        text += core
        glue = joins_right
    return text, tuple(spans)


def token_problems(lines: Sequence[Line], metadata: Mapping[str, str]) -> list[tuple[int, str]]:
    """Say where the tokens are not the words of the sentence, or cannot be read."""
    for key in ("tokens", "tok"):
        places = lines_with(key, lines)
        if not places or not metadata.get(key):
            continue
        if (
            key == "tokens"
            and metadata[key].startswith("[")
            and listed_tokens(metadata[key]) is None
        ):
            return [(places[0], "::tokens is no JSON list of texts; it is not read")]
        tokens = tokens_of(metadata)
        words = compared(join_isi_tokens(tokens)[0])
        if metadata.get("snt") and words != compared(metadata["snt"]):
            return [(places[0], f"::{key} is not the words of ::snt")]
        return []
    return []


def lines_with(key: str, lines: Sequence[Line]) -> list[int]:
    """Give the lines of a block, from 0, that have a key."""
    return [n for n, line in enumerate(lines) if key in dict(metadata_of_line(line.text))]


def compared(text: str) -> str:
    """Give the characters by which tokens and sentence are compared: signs of a kind alike."""
    plain = "".join(plain_text(text).text.split()).translate(_ALIKE)
    return plain.replace("''", '"').replace("--", "-").replace("…", "...").casefold()


def spans_in(text: str, pieces: list[str]) -> list[tuple[int, int]]:
    """Find pieces in order, all in their plain form; one that is not near is left out."""
    plain = plain_text(text)
    words = plain.text.translate(_ALIKE)
    spans = []
    position = 0
    for given in pieces:
        piece = plain_text(given).text.translate(_ALIKE)
        if piece not in words:
            piece = _ONE_SIGN.get(piece, piece)
        start = words.find(piece, position, position + len(piece) + 40)
        if start < 0 or not piece:
            spans.append((0, 0))
        else:
            position = start + len(piece)
            spans.append((plain.starts[start], plain.ends[position - 1]))
    return spans
