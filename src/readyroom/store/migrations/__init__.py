"""How the database came to be what it is, one file a revision; run when a store is opened."""

from __future__ import annotations

HEAD = "0026"
"""The newest revision."""
