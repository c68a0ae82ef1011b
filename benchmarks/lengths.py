"""What an action costs by length, batch and beam: ``python -m benchmarks.lengths``.

Sentences of 10 to 200 tokens are put together from the benchmark's own, encoded before, and
decoded by the shipped model with one thread. A figure is the least of several runs, in
microseconds of the processor an action. ``--write FILE`` puts table and plot between the two
marks of a page.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain, islice, repeat
from pathlib import Path

import torch

from aptcore.neural.decoding import Decoder
from aptcore.neural.drafts.drafting import decode_along
from aptcore.neural.next_actions import DecodingOptions
from aptcore.neural.parser import AptParser
from aptcore.saving import save_text
from benchmarks.run import SENTENCES

LENGTHS = (10, 20, 50, 100, 200)
KINDS = ((1, 1), (16, 1), (64, 1), (16, 10))
"""Sentences together, and the beam's width."""
RUNS = 2
FIRST, LAST = "<!-- lengths -->", "<!-- /lengths -->"


def tokens_of(length: int, first: int) -> list[str]:
    """Put so many tokens together, beginning with the benchmark's ``first``."""
    texts = SENTENCES.read_text("utf-8").splitlines()
    own = texts[first % len(texts) :] + texts[: first % len(texts)]
    words = chain.from_iterable(text.split() for text in chain.from_iterable(repeat(own)))
    return list(islice(words, length))


def cost(parser: AptParser, length: int, batch: int, beam: int) -> float:
    """Measure microseconds of the processor an action."""
    sentences = [parser.read(tokens_of(length, number)) for number in range(batch)]
    decoder = Decoder(parser.models, parser.masks, parser.action_set, DecodingOptions(beam=beam))
    encoded, costs = parser.encode(sentences), []
    for _ in range(RUNS):
        fresh, began = [replace(sentence) for sentence in sentences], time.process_time()
        if batch == beam == 1:  # as AptParser.parse does
            found = [decode_along(decoder, fresh[0], encoded)[0]]
        else:
            found = decoder.decode(fresh, encoded)
        actions = sum(len(one.state.actions) for one in found)
        costs.append(1e6 * (time.process_time() - began) / actions)
    return min(costs)


def page(costs: dict[tuple[int, int], Sequence[float]]) -> str:
    """Write table and plot; all figures in microseconds."""
    header = ["tokens", *(f"batch {batch}, beam {beam}" for batch, beam in costs)]
    rows = [header, ["---"] * len(header)]
    for place, length in enumerate(LENGTHS):
        rows.append([str(length), *(f"{found[place]:.0f}" for found in costs.values())])
    table = "\n".join(f"| {' | '.join(row)} |" for row in rows)
    lines = "\n".join(
        f"    line [{', '.join(f'{one:.0f}' for one in found)}]" for found in costs.values()
    )
    return f"""{table}

```mermaid
xychart-beta
    title "Microseconds an action by tokens"
    x-axis [{", ".join(map(str, LENGTHS))}]
    y-axis "microseconds"
{lines}
```
"""


def main() -> None:
    """Measure, print, and write where a page is named."""
    reader = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    reader.add_argument("--write", type=Path, metavar="FILE")
    arguments = reader.parse_args()
    torch.set_num_threads(1)
    parser = AptParser.from_pretrained()
    costs = {kind: [cost(parser, length, *kind) for length in LENGTHS] for kind in KINDS}
    text = page(costs)
    print(text)
    if arguments.write:
        before, _, rest = arguments.write.read_text("utf-8").partition(FIRST)
        after = rest.partition(LAST)[2]
        save_text(arguments.write, f"{before}{FIRST}\n{text}{LAST}{after}")


if __name__ == "__main__":
    main()
