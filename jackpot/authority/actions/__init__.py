"""Who may approve what, changed: asked for by one person, signed by another, in force from a day on."""
