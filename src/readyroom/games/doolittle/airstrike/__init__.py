"""[11.0] Airstrikes on ships, in the midst of another phase."""
