"""The archive of our own PostgreSQL: base copies and every byte of the log since, so that any moment comes back."""
