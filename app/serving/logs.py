"""What a server writes down of itself, as text or as JSON: one record a line.

Streamlit gives every logger of its own a handler when the logger is made. So the format is
chosen before Streamlit is imported: from then on each new logger gives its handlers ours.
"""

from __future__ import annotations

import json
import logging
import sys
from datetime import UTC, datetime

SERVER = "aptamr.server"
"""The logger of what the server says of itself, and of requests that failed."""


class JsonFormatter(logging.Formatter):
    """Writes a record as one line of JSON: time, level, logger, message, and what it carries."""

    def format(self, record: logging.LogRecord) -> str:
        """Write a record; a traceback stands in ``error``, with its line breaks escaped."""
        written = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            **vars(record).get("carried", {}),
        }
        if record.exc_info:
            written["error"] = self.formatException(record.exc_info)
        return json.dumps(written, ensure_ascii=False, default=str)


class JsonLogger(logging.Logger):
    """A logger all of whose handlers write JSON."""

    def addHandler(self, hdlr: logging.Handler) -> None:
        """Add a handler, which writes JSON from now on."""
        hdlr.setFormatter(JsonFormatter())
        super().addHandler(hdlr)


def use_format(log_format: str) -> None:
    """Choose how the server's log is written, ``text`` or ``json``, to standard error."""
    if log_format == "json":
        logging.setLoggerClass(JsonLogger)
        logging.captureWarnings(True)
        logging.getLogger("py.warnings").addHandler(logging.StreamHandler(sys.stderr))
        if logging.lastResort is not None:  # of loggers without a handler
            logging.lastResort.setFormatter(JsonFormatter())
    logger = logging.getLogger(SERVER)
    logger.setLevel(logging.INFO)
    logger.propagate = False
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
    logger.addHandler(handler)
