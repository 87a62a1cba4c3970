"""Measure every published figure of the project: `python -m docs.claims --write`."""
