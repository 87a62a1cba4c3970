"""[9.0, 10.0, 12.0] The voyage of the task force."""
