"""Tests of the game Tora! Tora! Tora!, by rule."""
