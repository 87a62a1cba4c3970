"""[5, 7, 15] Plans: their data, the planning sheets, files, validation, and the lock."""
