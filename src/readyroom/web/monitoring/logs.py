"""The server's log: one JSON object a line, without secrets.

Seat links, sessions, recovery links, webhooks and mail addresses are removed from every line, tracebacks included. No
line names the client or its address; requests are logged by route only.
"""

from __future__ import annotations

import logging
import re
import sys
import threading
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import msgspec

SECRETS = (
    (re.compile(r"(/s/|/me/recover/)[^/?\s\"]+"), r"\1…"),
    (re.compile(r"(?<![\w-])[\w-]{43}(?![\w-])"), "…"),
    (re.compile(r"(?<![0-9a-f])[0-9a-f]{128}(?![0-9a-f])"), "…"),
    (re.compile(r"(?<=://)[^/\s@]+@"), "…@"),
    (re.compile(r"(https?://[^/\s'\"]+/)[^\s'\"]+"), r"\1…"),
    (re.compile(r"[\w.+-]+@[\w-]+(\.[\w-]+)+"), "…@…"),
)
"""Patterns of secrets and their replacements: secret addresses, our 256-bit secrets, form tokens, passwords within
addresses, webhook paths and mail addresses.
"""
MORE = "told"
"""The attribute of a log record with further facts."""
_encode = msgspec.json.Encoder().encode


def hidden(text: str) -> str:
    """Return a text without its secrets."""
    for looks, instead in SECRETS:
        text = looks.sub(instead, text)
    return text


class JSONFormatter(logging.Formatter):
    """Formats a record as JSON: `at`, `level`, `from`, `said`, further facts, and a `fault` with its traceback."""

    def format(self, record: logging.LogRecord) -> str:
        """Format a record."""
        more: Mapping[str, Any] = getattr(record, MORE, {})
        facts: dict[str, Any] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "from": record.name,
            "said": hidden(record.getMessage()),
            **more,
        }
        if record.exc_info:
            facts["fault"] = hidden(self.formatException(record.exc_info))
        return _encode(facts).decode()


def set_up() -> None:
    """Log everything in this process as JSON to standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JSONFormatter())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger("readyroom").setLevel(logging.INFO)
    logging.captureWarnings(True)
    threading.excepthook = _log_thread_error


def _log_thread_error(fault: threading.ExceptHookArgs) -> None:
    """Log an exception that ended a thread."""
    name = fault.thread.name if fault.thread else "(unknown)"
    if fault.exc_value is not None:
        result = (fault.exc_type, fault.exc_value, fault.exc_traceback)
        logging.getLogger("readyroom.web").error("thread %s ended", name, exc_info=result)
