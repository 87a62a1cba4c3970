"""[2.0, 3.0, 4.0] The attack over a target city."""
