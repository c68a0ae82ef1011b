"""Which words of concepts are verbs, adjectives or neither, and the participles of verbs.

Concepts do not say it: ``serious-01`` is written as ``see-01`` is. What ends as adjectives
or nouns do, or is in a short list of common ones, is taken for one.
"""

from __future__ import annotations

import re
from typing import Literal

from aptcore.words.frames import Lexicon, lemma_of

DETERMINERS = frozenset(
    "a all another any both each either every no some such that these this those what which".split()
)
NO_NOUNS = DETERMINERS | frozenset(
    "again ago ahead alone already also always anymore approximately at-all away barely "
    "both certainly completely daily else enough entirely equal especially even ever "
    "exactly far fast few forever furthermore hardly here however indeed instead just least "
    "less likewise many maybe more moreover most much near nearly never no now often okay "
    "once only otherwise own perhaps quite rather really same several simultaneous so "
    "sometimes soon still suddenly then there therefore thus together tomorrow too totally "
    "twice very well yes yet".split()
)
"""Words that stand without an article."""

_ADJECTIVES = frozenset(
    "absurd afraid alive alone angry asleep aware bad beautiful big black blue bright busy "
    "calm cheap clean clear clever close cold common cool correct dark dead deep dense "
    "different difficult dirty distinct dry dull early easy empty equal evident exact fair "
    "familiar far fast fat fine firm fit fond foolish free frequent fresh full gentle glad "
    "good grateful gray great green guilty happy hard healthy heavy high hot hungry ill "
    "important intermediate kind large late lazy light likely lonely long loud low lucky "
    "mad main mature mutual narrow near neat new nice old open pale patient perfect plain "
    "poor present pretty proud pure quick quiet rare raw ready real red relevant rich right "
    "rough sad safe same secure sensitive serious severe shallow sharp short shy sick "
    "significant silent silly similar simple slow small smart smooth soft sorry strange "
    "strict strong stupid subsequent sure sweet tall thick thin thirsty tight tiny tired "
    "true ugly unique useful vague vain valid warm weak wet white wide wild wise wrong "
    "young".split()
)
_ALSO_VERBS = frozenset(
    "calm clean clear close cool correct dark dry dull empty free level light mature narrow open "
    "perfect present quiet secure slow smooth thin warm wet".split()
)
"""Adjectives that are verbs too: where one does it to another."""
_LIKE_ADJECTIVES = re.compile(r".{2,}(ous|ful|less|able|ible|ical|ive|ary|ish|esome)")
_NO_ADJECTIVES = frozenset(
    "able arrive carry deprive derive dive drive enable finish forgive give live marry miss "
    "move perish polish publish punish receive relish strive survive table thrive vanish "
    "vary vary wish abolish accomplish admonish astonish banish cherish demolish diminish "
    "distinguish establish extinguish flourish furnish nourish replenish vanquish believe "
    "archive summary salary relieve revive conceive perceive deceive achieve grieve weave "
    "leave discuss".split()
)
_LIKE_NOUNS = re.compile(r".{3,}(ity|ness|ship|hood|ism)")

_PARTICIPLES = {
    verb: participle
    for pair in (
        "be:been bear:borne beat:beaten become:become begin:begun bend:bent bind:bound "
        "bite:bitten blow:blown break:broken breed:bred bring:brought build:built burst:burst "
        "buy:bought cast:cast catch:caught choose:chosen cling:clung come:come cost:cost "
        "cut:cut deal:dealt dig:dug do:done draw:drawn drink:drunk drive:driven eat:eaten "
        "fall:fallen feed:fed feel:felt fight:fought find:found flee:fled fly:flown "
        "forbid:forbidden forget:forgotten forgive:forgiven forsake:forsaken freeze:frozen "
        "get:got give:given go:gone grind:ground grow:grown hang:hung have:had hear:heard "
        "hide:hidden hit:hit hold:held hurt:hurt keep:kept know:known lay:laid lead:led "
        "leave:left lend:lent let:let lie:lain lose:lost make:made mean:meant meet:met "
        "mistake:mistaken overcome:overcome pay:paid put:put read:read ride:ridden ring:rung "
        "rise:risen run:run say:said see:seen seek:sought sell:sold send:sent set:set "
        "shake:shaken shed:shed shine:shone shoot:shot show:shown shrink:shrunk shut:shut "
        "sing:sung sink:sunk sit:sat sleep:slept slide:slid speak:spoken spend:spent "
        "spin:spun split:split spread:spread stand:stood steal:stolen stick:stuck "
        "strike:struck swear:sworn sweep:swept swim:swum swing:swung take:taken teach:taught "
        "tear:torn tell:told think:thought throw:thrown understand:understood wake:woken "
        "wear:worn weave:woven weep:wept win:won wind:wound withdraw:withdrawn write:written"
    ).split()
    for verb, _, participle in [pair.partition(":")]
}
_DOUBLED = re.compile(r"[^aeiou]*[aeiou][bdgmnprt]")
_DOUBLED_LONG = frozenset(
    "admit commit compel control equip expel occur omit permit prefer propel refer regret submit "
    "transfer transmit".split()
)


def is_adjective(word: str) -> bool:
    """Tell whether a frame's word says what something is like.

    >>> is_adjective("serious"), is_adjective("sad"), is_adjective("see"), is_adjective("give")
    (True, True, False, False)
    """
    is_like = _LIKE_ADJECTIVES.fullmatch(word) is not None and word not in _NO_ADJECTIVES
    return word in _ADJECTIVES or is_like


def is_also_verb(word: str) -> bool:
    """Tell whether an adjective may be a verb: `he opens it`."""
    return word in _ALSO_VERBS


def is_noun(word: str) -> bool:
    """Tell whether a frame's word is no verb but what one has: ``activity``."""
    return _LIKE_NOUNS.fullmatch(word) is not None


def participle(verb: str) -> str:
    """Give the form after ``is`` in the passive; of several words the first one changes.

    >>> participle("observe"), participle("carry out"), participle("see"), participle("stop")
    ('observed', 'carried out', 'seen', 'stopped')
    """
    first, space, rest = verb.partition(" ")
    if first in _PARTICIPLES:
        form = _PARTICIPLES[first]
    elif first.endswith("e"):
        form = first + "d"
    elif re.search(r"[^aeiou]y$", first):
        form = first[:-1] + "ied"
    elif _DOUBLED.fullmatch(first) or first in _DOUBLED_LONG:
        form = first + first[-1] + "ed"
    else:
        form = first + "ed"
    return form + space + rest


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
