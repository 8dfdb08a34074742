"""JSON read strictly: what the standard leaves open is refused and never settled by guess."""

import json
from collections.abc import Callable, Mapping
from typing import Any, NoReturn

from games.refusal import Refusal


def _bad_json(what: str) -> Refusal:
    return Refusal("bad_json", "", f"this is no JSON that can be read for certain: {what}.")


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise _bad_json(f"the key {show(twice)} stands twice in one object")
    return found


def _constant(name: str) -> NoReturn:
    raise _bad_json(f"{name} is no JSON number")


_STRICT = json.JSONDecoder(object_pairs_hook=_pairs, parse_constant=_constant)
_LAST_KEY_WINS = json.JSONDecoder(parse_constant=_constant)


def read_json(text: str | bytes, keys_of: Callable[[Any], int] | None = None) -> Any:
    """The value of a JSON text; Refusal `bad_json` for anything else.

    Refused too: a key twice in one object, NaN and Infinity, bytes that are not UTF-8, a byte order mark,
    nesting or numbers past what Python reads.

    Looking for a key twice in every object takes two fifths of the time. `keys_of` may spare it: given a value of the
    form that its caller awaits, it counts the keys of all its objects. As many keys kept as there are colons in the
    text are all keys that the text has, each once.
    """
    if isinstance(text, bytes):
        try:
            text = text.decode("utf-8")
        except UnicodeDecodeError as error:
            raise _bad_json(f"byte {error.start} is not UTF-8; save the text as UTF-8") from None
    if text.startswith("\ufeff"):
        raise _bad_json("it begins with a byte order mark; save it as UTF-8 without one")
    try:
        if keys_of is not None:
            value = _LAST_KEY_WINS.decode(text)
            if keys_of(value) == text.count(":"):
                return value
        return _STRICT.decode(text)
    except json.JSONDecodeError as error:
        raise _bad_json(f"{error.msg} at line {error.lineno}, column {error.colno}") from None
    except RecursionError:
        raise _bad_json("it is nested too deeply") from None
    except ValueError:
        raise _bad_json("it holds a number of thousands of digits") from None


def show(value: Any) -> str:
    """A value for a message: short, on one line, safe for any value however large or deep."""
    if value is None or value is True or value is False:
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, str):
        text = value if len(value) <= 40 else value[:37] + "..."
        return json.dumps(text, ensure_ascii=not text.isprintable())
    if isinstance(value, int):
        return str(value) if abs(value) < 10**30 else "a number of more than thirty digits"
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, Mapping):
        return "an object"
    return "a list" if isinstance(value, list | tuple) else f"a {type(value).__name__}"
