"""Repair as proof, and rounding or defect: runs a step again with something changed."""
