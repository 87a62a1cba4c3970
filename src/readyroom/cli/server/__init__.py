"""Start a server, and manage its matches and players."""
