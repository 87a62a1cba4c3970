"""The command line, typed at."""
