"""The faces of a match for research: what learns and searches plays a game through the interface that it knows."""
