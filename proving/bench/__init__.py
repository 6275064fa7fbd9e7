"""Measured comparisons: the product beside what it must beat, in one run, on one machine."""
