"""Drills: the promises of the house proven by killing it."""
