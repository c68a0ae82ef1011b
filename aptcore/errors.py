"""Every error that aptamr raises on purpose, in one tree.

AptamrError
├── FormatError            text that cannot be read; carries path, line and offset
│   ├── PenmanError        one graph that is not PENMAN
│   ├── AlignmentError     an alignment that names what is not there
│   ├── ActionFormatError  an action or label string that the codec does not know
│   └── PatternError       a pattern or its template that is not one
├── GraphError             a graph that is read but not sound; lists all problems
├── EditError              an edit that a graph does not allow, with the reason
├── IllegalActionError     an action that the parser state does not allow
├── InputError             a sentence that cannot be parsed (too long, no words)
├── ConfigurationError     a setting with a wrong name or value
├── CheckpointError        a model folder that is damaged, or made for other parts
├── StoreError             an annotation store that cannot be opened, or lacks what is named
│   └── UnavailableError   a store that cannot read or write now: ask again later
└── TrainingError          a training run that cannot go on
"""

from __future__ import annotations

from collections.abc import Collection, Sequence


class AptamrError(Exception):
    """The base of all errors of this program."""


class FormatError(AptamrError):
    """Text that cannot be read.

    Args:
        message: What is wrong and what to do about it.
        path: The file, if the text came from one.
        line: Line within the file or text, from 1.
        offset: Character within that line, from 0.
        text: The line itself; shown with a caret under ``offset``.
    """

    def __init__(
        self,
        message: str,
        *,
        path: str | None = None,
        line: int | None = None,
        offset: int | None = None,
        text: str | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.path = path
        self.line = line
        self.offset = offset
        self.text = text

    def __str__(self) -> str:
        place = self.path or ""
        if self.line is not None:
            place += f":{self.line}" if place else f"line {self.line}"
        shown = f"{place}: {self.message}" if place else self.message
        if self.text is not None:
            shown += f"\n  {self.text}"
            if self.offset is not None:
                shown += "\n  " + " " * self.offset + "^"
        return shown


class PenmanError(FormatError):
    """One graph that is not well-formed PENMAN."""


class AlignmentError(FormatError):
    """An alignment that names a token, node or address that does not exist."""


class ActionFormatError(FormatError):
    """An action or label string that the codec does not know."""


class PatternError(FormatError):
    """A pattern for graphs, or a template for rewriting, that cannot be understood."""


class GraphError(AptamrError):
    """A graph that could be read but is not sound.

    Args:
        problems: All problems found, one sentence each.
    """

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__("; ".join(problems))
        self.problems = tuple(problems)


class EditError(AptamrError):
    """An edit that a graph does not allow, or that cannot be read."""


class IllegalActionError(AptamrError):
    """An action that the parser state does not allow, with the reason."""


class InputError(AptamrError):
    """A sentence that cannot be parsed."""


class ConfigurationError(AptamrError):
    """A setting with an unknown name or a value out of range."""


class CheckpointError(AptamrError):
    """A model folder that is incomplete, damaged or made for other parts."""


class StoreError(AptamrError):
    """An annotation store that cannot be opened, or that lacks or refuses what is named."""


class UnavailableError(StoreError):
    """A store that cannot read or write now: locked, full, gone. Nothing was done; ask again."""


class TrainingError(AptamrError):
    """A training run that cannot start or cannot go on."""


def check_choice(name: str, value: object, choices: Collection[str]) -> None:
    """Refuse what is none of the values that a setting may have.

    Raises:
        ConfigurationError: With the setting, the value and the choices.
    """
    if value not in choices:
        raise ConfigurationError(f"{name} is {value!r}; it may be {' or '.join(choices)}")


def reason(error: Exception, is_named: bool = False) -> str:
    """Say what an error was, without the number that the system gives it.

    Args:
        error: What was raised.
        is_named: The message names the file already.

    >>> reason(FileNotFoundError(2, "No such file or directory", "gold.amr"))
    'gold.amr: no such file or directory'
    >>> reason(FileNotFoundError(2, "No such file or directory", "gold.amr"), is_named=True)
    'no such file or directory'
    """
    if isinstance(error, IsADirectoryError) and not is_named:
        return f"{error.filename} is a folder: name a file in it"
    if isinstance(error, OSError) and error.strerror:
        said = error.strerror[:1].lower() + error.strerror[1:]
        return said if is_named or error.filename is None else f"{error.filename}: {said}"
    return str(error)
