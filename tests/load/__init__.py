"""Load test over the API: `make load`."""
