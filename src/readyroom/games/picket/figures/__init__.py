"""Types of the data files, and their validation."""
