"""The planning game: every plan against every other, and the best mixes."""
