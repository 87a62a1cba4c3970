"""Every figure that the project claims, measured or counted anew: `python -m docs.claims --write`."""
