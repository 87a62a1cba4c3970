"""Tora! Tora! Tora!: a rule a test."""
