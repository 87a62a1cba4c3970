"""Matches in memory, each in step with the database."""
