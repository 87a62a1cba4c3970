"""Every figure that the project claims, measured or counted again: `python -m docs.claims --write`."""
