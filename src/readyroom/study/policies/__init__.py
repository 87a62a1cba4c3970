"""The best mix of policies, by iterated best response."""
