"""The business acts of the office: one function, one transaction each."""
