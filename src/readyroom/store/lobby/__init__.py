"""Matches before they begin, their seats at any time, rematches, and lists of matches."""
