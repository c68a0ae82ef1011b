"""Who is on a sentence at the same time, and which conflicts came up there.

The store tells the second writer of a conflict; this tells the first one too. It is a
courtesy between the pages of one process: nothing is decided by it, and it is forgotten.
"""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass

HERE_SECONDS = 12.0
"""How long after its last sign a page counts as open."""

TOLD_SECONDS = 180.0
"""How long a conflict is told to the first writer."""


@dataclass(frozen=True, slots=True)
class Clash:
    """A conflict that a second writer met.

    Attributes:
        session: Theirs.
        person: Who they are.
        mine: What they wanted to do, in words.
        at: When, in seconds of the clock.
    """

    session: str
    person: str
    mine: str
    at: float


@dataclass(frozen=True, slots=True)
class _Page:
    """A page on a sentence: whose it is, and when it gave its first and its last sign there."""

    person: str
    first: float
    last: float


class Meetings:
    """Pages that are open now, by sentence.

    Args:
        clock: Gives seconds.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._seen: dict[int, dict[str, _Page]] = defaultdict(dict)
        self._clashes: dict[int, list[Clash]] = defaultdict(list)

    def be_here(self, sentence: int, session: str, person: str) -> None:
        """Note that a page shows a sentence."""
        with self._lock:
            now = self._clock()
            known = self._seen.get(sentence, {}).get(session)
            for number, pages in list(self._seen.items()):
                pages.pop(session, None)
                for name in [one for one, page in pages.items() if now - page.last > HERE_SECONDS]:
                    del pages[name]
                if not pages:
                    del self._seen[number]
            self._seen[sentence][session] = _Page(person, known.first if known else now, now)

    def others(self, sentence: int, session: str) -> tuple[str, ...]:
        """Give who else has a sentence open, in order of name.

        A page that has given no sign since this one came may be the same one before it was
        loaded anew, or left for another sentence and back: it does not count.
        """
        with self._lock:
            now = self._clock()
            pages = self._seen.get(sentence, {})
            since = pages[session].first if session in pages else 0.0
            names = {
                page.person
                for name, page in pages.items()
                if name != session and page.last >= since and now - page.last <= HERE_SECONDS
            }
        return tuple(sorted(names))

    def clash(self, sentence: int, session: str, person: str, mine: str) -> None:
        """Note a conflict that someone met."""
        with self._lock:
            now = self._clock()
            recent = [one for one in self._clashes[sentence] if now - one.at <= TOLD_SECONDS]
            self._clashes[sentence] = [*recent, Clash(session, person, mine, now)]

    def clashes(self, sentence: int, session: str) -> tuple[Clash, ...]:
        """Give the conflicts that others met on a sentence, the oldest first."""
        with self._lock:
            now = self._clock()
            found = self._clashes.get(sentence, [])
            return tuple(
                one for one in found if one.session != session and now - one.at <= TOLD_SECONDS
            )


def meeting_text(
    person: str, others: tuple[str, ...], clashes: tuple[Clash, ...], news: tuple[str, ...]
) -> str:
    """Say who else is here and what they did or wanted; empty if there is nobody.

    Args:
        person: Who reads this.
        others: Who else has the sentence open.
        clashes: Conflicts that others met with this person's changes.
        news: What others changed since the sentence was drawn last.
    """
    parts = []
    for clash in clashes[-1:]:
        name = "another tab of yours" if clash.person == person else clash.person
        parts.append(
            f"Conflict: {name} tried to change this sentence at the same time ({clash.mine}), "
            "was shown your change, and decides."
        )
    if news:
        parts.append(f"Changed here meanwhile: {'; '.join(news[-3:])}.")
    names = ["you, in another tab" if name == person else name for name in others]
    if names:
        parts.append(f"Also open here: {', '.join(names)}.")
    return " ".join(parts)
