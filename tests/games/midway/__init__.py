"""A Terrible Resolve: a rule a test."""
