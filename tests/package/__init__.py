"""The house as it is handed out: a wheel, and what is made of it."""
