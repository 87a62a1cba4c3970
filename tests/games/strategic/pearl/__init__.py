"""Tests of Air Raid Pearl Harbor."""
