"""Look up games, rules, charts and odds, and use a game's tools."""
