"""Controllers, dealers and players of a demo casino: a pure network client of the device protocol, nothing more."""
