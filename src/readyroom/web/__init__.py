"""The browser's table."""
