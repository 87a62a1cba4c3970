"""Campaigns: chapters that are matches of several games, linked by a ledger, with one record for all of them."""
