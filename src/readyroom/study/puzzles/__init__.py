"""Puzzles: positions in which one answer is clearly best by the project's analysis."""
