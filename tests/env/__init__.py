"""Tests of playing many matches."""
