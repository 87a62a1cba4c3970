"""Whole games, and what each of them shows."""
