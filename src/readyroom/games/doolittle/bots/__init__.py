"""The doctrine bot, one module per part of the game."""
