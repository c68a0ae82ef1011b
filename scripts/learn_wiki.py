"""Learn the shipped dictionary of ``:wiki`` from the training files of the shipped model.

    APTAMR_DATA=/path/to/data python scripts/learn_wiki.py [--output assets/wiki.json]

Only the training files that ``trainer/configs/small.toml`` names are read, and of those
the ones that have ``:wiki`` at all; development and test files never are. A dictionary
for a model of your own is put beside its weights: ``--output MODEL/wiki.json``.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from aptcore.assets import asset_path  # noqa: E402
from aptcore.graph.amr import AmrGraph  # noqa: E402
from aptcore.graph.branches import unquote  # noqa: E402
from aptcore.graph.corpus import read_corpus  # noqa: E402
from aptcore.graph.wiki import (  # noqa: E402
    ANY_CONCEPT,
    NO_ARTICLE,
    UNLINKED,
    WIKI_FILE,
    DictionaryLinker,
    named_nodes,
    title_of,
)
from aptcore.saving import save_text  # noqa: E402
from trainer.config import load_config  # noqa: E402

CONFIG = ROOT / "trainer" / "configs" / "small.toml"


def linked_graphs(paths: list[Path]) -> list[AmrGraph]:
    """Read the graphs of the files that have ``:wiki``; an id counts once, as in training."""
    graphs: list[AmrGraph] = []
    seen: set[str] = set()
    for path in paths:
        records = [record for record in read_corpus(path).records if record.graph is not None]
        fresh = [r.graph for r in records if r.id not in seen and r.graph is not None]
        if any(item.role == ":wiki" for graph in fresh for item in graph.attributes):
            graphs += fresh
        seen |= {record.id for record in records if record.id}
    return graphs


def learn_linker(graphs: Iterable[AmrGraph]) -> DictionaryLinker:
    """Learn a dictionary by counting.

    A name that everywhere has the answer that its concept alone gives is not kept.

    Args:
        graphs: With their ``:wiki``; of corpora that have it at all, else every thing
            seems to be left without.
    """
    by_pair: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    by_name: dict[str, Counter[str]] = defaultdict(Counter)
    by_concept: dict[str, Counter[str]] = defaultdict(Counter)
    for graph in graphs:
        answers = {a.source: unquote(a.value) for a in graph.attributes if a.role == ":wiki"}
        for node, name, concept in named_nodes(graph):
            answer = answers.get(node, UNLINKED)
            by_pair[name.casefold(), concept][answer] += 1
            by_name[name.casefold()][answer] += 1
            kind = "titled" if answer == title_of(name) else answer and "linked"
            by_concept[concept][kind] += 1
    unlinked, titled = (
        frozenset(c for c, found in by_concept.items() if 2 * found[kind] > found.total())
        for kind in (UNLINKED, "titled")
    )
    names: dict[str, dict[str, str]] = {}
    for (name, concept), found in sorted(by_pair.items()):
        names.setdefault(name, {ANY_CONCEPT: _most(by_name[name])})[concept] = _most(found)
    rest = DictionaryLinker({}, unlinked, titled)
    kept = {
        name: found
        for name, found in names.items()
        if any(
            answer.casefold() != rest.by_concept(name, concept).casefold()
            for concept, answer in found.items()
            if concept != ANY_CONCEPT
        )
    }
    return DictionaryLinker(kept, unlinked, titled)


def _most(found: Counter[str]) -> str:
    """Give the most frequent answer; of equals a title, then ``-``, then nothing."""
    best = max(found.values())
    equals = sorted(answer for answer, number in found.items() if number == best)
    titles = [answer for answer in equals if answer not in (NO_ARTICLE, UNLINKED)]
    return titles[0] if titles else equals[-1]


def save_linker(linker: DictionaryLinker, path: Path) -> None:
    """Write a dictionary as JSON."""
    content = {
        "names": {name: dict(sorted(found.items())) for name, found in linker.names.items()},
        "unlinked": sorted(linker.unlinked),
        "titled": sorted(linker.titled),
    }
    text = json.dumps(content, ensure_ascii=False, indent=0, sort_keys=True)
    save_text(path, text + "\n")


def main() -> int:
    """Learn, save and say how much there is; gives the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--output", type=Path, default=asset_path(WIKI_FILE))
    output: Path = parser.parse_args().output
    data = load_config(CONFIG).data
    linker = learn_linker(linked_graphs([data.path(name) for name in data.train]))
    save_linker(linker, output)
    sys.stdout.write(
        f"{output}: {len(linker.names)} names, {len(linker.unlinked)} concepts without :wiki, "
        f"{len(linker.titled)} whose title is the name\n"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
