"""What a setting will do, before it is saved. Values in, figures out; no database, numpy only where it is used."""
