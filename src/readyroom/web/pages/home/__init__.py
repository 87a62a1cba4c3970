"""The home page, new matches, and lists of matches to join or watch."""
