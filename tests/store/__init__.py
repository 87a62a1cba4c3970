"""Matches in a database, on SQLite and on PostgreSQL."""
