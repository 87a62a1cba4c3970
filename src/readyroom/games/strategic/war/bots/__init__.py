"""The bots of the war, and what can be varied in their play."""
