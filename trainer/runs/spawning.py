"""Processes that outlive the one that starts them."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import threading
from pathlib import Path

import trainer

if sys.platform == "win32":
    _DETACHED = subprocess.DETACHED_PROCESS | subprocess.CREATE_NEW_PROCESS_GROUP
else:
    _DETACHED = 0


def start_detached(module: str, folder: Path, log: Path) -> subprocess.Popen[bytes]:
    """Start ``python -m MODULE FOLDER`` in a session of its own, its output added to a log."""
    with log.open("ab") as output:
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", module, str(folder)],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            env={**os.environ, "PYTHONPATH": _python_path(), "PYTHONUNBUFFERED": "1"},
            start_new_session=True,
            creationflags=_DETACHED,
        )
    # Collects the process when it ends; otherwise it would stay behind as a zombie.
    threading.Thread(target=process.wait, name="launched-run", daemon=True).start()
    return process


def _python_path() -> str:
    """Let the new process find this program where it is run without being installed."""
    root = str(Path(trainer.__file__).resolve().parents[1])
    known = os.environ.get("PYTHONPATH", "")
    if root == sysconfig.get_paths()["purelib"] or root in known.split(os.pathsep):
        return known
    return f"{root}{os.pathsep}{known}" if known else root
