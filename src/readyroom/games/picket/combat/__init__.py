"""[6.6 to 7.2] Attacks, gunfire and strikes."""
