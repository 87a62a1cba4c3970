"""Play in the terminal: alone, at one screen, with dice typed in, or on a server."""
