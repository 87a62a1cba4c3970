"""Tests of the match store, on SQLite and PostgreSQL."""
