"""The doctrine bots: a plan and a way to fight for each side."""
