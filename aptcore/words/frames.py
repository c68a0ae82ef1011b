"""Frames, their senses and their numbered arguments, from a list or from training graphs.

Two kinds of knowledge stand here side by side. A frame list (PropBank's, or AMR's own)
says what a frame means and which arguments it has; it is read from a path that the user
names, in one of three formats:

- a table with tabs whose first line names the columns ``amr_concept``, ``name``,
  ``roles`` (``ARG0=adder|ARG1=thing added``) and ``aliases`` (``addition/n;add/v``);
- AMR's text list, one frame a line: ``abandon-01  ARG0: abandoner  ARG1: thing left``;
- a folder of PropBank's frame files (``*.xml``).

What was counted in the free training graphs travels with the program: which concepts
there are, and which roles each of them had (``assets/frames.json``).
"""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from xml.etree import ElementTree

from aptcore.assets import asset_path
from aptcore.errors import ConfigurationError, reason

COUNTS_FILE = "frames.json"

_FRAME = re.compile(r"(.+)-(\d\d\d?)")
_ARGUMENT = re.compile(r"ARG\d")
_TEXT_PART = re.compile(r"\s+(?=ARG(?:\d|M-[A-Z]+): )")


@dataclass(frozen=True, slots=True)
class Frame:
    """One sense of a word.

    Attributes:
        concept: As graphs write it: ``add-02``.
        name: What it means; empty where the list does not say.
        roles: Numbered arguments with what they stand for, ``:ARG0`` to ``:ARG9``.
        aliases: Words that stand for it.
    """

    concept: str
    name: str = ""
    roles: Mapping[str, str] = field(default_factory=dict)
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True)
class Counts:
    """What was counted in training graphs.

    Attributes:
        concepts: How often each concept came; those of one single graph are left out.
        roles: For each of these concepts, how often it had each role.
        all_roles: How often each role came at all.
        silent: Lemmas that graphs mostly have nothing for.
        num_graphs: Graphs counted.
        words: For each lemma how often it stood for concepts that are not spelt like it
            (``must``: ``obligate-01``); pairs that came once are left out.
        above: For each concept, how often it hung on another by each role, as written
            (``:ARG1-of``).
        unsaid: Concepts that graphs have though no word spells them, the commonest first.
    """

    concepts: Mapping[str, int]
    roles: Mapping[str, Mapping[str, int]]
    all_roles: Mapping[str, int]
    silent: frozenset[str]
    num_graphs: int
    words: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    above: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    unsaid: tuple[str, ...] = ()


@dataclass(frozen=True)
class Lexicon:
    """All that is known of concepts and roles.

    Attributes:
        frames: The frame list by concept; empty without one.
        source: The path of the list; empty without one.
        counts: Of the training graphs.
        skipped: What of the list could not be read, one reason each.
    """

    frames: Mapping[str, Frame]
    source: str
    counts: Counts
    skipped: tuple[str, ...] = ()

    @property
    def has_list(self) -> bool:
        """Tell whether a frame list was read."""
        return bool(self.frames)

    def gloss(self, concept: str) -> str:
        """Give what a frame means; empty where no list says."""
        frame = self.frames.get(concept)
        return frame.name if frame else ""

    def role_gloss(self, concept: str, role: str) -> str:
        """Give what an argument of a frame stands for; empty where no list says."""
        frame = self.frames.get(concept)
        return frame.roles.get(role, "") if frame else ""

    def senses(self, word: str) -> tuple[str, ...]:
        """Give the frames of a word, by its lemma or by an alias, in order."""
        return self._by_word.get(word.lower(), ())

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Give all concepts known, sorted."""
        return tuple(sorted({*self.frames, *self.counts.concepts}))

    @cached_property
    def by_initials(self) -> Mapping[str, tuple[str, ...]]:
        """Give the concepts of several words by the first letters of the first two: ``hd``."""
        found: dict[str, list[str]] = {}
        for name in self.names:
            words = lemma_of(name).split("-")
            if len(words) > 1:
                found.setdefault(words[0][:1] + words[1][:1], []).append(name)
        return {letters: tuple(names) for letters, names in found.items()}

    def usual_roles(self, of_frames: bool) -> Mapping[str, float]:
        """Give the shares of the roles of frames, or of all other concepts."""
        return self._usual_roles[of_frames]

    @cached_property
    def _usual_roles(self) -> Mapping[bool, Mapping[str, float]]:
        found: dict[bool, Counter[str]] = {False: Counter(), True: Counter()}
        for concept, roles in self.counts.roles.items():
            found[is_frame(concept)].update(roles)
        return {kind: _shares(roles) for kind, roles in found.items()}

    @cached_property
    def hung_roles(self) -> Mapping[str, float]:
        """Give the share of each role by which a concept hangs, the mean over all concepts."""
        total: Counter[str] = Counter()
        for roles in self.counts.above.values():
            total.update(_shares(roles))
        return _shares(total)

    def role_share(self, role: str) -> float:
        """Give the share of a role among all, as written: ``:ARG1-of`` is a role of its own."""
        return self._role_shares.get(role, 1e-5)

    def concept_share(self, role: str) -> float:
        """Give in how much of its edges a role has a concept below it and no constant."""
        return min(1.0, self._concepts_below[role] / max(1, self.counts.all_roles.get(role, 0)))

    @cached_property
    def _concepts_below(self) -> Counter[str]:
        total: Counter[str] = Counter()
        for roles in self.counts.above.values():
            total.update(roles)
        return total

    @cached_property
    def _role_shares(self) -> Mapping[str, float]:
        total = Counter(dict(self.counts.all_roles))
        for roles in self.counts.above.values():
            total.update({role: times for role, times in roles.items() if role.endswith("-of")})
        return _shares(total)

    @cached_property
    def _by_word(self) -> Mapping[str, tuple[str, ...]]:
        found: dict[str, dict[str, None]] = {}
        for concept in filter(is_frame, self.names):
            found.setdefault(lemma_of(concept), {})[concept] = None
        for frame in self.frames.values():
            for alias in frame.aliases:
                found.setdefault(alias.lower(), {})[frame.concept] = None
        return {word: tuple(concepts) for word, concepts in found.items()}


def _shares(counts: Mapping[str, float]) -> dict[str, float]:
    total = sum(counts.values()) or 1
    return {name: count / total for name, count in counts.items()}


def is_frame(concept: str) -> bool:
    """Tell whether a concept is written as a frame: ``go-02``, ``have-org-role-91``."""
    return _FRAME.fullmatch(concept) is not None


def lemma_of(concept: str) -> str:
    """Take the sense off a frame; any other concept stays."""
    match = _FRAME.fullmatch(concept)
    return match[1] if match else concept


def read_lexicon(path: Path | str | None = None) -> Lexicon:
    """Read a frame list beside the counts that travel with the program.

    Args:
        path: The list; None for none.

    Raises:
        ConfigurationError: If there is no such file, or not one frame can be read there.
    """
    counts = shipped_counts()
    if path is None:
        return Lexicon({}, "", counts)
    place = Path(path)
    skipped: list[str] = []
    try:
        frames = {frame.concept: frame for frame in _read_frames(place, skipped)}
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"cannot read the frame list {place}: {reason(error)}") from error
    if not frames:
        raise ConfigurationError(
            f"there is no frame in {place}: give a table with the columns amr_concept and roles, "
            "a text list ('go-02  ARG0: goer'), or a folder of PropBank's XML files"
        )
    return Lexicon(frames, str(place), counts, tuple(skipped))


def _read_frames(place: Path, skipped: list[str]) -> Iterator[Frame]:
    if place.is_dir():
        for path in sorted(place.glob("*.xml")):
            try:
                yield from _frames_of_xml(ElementTree.fromstring(path.read_bytes()))
            except ElementTree.ParseError as error:
                skipped.append(f"{path.name}: {error}")
        return
    lines = place.read_text("utf-8").splitlines()
    if lines and "\t" in lines[0] and "amr_concept" in lines[0]:
        yield from _frames_of_table(lines)
    else:
        yield from _frames_of_text(lines, skipped)


def _arguments(roles: Mapping[str, str]) -> dict[str, str]:
    """Keep the numbered arguments; graphs say all else by roles such as ``:location``."""
    return {f":{name}": text.strip() for name, text in roles.items() if _ARGUMENT.fullmatch(name)}


def _frames_of_table(lines: Iterable[str]) -> Iterator[Frame]:
    for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
        roles = dict(
            part.split("=", 1) for part in (row.get("roles") or "").split("|") if "=" in part
        )
        aliases = [alias.rpartition("/")[0] for alias in (row.get("aliases") or "").split(";")]
        yield Frame(
            row["amr_concept"] or "",
            (row.get("name") or "").strip(),
            _arguments(roles),
            tuple(dict.fromkeys(alias for alias in aliases if alias)),
        )


def _frames_of_text(lines: Iterable[str], skipped: list[str]) -> Iterator[Frame]:
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.startswith("#"):
            continue
        concept, *parts = _TEXT_PART.split(line.strip())
        if not is_frame(concept):
            skipped.append(f"line {number}: {line.strip()[:40]!r} begins with no frame")
            continue
        roles = dict(part.split(": ", 1) for part in parts)
        yield Frame(concept, "", _arguments(roles))


def _frames_of_xml(tree: ElementTree.Element) -> Iterator[Frame]:
    for roleset in tree.iter("roleset"):
        concept = roleset.get("id", "").replace(".", "-").replace("_", "-")
        roles = {
            f":ARG{role.get('n', '').upper()}": role.get("descr", "")
            for role in roleset.iter("role")
            if role.get("n", "").isdigit()
        }
        aliases = [alias.text or "" for alias in roleset.iter("alias")]
        if is_frame(concept):
            words = tuple(dict.fromkeys(alias.strip() for alias in aliases if alias.strip()))
            yield Frame(concept, roleset.get("name", ""), roles, words)


def load_counts(path: Path) -> Counts:
    """Read counts that ``scripts/learn_frames.py`` wrote.

    Raises:
        ConfigurationError: If the file is absent or damaged.
    """
    try:
        values = json.loads(path.read_text("utf-8"))
        concepts = {name: int(found["count"]) for name, found in values["concepts"].items()}
        roles = {name: dict(found["roles"]) for name, found in values["concepts"].items()}
        return Counts(
            concepts,
            roles,
            dict(values["roles"]),
            frozenset(values["silent"]),
            values["graphs"],
            {word: dict(found) for word, found in values["words"].items()},
            {name: dict(found["above"]) for name, found in values["concepts"].items()},
            tuple(values["unsaid"]),
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise ConfigurationError(
            f"cannot read the counts of frames {path}: {reason(error, is_named=True)}"
        ) from error


@lru_cache(maxsize=1)
def shipped_counts() -> Counts:
    """Give the counts that travel with the program."""
    return load_counts(asset_path(COUNTS_FILE))
