"""Parses a round sheet's JSON into a typed form with msgspec, and explains why a document does not fit.

msgspec validates. On failure `_why_not` walks the parsed document beside the form and names the first difference in the
contract's codes and paths, which msgspec's own messages do not give.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from types import NoneType, UnionType
from typing import Any, Generic, NoReturn, TypeVar, get_args, get_origin

import msgspec
from msgspec import Struct, UnsetType
from msgspec.structs import fields

from games.refusal import Refusal

#: A number of JSON. Whether it is a whole number within its bounds is checked where the value is used.
Number = int | float


class Form(Struct, forbid_unknown_fields=True):
    """One object of the document."""

    def count_keys(self) -> int:
        """Count the keys of the object and of the objects in it."""
        raise NotImplementedError


AnyForm = TypeVar("AnyForm", bound=Form)


class Reader(Generic[AnyForm]):
    """Reads documents of one form."""

    def __init__(self, form: type[AnyForm]) -> None:
        self._form: type[AnyForm] = form
        self._decoder: msgspec.json.Decoder[AnyForm] = msgspec.json.Decoder(form)

    def read(self, data: str | bytes | Mapping[str, Any]) -> AnyForm:
        """The document in its form; Refusal `bad_json`, `unknown_key`, `missing_key` or `wrong_type`."""
        if not isinstance(data, str | bytes):
            return self.read_value(data)
        try:
            document = self._decoder.decode(data)
        except (msgspec.DecodeError, UnicodeError, RecursionError):
            return self.read_value(parse_json(data))
        colons = data.count(":") if isinstance(data, str) else data.count(b":")
        if colons != document.count_keys():
            # Some colons are part of a text, or a key is duplicated: msgspec would silently keep the last one.
            parse_json(data)
        return document

    def read_value(self, value: Any) -> AnyForm:
        """The same for a document that is parsed already."""
        try:
            return msgspec.convert(value, self._form)
        except (msgspec.ValidationError, UnicodeError, RecursionError):
            refusal = _why_not(value, self._form, "")
            if refusal is None:  # msgspec and the walk disagree, which a test rules out
                raise
            raise refusal from None


# -- JSON parsed by the standard library, which reports the position of an error and shows duplicate keys


class NotJson(ValueError):
    """A text is no JSON that every reader understands alike; the message says why."""


def parse_json(text: str | bytes) -> Any:
    """The value of a JSON text; Refusal `bad_json` for anything else."""
    try:
        return load_json(text)
    except NotJson as error:
        raise Refusal("bad_json", "", f"this is no JSON that can be read for certain: {error}.") from None


def load_json(text: str | bytes) -> Any:
    """The value of a JSON text; NotJson for anything else.

    Refused too: duplicate keys, NaN and Infinity, bytes that are not UTF-8, a byte order mark, and nesting or numbers
    beyond Python's limits.
    """
    if isinstance(text, bytes):
        try:
            text = text.decode("utf-8")
        except UnicodeDecodeError as error:
            raise NotJson(f"byte {error.start} is not UTF-8; save the text as UTF-8") from None
    if text.startswith("\ufeff"):
        raise NotJson("it begins with a byte order mark; save it as UTF-8 without one")
    try:
        return _STRICT.decode(text)
    except NotJson:
        raise
    except json.JSONDecodeError as error:
        raise NotJson(f"{error.msg} at line {error.lineno}, column {error.colno}") from None
    except RecursionError:
        raise NotJson("it is nested too deeply") from None
    except ValueError:
        raise NotJson("it holds a number of thousands of digits") from None


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise NotJson(f"the key {show(twice)} is in one object twice")
    return found


def _constant(name: str) -> NoReturn:
    raise NotJson(f"{name} is no JSON number")


_STRICT = json.JSONDecoder(object_pairs_hook=_pairs, parse_constant=_constant)


# -- why a document does not fit its form


_WORDS = {
    "rulebook": "a rulebook is named by a text",
    "options": "options are an object",
    "bank": 'the bank is {"seat": …, "wager": …}',
    "positions": "positions are a list",
    "player": "a player is named by a text",
    "wagers": "wagers are an object of cents",
    "tips": "tips are an object of cents",
    "decision": "a decision is a text",
    "seat": "a seat is a number",
    "action_seat": "a seat is a number",
}
_HAND = 'a hand is a text such as "Ah Td 2c"'
#: What a key without words of its own holds, by the kind of its form; all else are amounts.
_KINDS = {str: "it is a text", Sequence: "it is a list", dict: "it is an object"}


def _why_not(value: Any, form: Any, path: str) -> Refusal | None:
    """The first place at which a parsed value differs from a form; None where it does not."""
    kinds = {kind for kind in get_args(form) if kind is not UnsetType} if type(form) is UnionType else {form}
    if kinds == {int, float}:  # true and false are not numbers, though bool is a subclass of int
        fits = isinstance(value, int | float) and not isinstance(value, bool)
        return None if fits else _wrong_type(path, value)
    if NoneType in kinds:
        if value is None:
            return None
        kinds.discard(NoneType)
    (kind,) = kinds
    if kind is Any:
        return None
    of = get_origin(kind) or kind
    if of is str:
        return None if isinstance(value, str) and is_text(value) else _wrong_type(path, value, of)
    if of is Sequence:
        if not isinstance(value, list | tuple):
            return _wrong_type(path, value, of)
        (inner,) = get_args(kind)
        return _first(_why_not(each, inner, f"{path}[{index}]") for index, each in enumerate(value))
    if not isinstance(value, Mapping):
        return _wrong_type(path, value, dict)
    if of is dict:
        inner = get_args(kind)[1]
        return _first(_why_not(each, inner, f"{path}.{key}") for key, each in value.items())
    return _why_not_struct(value, of, path)


def _why_not_struct(value: Mapping[Any, Any], form: type[Struct], path: str) -> Refusal | None:
    known = {field.name: field for field in fields(form)}
    for key in value:
        if key not in known:
            what = f"there is no key {show(key)} here; leave it out."
            return Refusal("unknown_key", _under(path, str(key)), what)
    for name, field in known.items():
        if name in value:
            refusal = _why_not(value[name], field.type, _under(path, name))
            if refusal is not None:
                return refusal
        elif field.required:
            return Refusal("missing_key", _under(path, name), f"{name} must be given.")
    return None


def _under(path: str, key: str) -> str:
    return f"{path}.{key}" if path else key


def _first(refusals: Iterable[Refusal | None]) -> Refusal | None:
    return next((refusal for refusal in refusals if refusal is not None), None)


def is_text(value: str) -> bool:
    """Whether the text has no lone surrogates: JSON can escape halves of a pair."""
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _wrong_type(path: str, value: Any, kind: Any = None) -> Refusal:
    """The refusal of a value that is of another kind than its form has there; without one, than a number."""
    if not path:
        return Refusal("wrong_type", path, f"this is an object of its own keys, not {show(value)}.")
    key = path.rpartition(".")[2]
    if isinstance(value, str) and not is_text(value):
        return Refusal("wrong_type", path, "it holds half a character, which is no text.")
    words = "a position is an object" if key.startswith("positions[") else _WORDS.get(key)
    if words is None:
        hand = kind is str and key.endswith("hand")
        words = _HAND if hand else _KINDS.get(kind, "an amount is a number of cents")
    return Refusal("wrong_type", path, f"{words}, not {show(value)}.")


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
