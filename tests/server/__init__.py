"""Tests with a real server in its own process."""
