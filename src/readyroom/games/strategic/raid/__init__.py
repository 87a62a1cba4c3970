"""Air Raid Pearl Harbor: tension, surprise, the first strike, and the gamble of the second."""
