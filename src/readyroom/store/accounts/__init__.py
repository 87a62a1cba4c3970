"""Players, and how they sign in and are reached."""
