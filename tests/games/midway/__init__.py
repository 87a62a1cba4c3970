"""Tests of A Terrible Resolve."""
