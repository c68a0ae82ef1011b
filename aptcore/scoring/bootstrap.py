"""How far a score would move with other sentences, and whether two systems differ.

Sentences are drawn again with replacement, as many as there are, and the score is taken
anew from the sums of their triples. The same seed draws the same sentences, so that two
systems are compared on equal samples.

Source: Efron and Tibshirani 1993, percentile interval; Koehn 2004, paired samples;
Berg-Kirkpatrick and others 2012, the p-value, here on both sides.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from aptcore.scoring.counts import Counts

INTERVAL_LEVEL = 0.95
_MAX_DRAWN = 1_000_000  # sentences drawn at a time


def resampled_f1(counts: Sequence[Counts], num_samples: int, seed: int) -> npt.NDArray[np.float64]:
    """Give the F1 of resampled test sets, (num_samples,)."""
    matched = np.array([item.matched for item in counts], dtype=np.int64)
    both = np.array([item.predicted + item.gold for item in counts], dtype=np.int64)
    generator = np.random.default_rng(seed)
    scores = np.ones(num_samples)
    if not len(counts):
        return scores
    block = max(1, _MAX_DRAWN // len(counts))
    for start in range(0, num_samples, block):
        size = (min(block, num_samples - start), len(counts))
        chosen = generator.integers(len(counts), size=size)  # (block, sentences)
        totals = both[chosen].sum(axis=1)  # (block,)
        found = 2 * matched[chosen].sum(axis=1) / np.maximum(totals, 1)  # (block,)
        scores[start : start + size[0]] = np.where(totals > 0, found, 1.0)
    return scores


def interval(samples: npt.NDArray[np.float64]) -> tuple[float, float]:
    """Give both ends between which 95 % of the samples lie."""
    tail = (1 - INTERVAL_LEVEL) / 2
    low, high = np.quantile(samples, [tail, 1 - tail])
    return float(low), float(high)


def p_value(differences: npt.NDArray[np.float64], observed: float) -> float:
    """Tell how often chance alone would give so large a difference, either way.

    Args:
        differences: Of resampled test sets, (samples,).
        observed: On the whole test set.

    Returns:
        A share above 0 and up to 1; 1 where there is no difference.
    """
    num_as_large = int((np.abs(differences - observed) >= abs(observed) - 1e-12).sum())
    return (1 + num_as_large) / (1 + len(differences))
