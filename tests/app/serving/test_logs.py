"""An error in a page is one record of the server's log, and no more than its kind is shown."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

from streamlit.proto.BackMsg_pb2 import BackMsg
from websockets.sync.client import connect

from tests.app.conftest import END_SECONDS, free_port, quiet, wait_for_health
from tests.modules import ROOT

SERVE = """
from app.serving.logs import use_format
use_format("json")
from pathlib import Path
from app.commands import serve
serve.ENTRY = Path({entry!r})
serve.serve(("0.0.0.0", {port}, ""), {store!r}, None, "cpu")
"""


def test_an_error_in_a_page_is_one_line_of_json_and_its_reader_sees_its_kind(
    tmp_path: Path,
) -> None:
    (tmp_path / "main.py").write_text('raise ValueError("broken\\nhere")\n', "utf-8")
    entry = tmp_path / "server.py"
    entry.write_text((ROOT / "app" / "server.py").read_text("utf-8"), "utf-8")
    port, log = free_port(), tmp_path / "log.txt"
    code = SERVE.format(entry=str(entry), port=port, store=str(tmp_path / "work.db"))
    address = f"http://127.0.0.1:{port}"
    with log.open("wb") as output:
        server = subprocess.Popen(
            [sys.executable, "-c", code], stdout=output, stderr=output, env=quiet(), cwd=ROOT
        )
    try:
        wait_for_health(address, server, log)
        begin = BackMsg()
        begin.rerun_script.query_string = ""
        shown = b""
        with connect(f"ws://127.0.0.1:{port}/_stcore/stream", subprotocols=["streamlit"]) as page:
            page.send(begin.SerializeToString())
            until = time.monotonic() + 120
            while b"ValueError" not in shown and time.monotonic() < until:
                shown += bytes(page.recv(timeout=120))
            while "ValueError" not in log.read_text("utf-8") and time.monotonic() < until:
                time.sleep(0.05)
    finally:
        server.terminate()
        server.wait(END_SECONDS)
    assert b"ValueError" in shown
    assert b"broken" not in shown
    lines = [line for line in log.read_text("utf-8").splitlines() if "Fontconfig" not in line]
    (error,) = [record for record in map(json.loads, lines) if record["level"] == "error"]
    assert error["error"].endswith("ValueError: broken\nhere")
