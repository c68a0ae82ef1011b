"""Learn the shipped dictionary of ``:wiki`` from the training files of the shipped model.

    APTAMR_DATA=/path/to/data python scripts/learn_wiki.py [--output assets/wiki.json]

Only the training files that ``trainer/configs/small.toml`` names are read, and of those
the ones that have ``:wiki`` at all; development and test files never are. A dictionary
for a model of your own is put beside its weights: ``--output MODEL/wiki.json``.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from aptcore.assets import asset_path  # noqa: E402
from aptcore.graph.amr import AmrGraph  # noqa: E402
from aptcore.graph.corpus import read_corpus  # noqa: E402
from aptcore.graph.wiki import WIKI_FILE, learn_linker  # noqa: E402
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


def main() -> int:
    """Learn, save and say how much there is; gives the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--output", type=Path, default=asset_path(WIKI_FILE))
    output: Path = parser.parse_args().output
    data = load_config(CONFIG).data
    linker = learn_linker(linked_graphs([data.path(name) for name in data.train]))
    linker.save(output)
    sys.stdout.write(
        f"{output}: {len(linker.names)} names, {len(linker.unlinked)} concepts without :wiki, "
        f"{len(linker.titled)} whose title is the name\n"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
