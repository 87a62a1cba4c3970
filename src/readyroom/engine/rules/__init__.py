"""What a rule works with: the table, decisions, checks, charts, cups and dice."""
