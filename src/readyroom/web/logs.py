"""What the server says of its work: a line of JSON for each thing, without anything that opens a seat.

Addresses of seats, sessions, recovery links, webhooks and mail addresses are removed from every line, wherever
they are, tracebacks included. No line has the client or the address, only the route.
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
"""The patterns of secrets, and their replacements: addresses that open something, our own of 256 bits, the
tokens of forms, passwords within addresses, the paths of web-hooks, and mail addresses."""
MORE = "told"
"""The key under which a log record has facts besides its message."""
_encode = msgspec.json.Encoder().encode


def hidden(text: str) -> str:
    """A text without its secrets."""
    for looks, instead in SECRETS:
        text = looks.sub(instead, text)
    return text


class JSONFormatter(logging.Formatter):
    """A record as one line of JSON: `at`, `level`, `from`, `said`, further facts, and a `fault` with its trace."""

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
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
    threading.excepthook = _told


def _told(fault: threading.ExceptHookArgs) -> None:
    """A fault that ended a thread."""
    name = fault.thread.name if fault.thread else "that is gone"
    if fault.exc_value is not None:
        result = (fault.exc_type, fault.exc_value, fault.exc_traceback)
        logging.getLogger("readyroom.web").error("thread %s ended", name, exc_info=result)
