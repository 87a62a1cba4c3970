"""How the database came to be what it is, one file a revision; run when a store is opened."""

from __future__ import annotations

HEAD = "0025"
"""The newest revision."""
