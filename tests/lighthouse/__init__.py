"""Lighthouse scores of the pages."""
