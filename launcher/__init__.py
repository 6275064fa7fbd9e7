"""What makes `manage.py` work on a machine with Python and pip and nothing else: environment, PostgreSQL, children."""
