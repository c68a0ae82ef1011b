"""Measure a GPU and check what it computes: ``python -m benchmarks.device``, in ten minutes.

The shipped model runs on the device (``--device cuda``; ``cpu`` tries the script itself):
seconds by the clock, median of several runs; how often a step of decoding waits for the
device; an epoch of training in float32 and in bfloat16, where ``APTAMR_DATA`` names the
corpora. Then what must be equal is compared: walks on the device and on the processor, in a
batch and alone, with half of them forced, and by an ensemble of copies. Sums are added up in
another order there, so a walk may differ where two actions are nearly as likely; how many do
is printed, and the script fails if it is more than one in fifty.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Sequence

import torch
from torch.profiler import ProfilerActivity, profile

from aptcore.neural.decoding import Decoder
from aptcore.neural.next_actions import DecodingOptions
from aptcore.neural.parser import AptParser
from aptcore.transition.actions import Action
from benchmarks.run import MANY, Bench

WAITS = ("cudaStreamSynchronize", "aten::_local_scalar_dense")
"""What the profiler calls a wait for the device."""
MOST_DIFFERENT = 0.02
COMPARED = 64

Walk = tuple[Action, ...]


def walks(
    parser: AptParser,
    texts: Sequence[str],
    beam: int = 1,
    copies: int = 1,
    forced: Sequence[Walk] | None = None,
) -> list[Walk]:
    """Decode sentences in one batch; gives the actions of each."""
    sentences = [parser.read(text) for text in texts]
    models = parser.models * copies
    decoder = Decoder(models, parser.masks, parser.action_set, DecodingOptions(beam=beam))
    found = decoder.decode(sentences, parser.encode(sentences) * copies, forced)
    return [hypothesis.state.actions for hypothesis in found]


def compare(parser: AptParser, texts: Sequence[str]) -> bool:
    """Print how many walks are the same by each way; tells whether enough are."""
    processor = AptParser.from_pretrained(device="cpu")
    batch, beam = walks(parser, texts), walks(parser, texts, 5)
    forced = [
        walks(parser, [text], forced=[walk[: len(walk) // 2]])[0]
        for text, walk in zip(texts, batch, strict=True)
    ]
    ways = {
        "processor, greedy": (batch, walks(processor, texts)),
        "processor, beam 5": (beam, walks(processor, texts, 5)),
        "alone": (batch, [walks(parser, [text])[0] for text in texts]),
        "half forced": (batch, forced),
        "ensemble of copies": (batch, walks(parser, texts, copies=3)),
    }
    shares = {}
    for name, (one, other) in ways.items():
        shares[name] = sum(map(tuple.__eq__, one, other)) / len(texts)
        print(f"the same as {name:20} {shares[name]:6.1%} of {len(texts)} walks", flush=True)
    return min(shares.values()) >= 1 - MOST_DIFFERENT


def waits(bench: Bench) -> float:
    """Count the waits for the device in a step of decoding a batch greedily."""
    work = bench.decode(1, 1, MANY)
    work()
    with profile(activities=[ProfilerActivity.CPU]) as watched:
        work()
    found = {event.key: event.count for event in watched.key_averages()}
    longest = max(len(walk) for walk in walks(bench.parser, bench.texts))
    return max(found.get(name, 0) for name in WAITS) / longest


def train(device: str) -> None:
    """Time an epoch in both precisions, each in a process of its own."""
    for precision in ("fp32", "bf16"):
        print(f"training, {precision}", flush=True)
        words = ["--device", device, "--set", f"loop.precision={precision}"]
        subprocess.run([sys.executable, "-m", "benchmarks.training", *words], check=True)


def main() -> int:
    """Print all of it."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--device", default="cuda", choices=("cuda", "cpu"))
    device = options.parse_args().device
    if device == "cuda" and not torch.cuda.is_available():
        print("there is no GPU that PyTorch can use here", file=sys.stderr)
        return 2
    name = torch.cuda.get_device_name() if device == "cuda" else "the processor"
    print(f"PyTorch {torch.__version__} on {name}")
    bench = Bench(device=device)
    bench.add("greedy", bench.decode(1, 1, MANY), sentences=MANY)
    bench.add("beam 10", bench.decode(1, 10, MANY), 10, MANY, 3)
    bench.add("ensemble of three", bench.decode(3, 1, MANY), sentences=MANY, runs=3)
    bench.add("whole way", bench.end_to_end(MANY), sentences=MANY, runs=3)
    bench.add("20 tokens alone", bench.latency, sentences=1)
    print(f"waits for the device in a step: {waits(bench):.1f}", flush=True)
    is_equal = compare(bench.parser, bench.texts[:COMPARED])
    if os.environ.get("APTAMR_DATA"):
        train(device)
    return 0 if is_equal else 1


if __name__ == "__main__":
    sys.exit(main())
