"""Analyze a decision, change one, or review a match."""
