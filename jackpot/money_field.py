from __future__ import annotations

from typing import Any

from django.db import models


class AmountField(models.DecimalField):  # type: ignore[type-arg]
    """numeric(20, 8): every amount of the books."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs["max_digits"] = 20
        kwargs["decimal_places"] = 8
        super().__init__(*args, **kwargs)

    def deconstruct(self) -> Any:
        name, path, args, kwargs = super().deconstruct()
        del kwargs["max_digits"], kwargs["decimal_places"]
        return name, path, args, kwargs
