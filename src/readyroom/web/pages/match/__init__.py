"""The pages of a match: before it starts, while it is played, and when it is over."""
