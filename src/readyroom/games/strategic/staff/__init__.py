"""The calculator of the tables, and the matches that roll its actions."""
