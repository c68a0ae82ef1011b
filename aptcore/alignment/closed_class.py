"""Concepts and constants that stand for function words, with the lemmas that bring them.

Only what the letters do not show; what open-class words bring is learnt (``em``).
"""

from __future__ import annotations


def _table(**weights: str) -> dict[str, float]:
    """Read lemmas by class of weight: sure, likely, maybe."""
    scores = {"sure": 0.95, "likely": 0.75, "maybe": 0.5}
    return {lemma: scores[name] for name, lemmas in weights.items() for lemma in lemmas.split()}


_QUESTION = _table(
    sure="what who whom whose which where when why how whatever whoever", maybe="? if"
)
_CONTRAST = _table(
    sure="but however although though nevertheless yet whereas",
    likely="while nonetheless despite instead rather only",
    maybe="still and",
)
_CONCESSION = _table(
    sure="although though despite nevertheless nonetheless however notwithstanding",
    likely="but even yet still",
    maybe="while",
)

CLOSED_CLASS: dict[str, dict[str, float]] = {
    "-": _table(
        sure="not no never n't nor neither without none nothing nobody nowhere cannot",
        likely="non un unable fail lack hardly",
        maybe="few little less free",
    ),
    "+": _table(likely="yes please"),
    "amr-unknown": _QUESTION,
    "truth-value": _table(sure="whether if", likely="?"),
    "describe-01": _table(likely="( [", maybe="see"),
    "publication": _table(maybe="( ["),
    "cite-01": _table(likely="[ ]", maybe="( )"),
    "interrogative": _table(sure="?"),
    "expressive": _table(likely="! oh ah"),
    "imperative": _table(likely="let please"),
    "multi-sentence": _table(likely=". ; ! ?", maybe=": , and"),
    "contrast-01": _CONTRAST,
    "have-concession-91": _CONCESSION,
    "concession": _CONCESSION,
    "have-condition-91": _table(sure="if unless", likely="when provided", maybe="then"),
    "cause-01": _table(
        sure="because therefore thus so since hence why consequently thereby",
        likely="for due as reason thanks accordingly",
        maybe="then from by with",
    ),
    "have-purpose-91": _table(likely="for to"),
    "possible-01": _table(
        sure="can could may might perhaps maybe possibly possible able unable",
        likely="likely unlikely capable incapable ability enable",
    ),
    "obligate-01": _table(sure="must", likely="have need shall should obligatory"),
    "recommend-01": _table(sure="should ought", likely="shall better must"),
    "permit-01": _table(sure="may let can", likely="allow"),
    "and": _table(
        sure="and et", likely="& or nor plus", maybe=", ; / : ... also well both but then along -"
    ),
    "or": _table(sure="or", likely="and / either whether nor", maybe=","),
    "amr-choice": _table(sure="or"),
    "slash": _table(sure="/"),
    "have-03": _table(sure="have", likely="with 's of"),
    "have-degree-91": _table(
        sure="more most less least too", likely="as so enough very", maybe="than"
    ),
    "have-frequency-91": _table(likely="time", maybe="every each often"),
    "more": _table(sure="more", likely="than over above"),
    "most": _table(sure="most"),
    "less": _table(sure="less few"),
    "have-quant-91": _table(likely="so many much too more as enough"),
    "resemble-01": _table(sure="like", likely="as"),
    "include-91": _table(sure="include", likely="of among", maybe="in"),
    "be-located-at-91": _table(
        likely="in at on from above under near by between be", maybe="there"
    ),
    "be-temporally-at-91": _table(likely="in at on when be"),
    "have-polarity-91": _table(sure="not no never n't nor neither"),
    "have-manner-91": _table(likely="how as"),
    "instead-of-91": _table(sure="instead rather"),
    "have-part-91": _table(likely="have of with"),
    "have-mod-91": _table(likely="be"),
    "request-confirmation-91": _table(likely="?"),
    "rate-entity-91": _table(likely="per every each daily weekly / a"),
    "percentage-entity": _table(sure="% percent"),
    "person": _table(sure="people person", likely="who someone somebody anyone one everyone"),
    "thing": _table(
        sure="thing what something anything everything nothing whatever", likely="which one"
    ),
    "location": _table(sure="where place", likely="there"),
    "someone": _table(sure="somebody anyone anybody someone"),
    "something": _table(sure="anything something"),
    "somebody": _table(sure="nobody anybody someone anyone"),
    "anybody": _table(sure="nobody somebody anyone"),
    "do-02": _table(maybe="will would shall"),
    "everyone": _table(sure="everybody"),
    "ever": _table(sure="never ever"),
    "man": _table(sure="man men"),
    "all": _table(sure="all", likely="every whole everything"),
    "say-01": _table(sure="say", maybe=":"),
    "i": _table(sure="i"),
    "we": _table(sure="we", likely="let"),
    "this": _table(sure="this these", likely="here"),
    "that": _table(sure="that those", likely="there"),
    "before": _table(sure="before ago", likely="earlier prior until", maybe="past last"),
    "after": _table(sure="after since", likely="later having", maybe="at within"),
    "equal": _table(likely="as so just"),
    "equal-01": _table(sure="equal equivalent =", likely="make be"),
    "sum-of": _table(sure="plus +", likely="and"),
    "product-of": _table(sure="times x"),
    "except-01": _table(sure="except but save besides"),
    "accompany-01": _table(sure="with"),
    "compare-01": _table(likely="than as"),
    "opine-01": _table(maybe="to for"),
    "relative-position": _table(likely="from away"),
    "too": _table(sure="too"),
    "have-rel-role-91": {},
    "have-org-role-91": {},
    "dollar": _table(sure="$ dollar"),
    "euro": _table(sure="€ euro"),
    "pound": _table(sure="£ pound"),
    "exemplify-01": _table(sure="e.g. example instance", likely="such as like"),
    "mean-01": _table(sure="mean i.e.", likely="( :"),
    "infer-01": _table(sure="must seem then so"),
    "approximately": _table(sure="approximately about around some ~ roughly circa"),
    "about": _table(sure="about around"),
    "such": _table(sure="such so"),
    "other": _table(sure="other another else", likely="al al."),
    "another": _table(sure="another"),
    "also": _table(sure="also too either well"),
    "very": _table(sure="very so"),
    "will": {},
}

FUNCTION_WORDS = frozenset(
    "a an the this that these those it its he she they we i you who which what of in on at to for "
    "from by with as and or but not be do have will would shall should can could may might must "
    "if so than then there when where while very . , : ; ! ? \" ' ` ( ) [ ] - – — / 's".split()
)
"""Lemmas that open-class labels come from only if that was learnt very well."""

LINKING_WORDS = frozenset(
    "of in on at to for from by with as like than through into over under against without "
    ": -- - ; ... whether so but and when while".split()
)
"""Words and signs that lead to an argument of a concept that has no word of its own."""

ROLE_WORDS: dict[str, frozenset[str]] = {
    ":condition": frozenset("if unless when provided".split()),
    ":concession": frozenset("although though despite even".split()),
    ":purpose": frozenset("to for".split()),
    ":cause": frozenset("because since as".split()),
}
"""Words that bring in what has such a role."""

NEGATIVE_WORDS = frozenset({"unable", "unlikely", "cannot", "impossible"})
"""Words that hold a negation besides the meaning of their own label."""

PHRASES: dict[str, tuple[tuple[str, ...], ...]] = {
    "exemplify-01": (("for", "example"), ("for", "instance"), ("such", "as")),
    "obligate-01": (("have", "to"), ("have", "get", "to")),
    "someone": (("some", "one"),),
    "and": (("as", "well", "as"),),
    "have-concession-91": (("in", "spite", "of"), ("even", "though")),
    "contrast-01": (("on", "the", "other", "hand"),),
}
"""Labels that several words side by side stand for, as lemmas."""
