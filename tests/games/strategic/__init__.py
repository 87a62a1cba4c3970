"""Tests of the strategic games."""
