"""PENMAN text as a flat list of branches, and back.

A graph in PENMAN notation is a tree with labels; it is kept here as its branches
in pre-order, each with its depth, so that nothing recurses and a very deep graph
costs no more than a wide one:

    (w / want-01            depth 0, target w, concept want-01
       :ARG0 (b / boy)      depth 1, role :ARG0, target b, concept boy
       :ARG1 (g / go-02     depth 1, role :ARG1, target g, concept go-02
          :ARG0 b))         depth 2, role :ARG0, target b, no concept

The tokens are penman's. The reading is our own, because penman 1.3.1 takes
``:time 18:45`` for two roles, drops text after the graph and a second concept for
one variable without a word, and gives no line for any of them.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, NoReturn

from aptcore.errors import PenmanError

_DOUBLE, _SINGLE = "“”„‟«»‹›「」『』〝〞〟＂", "‘’‚‛"
_BENT = _DOUBLE + _SINGLE
_QUOTED = r"""['`´]+(?P<{}>[^ \t\r\n\v\f"()/:~]+?)['´]+(?![^ \t\r\n\v\f()~])"""

TOKEN = re.compile(
    rf"""(?P<comment>\#.*$)
    |(?P<string>"[^"\\]*(?:\\.[^"\\]*)*")
    |(?P<open>\()
    |(?P<close>\))
    |(?P<slash>/)
    |(?P<role>:[^ \t\r\n\v\f"()/:~]*)
    |(?P<symbol>(?![{_SINGLE}])(?!{_QUOTED.format("quoted")})[^ \t\r\n\v\f"()/:~{_DOUBLE}]+)
    |(?P<mark>~(?:[a-z]\.?)?[0-9]+(?:,[0-9]+)*)
    |(?P<unexpected>[^ \t\r\n\v\f])""",
    re.VERBOSE,
)
"""One token of a line; the same classes and order as in penman 1.3.1.

A symbol holds no typographic quotation mark and stands between no single ones: ``“Mara”``
and ``'Mara'`` would be constants with the marks in them. An apostrophe inside a word is none.
"""

_BENT_TEXT = re.compile(
    rf"""{_QUOTED.format("single")}
    | [{_BENT}"]? (?P<inner> (?: [^{_BENT}"()] | (?<=\w)’(?=\w) )* ) [{_BENT}"]?""",
    re.VERBOSE,
)

_BETWEEN_SINGLE = re.compile(_QUOTED.format("inner"))

_HIDDEN = ("Cc", "Cs")  # control characters and lone surrogates cannot be written safely


@dataclass(frozen=True, slots=True)
class Branch:
    """One branch of a graph as written.

    Attributes:
        depth: 0 for the root, 1 for its branches, and so on.
        role: As written, ``-of`` included; empty for the root.
        target: A variable, or a constant with its quotation marks.
        concept: Set where the variable is introduced, else None.
        role_mark: ``~e.3`` behind the role, or empty.
        target_mark: ``~e.3`` behind the concept, constant or variable, or empty.
        line: Where it stands in its text, from 1; 0 if it was never written.
    """

    depth: int
    role: str
    target: str
    concept: str | None = None
    role_mark: str = ""
    target_mark: str = ""
    line: int = field(default=0, compare=False)


Layout = tuple[Branch, ...]


class _Token(NamedTuple):
    kind: str
    text: str
    line: int
    offset: int


def quote(text: str) -> str:
    r"""Write any text as a constant in quotation marks; a line break becomes a space.

    >>> quote('say "hi"')
    '"say \\"hi\\""'
    """
    one_line = " ".join(re.split(r"\r\n|[\n\r]", text))
    return '"' + one_line.replace("\\", "\\\\").replace('"', '\\"') + '"'


def unquote(value: str) -> str:
    """Give the text of a constant: the inverse of ``quote``; other constants stay."""
    if len(value) < 2 or value[0] != '"' or value[-1] != '"':
        return value
    return re.sub(r'\\(["\\])', r"\1", value[1:-1])


def is_writable_concept(text: str) -> bool:
    """Tell whether a text can stand as a concept and be read back.

    It is not empty, does not begin with ``#``, stands between no single quotation marks, holds
    no white space, double quotation mark (no typographic one either), bracket, colon, slash,
    ``~`` or control character, and something of it can be seen.
    """
    if text.isascii() and text.replace("-", "").isalnum():
        return True  # nearly all are so, and the rest of this takes ten times as long
    if not text or text[0] == "#" or not any(character.isprintable() for character in text):
        return False
    if text[0] in _SINGLE or _BETWEEN_SINGLE.fullmatch(text):
        return False
    if any(character in _DOUBLE for character in text):
        return False
    return not any(
        character in '"()/:~' or character.isspace() or unicodedata.category(character) in _HIDDEN
        for character in text
    )


def is_token(text: str, *kinds: str) -> bool:
    """Tell whether a text is one token of one of these kinds, alone on its line."""
    match = TOKEN.fullmatch(text)
    return match is not None and match.lastgroup in kinds and "\n" not in text


def format_layout(layout: Layout) -> str:
    """Write branches as PENMAN text, each branch on its own line below its node."""
    pieces: list[str] = []
    columns: list[int] = []  # where the branches of each open node start
    column = 0
    for branch in layout:
        while len(columns) > branch.depth:
            pieces.append(")")
            columns.pop()
        if branch.depth:
            column = columns[-1]
            role = branch.role + branch.role_mark
            pieces.append("\n" + " " * column + role + " ")
            column += len(role) + 1
        if branch.concept is None:
            pieces.append(branch.target + branch.target_mark)
        else:
            pieces.append(f"({branch.target} / {branch.concept}{branch.target_mark}")
            columns.append(column + len(branch.target) + 2)
    return "".join(pieces) + ")" * len(columns)


def parse_layout(text: str, *, path: str | None = None, first_line: int = 1) -> Layout:
    """Read one graph; comments before and after it are skipped.

    Args:
        text: One graph in PENMAN notation.
        path: Its file, for messages.
        first_line: The line of the file on which ``text`` begins, from 1.

    Raises:
        PenmanError: The text is not exactly one graph. Roles are not checked.
    """
    return _Reader(text, path, first_line).read()


class _Reader:
    """Reads one graph; holds the place for messages, so that each can show it."""

    def __init__(self, text: str, path: str | None, first_line: int) -> None:
        self.lines = [line.rstrip("\r") for line in text.split("\n")]
        self.path = path
        self.first_line = first_line
        self.position = 0
        self.introduced: dict[str, int] = {}
        self.tokens = [
            _Token(str(match.lastgroup), match.group(), number, match.start())
            for number, line in enumerate(self.lines)
            for match in TOKEN.finditer(line)
            if match.lastgroup != "comment"
        ]
        end = self.tokens[-1] if self.tokens else _Token("end", "", 0, 0)
        self.end = _Token("end", "", end.line, end.offset + len(end.text))

    def read(self) -> Layout:
        if not self.tokens:
            self.fail("there is no graph here; a graph begins with a bracket", self.end)
        branches = [self.node(0, "", "")]
        depth = 1
        while depth:
            token = self.next()
            if token.kind == "close":
                depth -= 1
            elif token.kind == "role":
                branches.append(self.branch(depth, token))
                depth += branches[-1].concept is not None
            else:
                self.fail_on(token, "a role or a closing bracket")
        if self.peek().kind != "end":
            after = self.peek()
            self.fail(f"text after the end of the graph: {self.rest(after)!r}", after)
        return tuple(branches)

    def node(self, depth: int, role: str, role_mark: str) -> Branch:
        opening = self.expect("open", "an opening bracket")
        variable = self.expect("symbol", "a variable").text
        if variable in self.introduced:
            self.fail(
                f"variable {variable!r} is introduced twice, first on line "
                f"{self.introduced[variable]}; rename one of the two nodes",
                opening,
            )
        if self.peek().kind != "slash":
            self.fail(f"variable {variable!r} has no concept; write ({variable} / ...)", opening)
        self.next()
        if self.peek().kind not in ("symbol", "string"):
            self.fail_on(self.peek(), f"a concept for variable {variable!r}")
        concept = self.next().text
        line = opening.line + self.first_line
        self.introduced[variable] = line
        return Branch(depth, role, variable, concept, role_mark, self.mark(), line)

    def branch(self, depth: int, role: _Token) -> Branch:
        role_mark = self.mark()
        target = self.peek()
        if target.kind == "open":
            return self.node(depth, role.text, role_mark)
        if target.kind in ("role", "close"):
            self.fail(self.no_target(role), role)
        if target.kind not in ("symbol", "string"):
            self.fail_on(target, f"a value or a node for {role.text!r}")
        text = self.next().text
        line = role.line + self.first_line
        return Branch(depth, role.text, text, None, role_mark, self.mark(), line)

    def mark(self) -> str:
        token = self.peek()
        before = self.tokens[self.position - 1]
        if token.kind != "mark" or token.line != before.line:
            return ""
        if token.offset != before.offset + len(before.text):
            return ""
        return self.next().text

    def peek(self) -> _Token:
        if self.position < len(self.tokens):
            return self.tokens[self.position]
        return self.end

    def next(self) -> _Token:
        token = self.peek()
        self.position += 1
        return token

    def expect(self, kind: str, wanted: str) -> _Token:
        token = self.next()
        if token.kind != kind:
            self.fail_on(token, wanted)
        return token

    def no_target(self, role: _Token) -> str:
        word = self.word(role)
        if word != role.text and word[0] != ":":
            return (
                f"role {role.text!r} has no target; if {word!r} is one value, "
                f'write it in quotation marks: "{word}"'
            )
        return f"role {role.text!r} has no target"

    def fail_on(self, token: _Token, wanted: str) -> NoReturn:
        """Say what stands in the way at ``token``."""
        index = self.tokens.index(token) if token in self.tokens else 0
        before = self.tokens[index - 1] if index else None
        bent = self.bent(token)
        if bent:
            message = bent
        elif token.kind == "end":
            message = f"the graph is not closed: the text ends before {wanted}"
        elif token.text == '"':
            message = "unclosed quotation mark"
        elif token.kind == "slash" and before is not None and before.kind == "symbol":
            message = f"{self.word(token)!r} holds a slash; write it in quotation marks"
        elif token.kind == "symbol" and before is not None and before.kind == "symbol":
            message = f"{before.text + ' ' + token.text!r} holds a space where {wanted} should be"
        else:
            message = f"{token.text!r} stands where {wanted} should be"
        self.fail(message, token)

    def bent(self, token: _Token) -> str:
        """Say how to write what has typographic quotation marks; empty where none stand."""
        line = self.lines[token.line] if self.lines else ""
        is_open = token.text == '"' and any(mark in line[token.offset :] for mark in _DOUBLE)
        is_mark = token.kind == "unexpected" and token.text in f"{_BENT}'`´"
        if not is_open and not is_mark:
            return ""
        start = token.offset
        if start and line[start - 1] not in " \t(":  # only the closing mark is bent
            start = max(line.rfind(sign, 0, start) for sign in " \t(") + 1
        match = _BENT_TEXT.match(line, start)
        inner = (match["single"] or match["inner"]) if match else ""
        shown, fixed = match.group() if match else token.text, quote(inner.strip())
        if match and match["single"]:
            return f"{shown} has single quotation marks; write it with double ones: {fixed}"
        return f"{shown} has typographic quotation marks; write it with straight ones: {fixed}"

    def fail(self, message: str, token: _Token) -> NoReturn:
        line = self.lines[token.line] if self.lines else ""
        raise PenmanError(
            message,
            path=self.path,
            line=token.line + self.first_line,
            offset=token.offset,
            text=line,
        )

    def word(self, token: _Token) -> str:
        """Give the run of characters around a token, up to white space or a bracket."""
        line = self.lines[token.line]
        start = len(re.split(r"[\s()]", line[: token.offset])[-1])
        return re.split(r"[\s()]", line[token.offset - start :])[0]

    def rest(self, token: _Token) -> str:
        return self.lines[token.line][token.offset :].strip()[:60]


def variables_of(layout: Sequence[Branch]) -> dict[str, str]:
    """Give the concept of each variable in order of introduction."""
    return {branch.target: branch.concept for branch in layout if branch.concept is not None}
