"""Write the names of all rolesets that travel with the program: no texts.

    APTAMR_DATA=/path/to/data python scripts/list_rolesets.py

It reads PropBank's frame files as a table and AMR's own list of frames
(``propbank/rolesets.tsv``, ``lists/propbank-amr-frames-arg-descr.txt``).
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from aptcore.saving import save_text  # noqa: E402
from aptcore.words.frames import is_frame, read_lexicon  # noqa: E402
from aptcore.words.rolesets import ROLESETS_FILE  # noqa: E402

LISTS = ("propbank/rolesets.tsv", "lists/propbank-amr-frames-arg-descr.txt")


def main() -> None:
    """Write the list."""
    folder = Path(os.environ["APTAMR_DATA"])
    names = {name for path in LISTS for name in read_lexicon(folder / path).frames}
    kept = sorted(filter(is_frame, names))
    save_text(ROOT / "assets" / ROLESETS_FILE, "\n".join(kept) + "\n")
    sys.stderr.write(f"{len(kept)} rolesets\n")


if __name__ == "__main__":
    main()
