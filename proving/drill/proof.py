"""The product's own proof of the drill's books: python -m proving.drill.proof prints its verdict."""

from __future__ import annotations

import json
import sys

if __name__ == "__main__":
    import django

    django.setup()
    from tables.rounds.actions.prove import prove

    sys.stdout.write(json.dumps(prove().plain()))
