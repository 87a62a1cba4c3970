"""[1.2, 1.3, 1.9] Debriefing, result and story of a raid."""
