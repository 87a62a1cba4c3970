"""[5.0, 7.0, 8.0] The flight from the carrier to a landing."""
