"""Golden records of whole matches."""
