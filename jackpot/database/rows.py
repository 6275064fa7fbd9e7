"""Rows of a statement of ours as objects of a model: the same objects as the ORM's, without building its SQL anew."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Generic, TypeVar

from django.db import connection, models

M = TypeVar("M", bound=models.Model)


class Columns(Generic[M]):
    """The columns of a model as a SELECT lists them under an alias: all, or those that are needed."""

    def __init__(self, model: type[M], alias: str, *needed: str) -> None:
        fields = [field for field in model._meta.concrete_fields if not needed or field.attname in needed]
        self._model = model
        self._names = [field.attname for field in fields]
        self._converted = [
            (place, field.from_db_value) for place, field in enumerate(fields) if hasattr(field, "from_db_value")
        ]
        self.text = ", ".join(f"{alias}.{field.column}" for field in fields)

    def __len__(self) -> int:
        return len(self._names)

    def object(self, row: Sequence[Any], start: int = 0) -> M:
        """The object whose columns begin at `start`."""
        values = list(row[start : start + len(self)])
        for place, convert in self._converted:
            values[place] = convert(values[place], None, connection)
        return self._model.from_db(connection.alias, self._names, values)
