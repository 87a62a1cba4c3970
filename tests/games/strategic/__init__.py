"""The strategic war."""
