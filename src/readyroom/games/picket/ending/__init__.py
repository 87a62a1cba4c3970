"""[7.3.Q, 8.0 to 10] The end of a phase, a turn, a tour and the match."""
