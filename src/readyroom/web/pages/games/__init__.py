"""The pages of a game: its rules, charts, odds, tools, tutorials and studies."""
