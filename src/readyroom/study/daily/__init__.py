"""The challenge of the day: one scenario, seat and dice for everyone, chosen by the date."""
