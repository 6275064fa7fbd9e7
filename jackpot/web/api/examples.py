"""An example of the body and of every answer of each operation, made of the document itself and the words of a house.

So an example can never speak of a field that is gone, and a new field has one from its first day.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any, Final

from jackpot.web.api.example_words import FLAGS, MEDIA, NUMBERS, SPECIAL, TEXTS, WHOLE

REF: Final = "#/components/schemas/"
DEEPEST: Final = 12  # components within components; the document has five
DAY, MOMENT = "2026-11-18", "2026-11-18T21:04:11.052000Z"
PATHS: Final = {**TEXTS, "day": DAY}  # what stands in an address


class NoExample(LookupError):
    """A text for which nobody wrote what it looks like."""


def with_examples(result: Any, **_: Any) -> Any:
    """A hook of the generator: what has an example written by hand keeps it."""
    allow_empty_answers(result)
    maker = ExampleMaker(result.get("components", {}).get("schemas", {}))
    for path, content in contents(result):
        for media_type, told in content.items():
            if "examples" in told or "example" in told:
                continue
            with suppress(NoExample):  # the document is served without it; the tests name the word that is missing
                told["example"] = maker.answer(media_type, told.get("schema", {}), path)
    return result


def contents(document: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The content of every body and every answer, by media type, with the path of its operation."""
    for path, methods in document["paths"].items():
        for operation in methods.values():
            if "requestBody" in operation:
                yield path, operation["requestBody"]["content"]
            for answer in operation["responses"].values():
                yield path, answer.get("content", {})


def allow_empty_answers(document: Mapping[str, Any]) -> None:
    """A text that we answer may be empty, such as who withdrew what nobody withdrew; only what is sent must not be."""
    components = document.get("components", {}).get("schemas", {})
    bodies = [each.get("requestBody", {}) for methods in document["paths"].values() for each in methods.values()]
    sent, found = set[str](), _named_in(bodies)
    while found - sent:
        sent |= found
        found = _named_in([components[each] for each in sent])
    for name in components.keys() - sent:
        _drop_least_length(components[name])


def _named_in(told: Any) -> set[str]:
    match told:
        case {"$ref": str() as component}:
            return {component.removeprefix(REF)}
        case dict():
            return set().union(*map(_named_in, told.values()))
        case list():
            return set().union(*map(_named_in, told))
    return set()


def _drop_least_length(told: Any) -> None:
    match told:
        case dict():
            if told.get("type") == "string" and told.get("minLength") == 1:
                del told["minLength"]
            for each in told.values():
                _drop_least_length(each)
        case list():
            for each in told:
                _drop_least_length(each)


class ExampleMaker:
    """Makes a value of a schema; `owner` is the component that a name stands in."""

    def __init__(self, components: Mapping[str, Any]) -> None:
        self.components = components

    def answer(self, media_type: str, schema: Mapping[str, Any], path: str) -> Any:
        """A whole body or answer; a page of a list leads on within its own list."""
        if media_type in MEDIA:
            return MEDIA[media_type]
        made = self.made(schema)
        if isinstance(made, dict) and "next" in made:
            here = re.sub(r"{(\w+)}", lambda word: str(PATHS.get(word[1]) or NUMBERS.get(word[1], 1)), path)
            made["next"] = f"{here}?limit=100&cursor=17"
        return made

    def made(self, schema: Mapping[str, Any], name: str = "", owner: str = "", depth: int = 0) -> Any:
        if (owner, name) in SPECIAL:
            return SPECIAL[owner, name]
        if "$ref" in schema:
            component = schema["$ref"].removeprefix(REF)
            if component in WHOLE:
                return WHOLE[component]
            return self.made(self.components[component], name, component, depth + 1)
        for several in ("allOf", "oneOf", "anyOf"):
            if several in schema:
                return self.made(schema[several][0], name, owner, depth)
        if "example" in schema:
            return schema["example"]
        if "enum" in schema:
            return TEXTS[name] if TEXTS.get(name) in schema["enum"] else schema["enum"][0]
        return self._by_type(schema, name, owner, depth)

    def _by_type(self, schema: Mapping[str, Any], name: str, owner: str, depth: int) -> Any:
        match schema.get("type"):
            case "object" | None:
                return self._object(schema, owner, depth)
            case "array":
                return [self.made(schema["items"], name, owner, depth)] * max(1, schema.get("minItems", 1))
            case "boolean":
                return FLAGS.get(name, schema.get("default", False))
            case "integer":
                return _bounded(NUMBERS.get(name, 1), schema)
            case "number":
                return 4.94
        return _text(schema, name)

    def _object(self, schema: Mapping[str, Any], owner: str, depth: int) -> Any:
        if "properties" in schema:
            assert depth < DEEPEST, "a component that holds itself has no example"
            return {each: self.made(inner, each, owner, depth) for each, inner in schema["properties"].items()}
        inner = schema.get("additionalProperties")
        if isinstance(inner, Mapping) and inner.get("type") == "string":
            return {"meter": "20001.40"}
        return {}


def _text(schema: Mapping[str, Any], name: str) -> str:
    match schema.get("format"):
        case "date":
            return DAY
        case "date-time":
            return MOMENT
    if name not in TEXTS:
        raise NoExample(f"Write in example_words.py what “{name}” looks like.")
    text = TEXTS[name][: schema.get("maxLength", 1_000_000)]
    if "pattern" in schema and re.search(schema["pattern"], text) is None:
        raise NoExample(f"“{text}” is no example of “{name}”, which is written as {schema['pattern']}.")
    return text


def _bounded(number: int, schema: Mapping[str, Any]) -> int:
    """As a house has it, where the bounds of the field allow that."""
    low, high = schema.get("minimum", number), schema.get("maximum", number)
    return int(min(max(number, low), high))
