"""What the terminal and the drawn boards show."""
