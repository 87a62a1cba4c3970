"""[5, 8 to 14] The day of the attack: the alert, flying, ships, attacks, guns, luck and the outcome."""
