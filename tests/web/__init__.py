"""The browser's table, over real HTTP."""
