"""Whether what a frame says of its ``:ARG1`` alone is done to it or by it: `is seen`, `dies`."""

from __future__ import annotations

from typing import Literal

from aptcore.advice.english.word_classes import is_adjective, is_noun
from aptcore.words.frames import Lexicon, lemma_of

Voice = Literal["active", "passive", "unknown"]

_ACTIVE = frozenset(
    "appear arise arrive average become belong burst come cost crumble decay depend derive die "
    "differ disappear drown elapse emerge evolve exist expire explode faint fail fall flourish "
    "flow go grow happen hesitate last lie live matter migrate occur originate perish persist "
    "proliferate rain remain result rise seem shine sleep snow stand stay suffer survive thrive "
    "tremble vanish vary wait".split()
)
_SHARE = 0.02


def voice_of(concept: str, lexicon: Lexicon) -> Voice:
    """Tell how a frame is said that has ``:ARG1`` and no ``:ARG0``.

    Args:
        concept: The frame.
        lexicon: Its frame list is asked first, then the counts of training graphs.

    Returns:
        ``active`` for `die` and for adjectives; ``passive`` where somebody else is known to
        do it; ``unknown`` where neither is known: then nothing should be made of it.

    >>> from aptcore.words.frames import read_lexicon
    >>> [voice_of(concept, read_lexicon()) for concept in ("die-01", "see-01", "blorb-01")]
    ['active', 'passive', 'unknown']
    """
    verb = lemma_of(concept).partition("-")[0]
    if verb in _ACTIVE or is_adjective(verb) or is_noun(verb):
        return "active"
    frame = lexicon.frames.get(concept)
    if frame is not None:
        return "passive" if ":ARG0" in frame.roles else "unknown"
    roles = lexicon.counts.roles.get(concept, {})
    does = roles.get(":ARG0", 0)
    return "passive" if does and does >= _SHARE * roles.get(":ARG1", 0) else "unknown"
