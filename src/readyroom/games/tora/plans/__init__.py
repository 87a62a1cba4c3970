"""[5, 7, 15] Plans: the planning sheets, files, checks, the lock, the message in cipher, and the disclosure."""
