"""Events for open pages, and notifications of players who are away."""
