"""A real server in a process of its own, as users start it."""
