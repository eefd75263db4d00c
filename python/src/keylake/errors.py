"""The failures of Keylake as Python exceptions.

PySpark shows a failure of Keylake as one of its own exceptions, or, where a task failed, as an error of the
job or of Py4J with the failure somewhere among its causes. :func:`keylake_errors` turns each of these into a
:class:`KeylakeError`; all other errors pass.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Optional

from pyspark.errors import PySparkException

__all__ = [
    "ConflictError",
    "CorruptTableError",
    "InvalidRequestError",
    "KeylakeError",
    "StreamStateError",
    "UnsupportedError",
    "keylake_errors",
]

_MESSAGE = re.compile(r"\[(KEYLAKE_[A-Z_]+)\] (.*?) SQLSTATE: ([0-9A-Z]{5})", re.DOTALL)


class KeylakeError(PySparkException):
    """A failure of Keylake. ``condition`` is its stable name, such as ``KEYLAKE_INVALID_REQUEST``; docs/errors.md
    lists all. The exception of PySpark is its ``__cause__``."""

    def __init__(self, condition: str, sql_state: str, text: str) -> None:
        super().__init__(message=f"[{condition}] {text} SQLSTATE: {sql_state}")
        self.condition = condition
        self.sql_state = sql_state
        self.text = text

    def getCondition(self) -> Optional[str]:
        """The name of the condition."""
        return self.condition

    def getSqlState(self) -> Optional[str]:
        """The SQLSTATE, five characters."""
        return self.sql_state

    def getMessage(self) -> str:
        """Condition, text and SQLSTATE."""
        return str(self)

    def __str__(self) -> str:
        return f"[{self.condition}] {self.text} SQLSTATE: {self.sql_state}"

    @staticmethod
    def of(failure: BaseException) -> Optional["KeylakeError"]:
        """What ``failure`` says of Keylake; None when it has nothing to do with it."""
        if isinstance(failure, KeylakeError):
            return failure
        for text in _texts(failure):
            found = list(_MESSAGE.finditer(text))
            if found:
                condition, message, sql_state = found[-1].groups()
                return _kind(sql_state)(condition, sql_state, message)
        return None


class InvalidRequestError(KeylakeError):
    """The statement, an option or a row is wrong: correct it."""


class UnsupportedError(KeylakeError):
    """This version, or this kind of table, does not have it."""


class ConflictError(KeylakeError):
    """Another commit was in the way, or nobody knows whether the commit happened: look, and try again."""


class CorruptTableError(KeylakeError):
    """A file is missing or damaged: restore it, or roll back."""


class StreamStateError(KeylakeError):
    """A streaming query cannot go on from where it was."""


_KINDS: dict[str, type[KeylakeError]] = {
    "0A": UnsupportedError,
    "40": ConflictError,
    "55": StreamStateError,
    "XX": CorruptTableError,
}


def _kind(sql_state: str) -> type[KeylakeError]:
    return _KINDS.get(sql_state[:2], InvalidRequestError)


def _texts(failure: BaseException) -> Iterator[str]:
    """What a failure and its causes say, the deepest cause first."""
    chain: list[str] = []
    seen: set[int] = set()
    current: Optional[BaseException] = failure
    while current is not None and id(current) not in seen:
        seen.add(id(current))
        chain.append(str(current))
        java = getattr(current, "java_exception", None)
        if java is not None:
            chain.extend(_java_texts(java))
        current = current.__cause__ or getattr(current, "_cause", None)
    return reversed(chain)


def _java_texts(java: Any) -> Iterator[str]:
    depth = 0
    while java is not None and depth < 50:
        yield str(java.toString())
        java = java.getCause()
        depth += 1


@contextmanager
def keylake_errors() -> Iterator[None]:
    """Raises failures of Keylake inside the ``with`` block as :class:`KeylakeError`.

    >>> with keylake_errors():
    ...     spark.sql("CALL lake.sys.compact(table => 'nowhere')")
    Traceback (most recent call last):
    keylake.errors.InvalidRequestError: [KEYLAKE_REFERENCE_NOT_FOUND] ...
    """
    try:
        yield
    except KeylakeError:
        raise
    except Exception as failure:
        ours = KeylakeError.of(failure)
        if ours is None:
            raise
        raise ours from failure
