"""Many matches: simulations, studies, ratings, and best mixes."""
