"""Hits become wins: marked, asked for, approved, moved, paid; or undone."""
