"""The pages: handlers, and what only pages show."""
