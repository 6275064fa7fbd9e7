"""Every form that changes something carries a key of its own beside Django's token, without a word in its template."""

from __future__ import annotations

import secrets
from typing import Any, Final

from django import template
from django.template.base import Parser, Token
from django.template.defaulttags import CsrfTokenNode
from django.utils.safestring import SafeString

register = template.Library()

FORM_KEY: Final = "form-key"


class FormTokens(CsrfTokenNode):
    """Takes the place of Django's own tag, which no form of ours can do without: so none is forgotten."""

    def render(self, context: Any) -> SafeString:
        key = f'<input type="hidden" name="{FORM_KEY}" value="{secrets.token_urlsafe(15)}">'
        return SafeString(super().render(context) + key)


@register.tag
def csrf_token(parser: Parser, token: Token) -> FormTokens:  # noqa: ARG001  Django names them
    return FormTokens()
