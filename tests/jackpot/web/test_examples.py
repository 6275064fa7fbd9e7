"""Every operation of the OpenAPI document shows an example of its body and of its answers, and each fits its schema."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
from drf_spectacular.generators import SchemaGenerator
from jsonschema import Draft4Validator

from jackpot.web.api.example_words import FLAGS, MEDIA, NUMBERS, SPECIAL, TEXTS, WHOLE
from jackpot.web.api.examples import ExampleMaker, NoExample, contents

TEXT_OR_JSON = ("application/json", "multipart/form-data", "application/x-www-form-urlencoded", *MEDIA)


@cache
def document() -> Any:
    return SchemaGenerator().get_schema(request=None, public=True)


def as_json_schema(told: Any) -> Any:
    """`nullable` is a word of OpenAPI; JSON Schema says it with a type."""
    match told:
        case dict():
            plain = {name: as_json_schema(each) for name, each in told.items() if name != "nullable"}
            return {"anyOf": [plain, {"type": "null"}]} if told.get("nullable") is True else plain
        case list():
            return [as_json_schema(each) for each in told]
    return told


def examples_of(told: Any) -> list[Any]:
    return [told["example"]] if "example" in told else [each["value"] for each in told["examples"].values()]


def test_every_body_and_every_answer_has_an_example_that_fits() -> None:
    validator = Draft4Validator({"components": as_json_schema(document()["components"])})
    wrong, count = [], 0
    maker = ExampleMaker(document()["components"]["schemas"])
    for path, content in contents(document()):
        for media_type, told in content.items():
            assert media_type in TEXT_OR_JSON, media_type
            if "example" not in told and "examples" not in told:
                maker.answer(media_type, told["schema"], path)  # says which word is missing
            for example in examples_of(told):
                count += 1
                if media_type == "application/json":
                    fits = validator.evolve(schema={**validator.schema, **as_json_schema(told["schema"])})
                    wrong += [f"{told['schema']}: {problem.json_path}: {problem.message}" for problem in
                              fits.iter_errors(example)]  # fmt: skip
    assert not wrong, "\n".join(sorted(set(wrong)))
    assert count > 300


def test_every_operation_refuses_with_an_example_of_its_own_words() -> None:
    for path, methods in document()["paths"].items():
        for operation in methods.values():
            if "schema" not in path:
                refused = operation["responses"]["4XX"]["content"]["application/json"]["example"]
                assert (refused["ok"], refused["code"]) == (False, "round_open"), path
                assert refused["why"] == "Round 117 at UTH-04 is still open. Press END GAME first."


def test_a_text_that_nobody_described_is_found() -> None:
    with pytest.raises(NoExample, match="what “colour” looks like"):
        ExampleMaker({}).made({"type": "object", "properties": {"colour": {"type": "string"}}})


def test_no_word_stands_here_for_nothing() -> None:
    """What is renamed takes its word along."""
    components = document()["components"]["schemas"]
    names = {name for told in components.values() for name in told.get("properties", {})}
    assert set(TEXTS) | set(NUMBERS) | set(FLAGS) <= names
    assert set(WHOLE) <= set(components)
    for owner, name in SPECIAL:
        assert name in components[owner]["properties"], f"{owner}.{name}"
