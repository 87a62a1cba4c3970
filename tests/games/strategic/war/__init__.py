"""Tests of the strategic war."""
