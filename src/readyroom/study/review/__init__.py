"""What-if and match review: matches played on from a decision, with their pages."""
