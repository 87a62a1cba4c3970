"""Boards, charts and the odds calculator."""
