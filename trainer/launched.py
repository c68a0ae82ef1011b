"""``python -m trainer.launched FOLDER``: what a launched run does in its own process."""

from __future__ import annotations

import signal
import sys
import traceback
from pathlib import Path

from aptcore.errors import AptamrError
from trainer.runs.heartbeat import STOPPED_STATUS, describe_error, leave
from trainer.runs.launching import launched_config, wait_for_turn
from trainer.runs.status import announce


def main() -> int:
    """Wait for the turn, then train or go on; gives the exit status."""
    folder = Path(sys.argv[1])
    signal.signal(signal.SIGTERM, leave)
    try:
        if not wait_for_turn(folder):
            return STOPPED_STATUS
        from trainer.learning.loop import train
        from trainer.stages.running import run_stages

        config = launched_config(folder)
        work = run_stages if config.stages else train
        work(config, resume=(folder / "config.json").is_file())
    except (KeyboardInterrupt, SystemExit):
        announce(folder, "stopped")
        return STOPPED_STATUS
    except Exception as error:
        announce(folder, "failed", message=describe_error(error))
        if isinstance(error, AptamrError):
            sys.stderr.write(f"error: {error}\n")
        else:
            traceback.print_exc()
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
