"""Administration: checks, deletion, expiry, archives, and the audit log."""
