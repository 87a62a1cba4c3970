"""The table that every game is played on. It knows no game, and imports nothing of the rest of the house."""
