"""Comparison of the console with ale-py: the same ROM, settings and actions give the same bytes."""
