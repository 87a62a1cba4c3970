"""What players see of a war: the chart, the board in a terminal, and its end."""
