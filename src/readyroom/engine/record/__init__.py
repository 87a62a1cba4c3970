"""Match records: their format, and replaying and verifying them."""
