"""A trial of the tests: rules are taken out of the code one at a time, and each time some test must fail."""
