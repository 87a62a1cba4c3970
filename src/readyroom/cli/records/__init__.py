"""Step through records, report on them, and verify them."""
