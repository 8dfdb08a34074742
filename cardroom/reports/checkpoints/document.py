"""Signs, formats and parses a checkpoint as a document (Ed25519). Knows no database.

The file has two lines. The first is the document, canonical JSON; its UTF-8 bytes, without the line's end, are what is
signed and hashed. The second is `{"signature":"…"}`, the Ed25519 signature (RFC 8032) in hexadecimal digits.

    {"at":"2026-11-30T20:00:00.000000+00:00","cause":"hour","format":"cardroom checkpoint 1",
     "exports":[{"day":"2026-11-29","export":4,"files":{"fees":"…"},"manifest":"…","seq":810,"version":1}],
     "gaming_day":"2026-11-30","heads":[{"chain":"room:1","hash":"9f2c…","seq":812}, …],"key":"d75a98…",
     "number":17,"previous":"41b0…","reports":[{"command":"shift_report","content_hash":"…","report":5,"seq":811}],
     "room":{"code":"alder-creek","id":1,"name":"Alder Creek"}}

`previous` is the SHA-256 of the document before (empty in the first), `key` the public key that the signature is made with.
"""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import json
from collections.abc import Collection
from typing import Any, Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from cardroom.config.checkpoint_key import PUBLIC_KEY, public_hex
from cardroom.core.canonical import canonical_json
from cardroom.floor.journal import Head

FORMAT: Final = "cardroom checkpoint 1"
#: What the files of checkpoints end with.
SUFFIX: Final = ".checkpoint"


class NotACheckpoint(ValueError):
    """A file that is no checkpoint; the message says why."""


@dataclasses.dataclass(frozen=True)
class SignedDocument:
    """A document's text with its signature, whether that holds or not."""

    text: str
    signature: str

    @functools.cached_property
    def facts(self) -> dict[str, Any]:
        """What the text says."""
        facts: dict[str, Any] = json.loads(self.text)
        return facts

    @property
    def hash(self) -> str:
        """The hex SHA-256 of the text."""
        return hashlib.sha256(self.text.encode()).hexdigest()

    @property
    def heads(self) -> list[Head]:
        """The last entries of the chains at that moment."""
        return [Head(head["chain"], head["seq"], head["hash"]) for head in self.facts["heads"]]

    @property
    def name(self) -> str:
        """The checkpoint in words."""
        return f"checkpoint {self.facts['number']} of {self.facts['room']['name']}"

    def file(self) -> bytes:
        """The two lines of its file."""
        return f"{self.text}\n{canonical_json({'signature': self.signature})}\n".encode()


def signed(facts: dict[str, Any], key: Ed25519PrivateKey) -> SignedDocument:
    """Return what a checkpoint says as a signed document, which names the public key."""
    text = canonical_json({**facts, "format": FORMAT, "key": public_hex(key)})
    return SignedDocument(text, key.sign(text.encode()).hex())


def document_read(content: bytes) -> SignedDocument:
    """Read the file of a checkpoint. Raises NotACheckpoint. The signature is not verified here."""
    try:
        text, last = content.decode().rstrip("\r\n").split("\n")
        document = SignedDocument(text.rstrip("\r"), json.loads(last)["signature"])
        facts = document.facts
        fits = (
            facts["format"] == FORMAT
            and PUBLIC_KEY.fullmatch(facts["key"]) is not None
            and isinstance(facts["number"], int)
            and all(isinstance(facts[name], str) for name in ("at", "previous", "gaming_day"))
            and all(isinstance(part["report"], int) and part["content_hash"] for part in facts["reports"])
            # One that was signed before 0.2.0 names no exports.
            and all(isinstance(part["export"], int) and part["manifest"] for part in facts.get("exports", []))
            and bool(facts["room"]["code"])
            and len(document.heads) > 0
        )
        bytes.fromhex(document.signature)
    except (ValueError, KeyError, TypeError, AttributeError) as fault:
        raise NotACheckpoint(f"is no checkpoint: {fault!r}") from None
    if not fits:
        raise NotACheckpoint(f"is no checkpoint of the format {FORMAT!r}")
    return document


def signature_fault(document: SignedDocument, known: Collection[str]) -> str:
    """Return what is wrong with the signature of a document; empty if it is by one of the `known` public keys."""
    key = document.facts["key"]
    if key not in known:
        return f"is signed by the key {key}, which is not known here; give it with --key if it was the room's"
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(key)).verify(
            bytes.fromhex(document.signature), document.text.encode()
        )
    except InvalidSignature:
        return "does not carry the signature of its text: one of them was changed"
    return ""
