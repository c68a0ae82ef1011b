"""What the margin of the beam takes and gives: ``python -m benchmarks.margins [FILE ...]``.

The sentences of gold files are parsed at each width with the margin and without (a full beam),
and scored with Smatch; printed are both, and seconds of the processor as a share of greedy
search. Files: Little Prince dev and the first 150 sentences of Bio dev below ``APTAMR_DATA`` if
none are given.
"""

from __future__ import annotations

import argparse
import math
import os
import time
from pathlib import Path

from aptcore.graph.corpus import read_corpus
from aptcore.graph.penman import without_wiki
from aptcore.neural.next_actions import DecodingOptions
from aptcore.neural.parser import AptParser
from aptcore.scoring.evaluation import score_corpus
from aptcore.words.gold import gold_items
from benchmarks.doubt import FILES
from trainer.config import DataConfig

BEAMS = (5, 10)
FIRST = {"Bio dev": 150}
"""So many sentences of a file are taken where none is named."""


def main() -> None:
    """Parse and score each file, a line for each search."""
    arguments = argparse.ArgumentParser(prog="benchmarks.margins", description=__doc__)
    arguments.add_argument("files", nargs="*", type=Path)
    chosen = arguments.parse_args()
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    parser = AptParser.from_pretrained()
    print(f"model {parser.info.id} {parser.info.hash}")
    files = {path.name: path for path in chosen.files} or {
        name: DataConfig().path(path) for name, path in FILES.items()
    }
    usual = DecodingOptions()
    searches = [DecodingOptions(beam=1)]
    searches += [
        DecodingOptions(beam, margin=m) for beam in BEAMS for m in (math.inf, usual.margin)
    ]
    for name, path in files.items():
        items = gold_items(read_corpus(path))[0][: FIRST.get(name)]
        sentences = [item.sentence for item in items]
        gold = [without_wiki(item.graph)[0] for item in items]
        parser.parse(sentences[:8])  # what is made on first use
        greedy = 0.0
        for options in searches:
            began = time.process_time()
            parsed = [found.graph for found in parser.parse(sentences, options=options)]
            seconds = time.process_time() - began
            greedy = greedy or seconds
            score = score_corpus(gold, parsed).counts.f1
            print(
                f"{name}, {len(gold)} sentences: beam {options.beam}, margin {options.margin}: "
                f"Smatch {100 * score:.1f}, {seconds / greedy:.1f} times greedy",
                flush=True,
            )


if __name__ == "__main__":
    main()
