"""Tournaments: who plays whom, the standings, and the rounds that follow by themselves."""
