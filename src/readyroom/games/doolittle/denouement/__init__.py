"""[14.0] After the raid: crews and ships on their way home."""
