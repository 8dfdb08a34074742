"""Exception `Refusal` for input that the engine refuses."""


class Refusal(Exception):
    """Input that the rules do not allow, with the codes of the round sheet's contract.

    `code` is one of the codes of the contract, `path` the place in the input (`positions[1].wagers.ante`,
    empty for the whole), `message` a sentence that says what is wrong there and what to do.
    """

    def __init__(self, code: str, path: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.path = path
        self.message = message

    def __str__(self) -> str:
        return f"{self.code} at {self.path or 'the sheet'}: {self.message}"

    def under(self, prefix: str) -> "Refusal":
        """The same refusal with `prefix` before its path."""
        return Refusal(self.code, f"{prefix}.{self.path}" if self.path else prefix, self.message)

    def to_json(self) -> dict[str, dict[str, str]]:
        """`{"error": {"code", "message", "path"}}`, as the settle command prints it: a phrase as its English."""
        return {"error": {"code": self.code, "message": str(self.message), "path": self.path}}
