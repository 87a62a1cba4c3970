"""Matches kept in a database."""
