"""Many matches at once over the interface for programs: `make load`."""
