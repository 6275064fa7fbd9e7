"""The house's own words for what the framework refuses: each names what is meant and how it is written."""

from __future__ import annotations

import re
from collections.abc import Mapping
from json import JSONDecodeError
from typing import Any, Final

from rest_framework import exceptions, serializers

FIELDS: Final[Mapping[type[serializers.Field[Any, Any, Any, Any]], Mapping[str, str]]] = {
    serializers.Field: {"required": "is missing. Send it.", "null": "is null. Send a value, or leave it out."},
    serializers.BooleanField: {"invalid": "is true or false, and nothing else."},
    serializers.CharField: {
        "invalid": "is a text. Send it in quotation marks.",
        "blank": "is empty. Write something.",
        "max_length": "is too long: {max_length} characters are the most.",
        "min_length": "is too short: {min_length} characters are the least.",
    },
    serializers.RegexField: {"invalid": "is not written as it should be. /api/v1/docs/ shows how."},
    serializers.IntegerField: {
        "invalid": "is a whole number in plain digits.",
        "max_value": "is {max_value} or less.",
        "min_value": "is {min_value} or more.",
        "max_string_length": "is a whole number in plain digits, and this one is too long.",
    },
    serializers.DateTimeField: {
        "invalid": "is a moment such as 2026-11-18T21:04:11Z, with its zone.",
        "date": "is a moment such as 2026-11-18T21:04:11Z, not a day.",
        "make_aware": "is a moment that the clock of “{timezone}” does not have. Write it with its zone.",
        "overflow": "lies outside the calendar.",
    },
    serializers.DateField: {
        "invalid": "is a day such as 2026-11-18.", "datetime": "is a day such as 2026-11-18, not a moment.",
    },
    serializers.ChoiceField: {"invalid_choice": "cannot be “{input}”. {choices}"},
    serializers.MultipleChoiceField: {
        "not_a_list": "is a list.", "empty": "is empty. Choose at least one.",
        "invalid_choice": "cannot be “{input}”. {choices}",
    },
    serializers.ListField: {
        "not_a_list": "is a list, in brackets.",
        "empty": "is empty. Name at least one.",
        "min_length": "has too few: {min_length} are the least.",
        "max_length": "has too many: {max_length} are the most.",
    },
    serializers.DictField: {"not_a_dict": "is an object, in braces.", "empty": "is empty. Name at least one."},
    serializers.JSONField: {"invalid": "holds something that JSON cannot say."},
    serializers.FileField: {
        "required": "is missing. Send the file.", "invalid": "is a file. Send it as one.",
        "no_name": "is a file without a name. Give it one.", "empty": "is an empty file. Choose another.",
        "max_length": "has too long a name: {max_length} characters are the most.",
    },
    serializers.Serializer: {"invalid": "Send an object in braces, such as {{\"name\": \"value\"}}."},
    serializers.ListSerializer: {
        "not_a_list": "Send a list, in brackets.", "empty": "is empty. Name at least one.",
        "min_length": "has too few: {min_length} are the least.",
        "max_length": "has too many: {max_length} are the most.",
    },
}  # fmt: skip
# Where a choice is refused its sentence names what could be chosen; so long a list is only pointed at.
MOST_NAMED: Final = 12
NOBODY_FOUND: Final = re.compile(r"No \w+ matches the given query\.|Not found\.|")


def speak_our_words() -> None:
    """Once, when the program starts: every field of every door takes its sentences from here."""
    for field, sentences in FIELDS.items():
        field.default_error_messages = {**field.default_error_messages, **sentences}
    setattr(serializers.ChoiceField, "fail", _fail_of_choice)  # noqa: B010  a method of the framework's own class


def _fail_of_choice(field: Any, key: str, **words: Any) -> Any:
    """Django's field tells which word is wrong; ours also tells which are right."""
    named = [str(each) for each in field.choices][: MOST_NAMED + 1]
    many = len(named) > MOST_NAMED
    words["choices"] = "/api/v1/docs/ lists what it can be." if many else f"It can be: {', '.join(named)}."
    words["input"] = str(words.get("input", ""))[:40]
    return serializers.Field.fail(field, key, **words)


def not_json(problem: exceptions.ParseError) -> exceptions.ParseError:
    """Where the body breaks off being JSON; what is ours stays as it is."""
    match problem.__context__:
        case JSONDecodeError() as where:
            return exceptions.ParseError(
                f"The body is no JSON from line {where.lineno}, column {where.colno} on. "
                "Check the commas and quotation marks there."
            )
        case ValueError():
            return exceptions.ParseError("The body is no JSON in UTF-8. Check how it is written, and its numbers.")
    return problem


def found_nothing(why: str, path: str) -> str:
    """What there is not, by its address, and where to look; a sentence of our own stays as it is."""
    if NOBODY_FOUND.fullmatch(why) is None:
        return why
    parts = path.strip("/").split("/")
    around = f"/{'/'.join(parts[:3])}/" if parts[:2] == ["api", "v1"] and len(parts) > 3 else "/api/v1/docs/"
    return f"There is nothing at {path[:120]} in your house. Look at {around} for what there is."


def refused_by_framework(problem: exceptions.APIException, methods: Any, path: str) -> str | None:
    """Our sentence for what the framework itself refuses; None where the sentence is ours already."""
    match problem:
        case exceptions.MethodNotAllowed():
            known = ", ".join(sorted(set(methods or ()) - {"OPTIONS", "HEAD"}))
            return f"This address takes {known or 'no method'}, and nothing else. See /api/v1/docs/."
        case exceptions.UnsupportedMediaType():
            return "Send the body as JSON, with Content-Type: application/json."
        case exceptions.NotAuthenticated() | exceptions.AuthenticationFailed():
            return "Sign in first, or show a token that an administrator gave."
        case exceptions.NotFound():
            return found_nothing(str(problem.detail), path)
        case exceptions.NotAcceptable():
            return "This address answers JSON. Ask for that."
        case exceptions.PermissionDenied() if str(problem.detail).startswith("CSRF"):
            return "The CSRF token of the session is missing or is another one. Send it in X-CSRFToken with every POST."
        case exceptions.ParseError() if str(problem.detail) == "Malformed request.":
            return "The body cannot be read. Send it as JSON, with Content-Type: application/json."
        case exceptions.Throttled():
            return "That was too often. Wait as long as Retry-After says."
    return None
