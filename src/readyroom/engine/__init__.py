"""The engine: knows no game, and imports nothing of the other packages."""
