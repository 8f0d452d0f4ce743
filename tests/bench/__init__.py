"""Measurements, run by hand: ratios of things that are timed side by side in one run."""
