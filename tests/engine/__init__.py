"""The table that every game is played on."""
