"""Tests of Picket Duty, by rule."""
