"""Air Raid Pearl Harbor: a rule a test."""
