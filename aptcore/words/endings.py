"""Endings of English words and what the words that they are made from have there.

Common knowledge of English word formation, for words that training graphs are too few to
show: "weariness" is of "weary", "courteous" of "courtesy", "hesitancy" of "hesitant" or
"hesitate". What training graphs do show ranks these endings and drops those that
mislead (aptcore.oracle.copy_learning).
"""

from __future__ import annotations

_VERBS = """
ification>ify isation>ise isation>ize ization>ize ation>ate ation> ation>e ition>e ition>it
ition> ution>ute ution>ve uction>uce uction>uct iption>ibe ption>pt ption>be ption>ve
ction>ct ssion>ss mission>mit ession>ede ession>eed sion>de sion>d sion>t sion>se tion>t
tion>te ion> ion>e ment> iment>y ance> ance>e iance>y ence> ence>e al> al>e ial>y ure>
ure>e age> age>e er> er>e ier>y or> or>e ator>ate ant> ant>e ent> ent>e ee> ee>e y> ery>
ry>er ery>e ing> ing>e ed> ed>e ied>y en> en>e ysis>yze able> able>e iable>y ible> ible>e
ative>ate ative> ive>e ive> atory>ate ory>e less> iless>y ful> iful>y ful>en ter> ent>end
ancy>ate ency>e f>ve eption>eive edience>ey ribution>ribute
"""
"""Nouns and adjectives made from verbs."""

_QUALITIES = """
ness> iness>y ity> ity>e ility>le icity>ic icity>e licity>le osity>ous ocity>ocious
iety>ious ety> ance>ant ancy>ant ence>ent ency>ent acy>ate th> dom> dom>e ty> hood> ship>
ism> ist> ist>y fulness> lessness> fare> ess> ess>e let>
"""
"""Nouns made from adjectives and from other nouns."""

_ADJECTIVES = """
ous> ious>y ious>ion eous>y ious>e ous>y ous>e y> y>e ic> ic>y ic>e ical> ical>y ical>ic
etic>y ic>o ic>ry ic>edy ial> ial>e al>a tial>ce cial>ce ish> ish>e ly> ily>y ary> ar>
ar>e ward> wise> some> eous>esy ent>ence ant>ance
"""
"""Adjectives made from nouns."""

_SPELLINGS = """
our>or re>er ise>ize yse>yze ogue>og mme>m ence>ense lling>l lled>l s> es> ies>y ves>f
ves>fe i>us a>um ae>a est> est>e iest>y
"""
"""British spellings, plurals and comparatives."""

_DOUBLED = "bdgklmnprt"
_AFTER_DOUBLED = ("er", "ing", "ed", "or", "est", "y", "able")


def _pairs(text: str) -> list[tuple[str, str]]:
    rows = [word.partition(">") for word in text.split()]
    return [(ending, replacement) for ending, _, replacement in rows]


ENDINGS: tuple[tuple[str, str], ...] = tuple(
    dict.fromkeys(
        [pair for text in (_VERBS, _QUALITIES, _ADJECTIVES, _SPELLINGS) for pair in _pairs(text)]
        + [(2 * letter + end, letter) for letter in _DOUBLED for end in _AFTER_DOUBLED]
    )
)
"""Each ending with its replacement: ``("iness", "y")``."""
