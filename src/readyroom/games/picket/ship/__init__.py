"""[7.3 to 7.12] Damage, casualties and repairs."""
