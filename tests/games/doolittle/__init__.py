"""Tests of The Doolittle Raid."""
