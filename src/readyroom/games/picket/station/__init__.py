"""[4.0 to 6.5] Duty station, support and weather."""
