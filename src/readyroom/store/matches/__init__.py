"""Matches in progress, their records, and what the pages of finished ones show."""
