"""Picket Duty: a rule a test."""
