"""[13.0] The four months of planning."""
