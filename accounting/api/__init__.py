"""The office for programs."""
