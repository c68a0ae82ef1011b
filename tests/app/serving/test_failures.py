"""What is written down of requests, and how a log is written as JSON."""

from __future__ import annotations

import asyncio
import json
import logging
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from app.serving.failures import FailureLog
from app.serving.logs import SERVER, JsonFormatter


class Kept(logging.Handler):
    """Keeps the records that it is given."""

    def __init__(self) -> None:
        super().__init__()
        self.records: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.records.append(record)


@pytest.fixture
def kept() -> Iterator[Kept]:
    handler, logger = Kept(), logging.getLogger(SERVER)
    logger.addHandler(handler)
    yield handler
    logger.removeHandler(handler)


def record_of(
    kept: Kept, messages: list[dict[str, Any]], path: str, kind: str = "http"
) -> list[logging.LogRecord]:
    """What is written down of a request that is answered by these messages."""

    async def answering(scope: Any, receive: Any, send: Any) -> None:
        for message in messages:
            if message["type"] == "break":
                raise ValueError("the disk is full")
            await send(message)

    async def take(message: Any) -> None:
        """Send nothing on."""

    scope = {
        "type": kind,
        "method": "GET",
        "path": path,
        "query_string": b"sentence=secret",
        "headers": [(b"x-forwarded-for", b"198.51.100.7")],
        "client": ("127.0.0.1", 4711),
    }
    if kind == "websocket":
        del scope["method"]
    kept.records.clear()
    asyncio.run(FailureLog(answering)(scope, None, take))  # type: ignore[arg-type]
    return kept.records


def started(status: int) -> list[dict[str, Any]]:
    return [{"type": "http.response.start", "status": status}, {"type": "http.response.body"}]


@pytest.mark.parametrize(("status", "level"), [(404, "WARNING"), (413, "WARNING"), (503, "ERROR")])
def test_a_request_that_failed_is_one_record(kept: Kept, status: int, level: str) -> None:
    (record,) = record_of(kept, started(status), "/upload")
    assert record.levelname == level
    assert record.getMessage().startswith(f"GET '/upload' failed: {status} after ")
    assert "secret" not in record.getMessage()


@pytest.mark.parametrize("status", [200, 206, 304])
def test_what_went_well_is_not_written_down(kept: Kept, status: int) -> None:
    assert not record_of(kept, started(status), "/")


def test_the_guess_of_a_browser_at_the_base_path_is_no_failure(
    kept: Kept,
) -> None:
    assert not record_of(kept, started(404), "/amr/queue/_stcore/health")
    assert record_of(kept, started(503), "/amr/_stcore/health")


def test_a_fault_is_written_down_with_its_traceback_and_raised(
    kept: Kept,
) -> None:
    with pytest.raises(ValueError, match="the disk is full"):
        record_of(kept, [{"type": "break"}], "/a\nb")
    (record,) = kept.records
    line = JsonFormatter().format(record)
    assert "\n" not in line
    written = json.loads(line)
    assert written["level"] == "error"
    assert (written["path"], written["status"]) == ("/a\nb", 500)
    assert written["forwarded"] == "198.51.100.7"
    assert "ValueError: the disk is full" in written["error"]


def test_a_refused_websocket_is_written_down_and_one_that_ends_is_not(
    kept: Kept,
) -> None:
    closed = {"type": "websocket.close"}
    path = "/_stcore/stream"
    assert not record_of(kept, [{"type": "websocket.accept"}, closed], path, "websocket")
    (record,) = record_of(kept, [closed], path, "websocket")
    assert record.getMessage().startswith(f"WEBSOCKET '{path}' failed: 403")


def test_every_record_of_any_logger_is_one_line_of_json() -> None:
    code = (
        "from app.serving.logs import use_format; use_format('json')\n"
        "import logging, warnings\n"
        "from streamlit.logger import get_logger\n"
        "get_logger('streamlit.some').warning('one\\ntwo %s', 'é')\n"
        "logging.getLogger('lone').error('lone')\n"
        "warnings.warn('old')\n"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    lines = [json.loads(line) for line in run.stderr.splitlines()]
    assert [(line["logger"], line["level"]) for line in lines] == [
        ("streamlit.some", "warning"),
        ("lone", "error"),
        ("py.warnings", "warning"),
    ]
    assert lines[0]["message"] == "one\ntwo é"
