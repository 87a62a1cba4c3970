"""Tests of the wheel and the container."""
