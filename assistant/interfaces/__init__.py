"""Showing: the command line and the page."""
