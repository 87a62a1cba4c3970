"""Tests of the web application over HTTP."""
