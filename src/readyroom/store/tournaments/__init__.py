"""Tournaments: who meets in each round, the standings, and the rounds that follow by themselves."""
